// @group sample: npm test runs a quarter of its tests
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  AUTHENTICATION_PURPOSE,
  CLIENT_CERTIFICATE_PURPOSE,
  createClientCertificate,
  replaceAuthentication,
  replaceClientCertificate,
  SecretBox,
} from '@ats/domain';
import { Authority, type Certificate } from '@ats/domain/testing';
import { type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { type AddressInfo } from 'node:net';
import tls, { type TLSSocket } from 'node:tls';
import { eventually } from '../../test/eventually.js';
import { BASE_URL, readDeliveries, recordEvent, SECRET_KEY, secretBox, subscribe } from '../../test/fixtures.js';
import { useStage } from '../../test/running-notifier.js';

const stage = useStage();
const authority = new Authority('Authority of the tests');
const clients = new Authority('Authority of clients');
const server = createServer({
  ...authority.issue({ host: 'localhost' }),
  ca: clients.cert,
  requestCert: true,
  rejectUnauthorized: true,
});
const seen: string[] = [];

function serve(request: IncomingMessage, response: ServerResponse): void {
  const { subject } = (request.socket as TLSSocket).getPeerCertificate();
  seen.push(`${request.url} ${String(subject.CN)}`);
  request.resume();
  response.writeHead(204).end();
}

const trusted = tls.getCACertificates('default');

beforeAll(async () => {
  // The notifier runs in this process, and verifies servers by the default authorities.
  tls.setDefaultCACertificates([...trusted, authority.cert]);
  server.on('request', serve);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
beforeEach(() => {
  seen.length = 0;
});
afterEach(async () => {
  await stage.stopNotifiers();
  await stage.reset();
});
afterAll(async () => {
  tls.setDefaultCACertificates(trusted);
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const urlOf = (path: string): string => `https://localhost:${(server.address() as AddressInfo).port}${path}`;
const boxes = { ofSigningKeys: secretBox, keepsSecret: false };

const box = new SecretBox(SECRET_KEY, CLIENT_CERTIFICATE_PURPOSE);
const settings = { baseUrl: BASE_URL, language: 'en' };
const bodyOf = ({ cert, key }: Certificate) => ({ name: 'Bank', certificate: cert, private_key: key });

/** Gives an endpoint a certificate. @returns the id of the certificate */
async function useCertificate(endpointId: number, pair: Certificate): Promise<number> {
  const ofSecret = new SecretBox(SECRET_KEY, AUTHENTICATION_PURPOSE);
  return stage.database.transaction(async (transaction) => {
    const id = await createClientCertificate(transaction, bodyOf(pair), box);
    await replaceAuthentication(transaction, endpointId, { certificate_id: id }, { ...boxes, ofSecret });
    return id;
  });
}

const rotate = (id: number, pair: Certificate): Promise<void> =>
  stage.database.transaction((transaction) =>
    replaceClientCertificate(transaction, { id, body: bodyOf(pair), settings }, box),
  );

async function subscribeTo(path: string): Promise<number> {
  const { subscription } = await subscribe(stage.database, { url: urlOf(path) });
  return subscription.endpoint_id;
}

let lastSubject = 0;
async function send(count: number): Promise<void> {
  for (let n = 0; n < count; n++) await recordEvent(stage.database, { subjectId: (lastSubject += 1) });
  await stage.wake();
}
const whenAllAre = (status: string, count: number): Promise<void> =>
  eventually(async () =>
    expect((await readDeliveries(stage.database)).map((delivery) => delivery.status)).toEqual(
      Array.from({ length: count }, () => status),
    ),
  );
const logged = (): Promise<{ error: string | null; text: string }[]> =>
  stage.database.query('SELECT error, a::text AS text FROM notification_attempts a ORDER BY id');

describe('an endpoint with a client certificate', () => {
  it('gets its messages over connections with the certificate, and uses a new certificate at once', async () => {
    const endpoint = await subscribeTo('/hook');
    const first = clients.issue({ host: 'first' });
    const id = await useCertificate(endpoint, first);
    await stage.start();
    await send(3);
    await whenAllAre('delivered', 3);
    expect(seen).toEqual(['/hook first', '/hook first', '/hook first']);
    await rotate(id, clients.issue({ host: 'second' }));
    await send(1);
    await whenAllAre('delivered', 4);
    expect(seen.at(-1)).toBe('/hook second');
    const line = first.key.split('\n')[3] ?? '';
    for (const { text } of await logged()) expect(text).not.toContain(line);
  });

  it('shares no connection with an endpoint at the same origin that has no certificate or another one', async () => {
    await subscribeTo('/without');
    await useCertificate(await subscribeTo('/first'), clients.issue({ host: 'first' }));
    await useCertificate(await subscribeTo('/second'), clients.issue({ host: 'second' }));
    await stage.start({ DELIVERY_SCHEDULE: [] });
    await send(2);
    await eventually(async () =>
      expect((await readDeliveries(stage.database)).map(({ status }) => status).sort()).toEqual([
        ...Array.from({ length: 4 }, () => 'delivered'),
        ...Array.from({ length: 2 }, () => 'exhausted'),
      ]),
    );
    expect([...seen].sort()).toEqual(['/first first', '/first first', '/second second', '/second second']);
  });

  it('fails when the destination does not accept the certificate', async () => {
    await useCertificate(await subscribeTo('/hook'), authority.issue({ host: 'stranger' }));
    await stage.start({ DELIVERY_SCHEDULE: [] });
    await send(1);
    await whenAllAre('exhausted', 1);
    const [attempt] = await logged();
    // A server may close the connection before the client has read the alert.
    expect(['tls', 'connection_lost']).toContain(attempt?.error);
    expect(seen).toEqual([]);
  });
});
