import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TlsOptions } from 'node:tls';
import { NameServer } from '@ats/destination-guard/testing';
import { Authority, selfSigned } from '@ats/domain/testing';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { faultTest } from './support/fault-test.js';
import { options } from './support/options.js';
import { RawDestination, toReception } from './support/raw-destination.js';

const HOST = 'receiver.example.com';
const trusted = new Authority('Trusted authority');
const unknown = new Authority('Unknown authority');
const valid = trusted.issue({ host: HOST });

/** Returns options that allow only one TLS version. OpenSSL allows the old versions only at security level 0. */
const only = (version: 'TLSv1' | 'TLSv1.1' | 'TLSv1.2' | 'TLSv1.3'): TlsOptions => ({
  ...valid,
  minVersion: version,
  maxVersion: version,
  ciphers: 'DEFAULT@SECLEVEL=0',
});

const REFUSED: Readonly<Record<string, TlsOptions>> = {
  expired: trusted.issue({ host: HOST, from: -2, until: -1 }),
  'not valid yet': trusted.issue({ host: HOST, from: 1, until: 2 }),
  'self-signed': selfSigned({ host: HOST }),
  'for another host': trusted.issue({ host: 'other.example.com' }),
  'for the parent domain': trusted.issue({ host: 'example.com' }),
  'of an unknown authority': unknown.issue({ host: HOST }),
  'TLS 1.0': only('TLSv1'),
  'TLS 1.1': only('TLSv1.1'),
};
const ACCEPTED: Readonly<Record<string, TlsOptions>> = {
  'of a trusted authority': valid,
  'for any host of the domain': trusted.issue({ host: '*.example.com' }),
  'TLS 1.2': only('TLSv1.2'),
  'TLS 1.3': only('TLSv1.3'),
};

/** The settings of production, except for one allowed network and the name server of the test. */
const settings: Record<string, string> = {
  ALLOW_HTTP_DESTINATIONS: 'false',
  ALLOW_PRIVATE_DESTINATIONS: 'false',
  NOTIFIER_ALLOW_CIDRS: '127.0.0.1/32',
  NODE_EXTRA_CA_CERTS: join(options.dir, 'authorities.pem'),
  // Turns off Node's default verification of TLS certificates. The notifier must request the verification explicitly.
  NODE_TLS_REJECT_UNAUTHORIZED: '0',
  DELIVERY_SCHEDULE: '1',
};
let nameServer: NameServer;

beforeAll(async () => {
  nameServer = await NameServer.start();
  nameServer.know = (_, type) => (type === 'A' ? ['127.0.0.1'] : []);
  settings['NOTIFIER_DNS_SERVERS'] = nameServer.address;
  writeFileSync(join(options.dir, 'authorities.pem'), trusted.cert);
});
afterAll(() => nameServer.stop());

faultTest(
  { number: 20, fault: 'destinations with invalid certificates and TLS versions', isFast: true, stage: { settings } },
  async (stage, report) => {
    const destinations: RawDestination[] = [];
    const expected = new Map<number, { readonly name: string; readonly attempts: readonly (string | null)[] }>();
    const subscribeTo = async (
      name: string,
      tls: TlsOptions,
      attempts: readonly (string | null)[],
    ): Promise<RawDestination> => {
      const destination = await RawDestination.start(
        (socket, message) => {
          stage.destinations.receptions.push(toReception(message, 204));
          socket.write('HTTP/1.1 204 No Content\r\n\r\n');
        },
        { tls },
      );
      destinations.push(destination);
      const { id } = await stage.subscribe({ url: `https://${HOST}:${destination.port}/hook` });
      expected.set(id, { name, attempts });
      return destination;
    };
    try {
      const refusing: RawDestination[] = [];
      for (const [name, tls] of Object.entries(REFUSED)) refusing.push(await subscribeTo(name, tls, ['tls', 'tls']));
      for (const [name, tls] of Object.entries(ACCEPTED)) await subscribeTo(name, tls, [null]);
      await stage.raise(1);
      await stage.settled();
      report.faults += refusing.length;

      const { rows } = await stage.database.query<{ subscription_id: string; error: string | null }>(
        `SELECT d.subscription_id, a.error FROM notification_attempts a
         JOIN notification_deliveries d ON d.id = a.delivery_id AND d.occurred_dt = a.occurred_dt`,
      );
      const seen = [...expected].map(([id, { name }]) => ({
        name,
        attempts: rows.filter((row) => Number(row.subscription_id) === id).map(({ error }) => error),
      }));
      expect(seen).toEqual([...expected.values()]);
      // The notifier connected to these destinations, but must not have sent any part of a message.
      expect(refusing.map(({ connections, messages }) => [connections > 0, messages])).toEqual(
        refusing.map(() => [true, 0]),
      );
      report.check(await stage.verdict());
    } finally {
      await Promise.all(destinations.map((destination) => destination.stop()));
    }
  },
);
