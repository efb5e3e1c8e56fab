// @group sample: npm test runs a quarter of its tests
import { afterAll, afterEach, beforeAll, expect, it, jest } from '@jest/globals';
import { replaceDeliveryModes } from '@ats/domain';
import { Authority } from '@ats/domain/testing';
import { createServer } from 'node:https';
import { type AddressInfo, connect, createServer as createPlainServer, type Socket } from 'node:net';
import tls from 'node:tls';
import { eventually } from '../../test/eventually.js';
import { readDeliveries, recordEvent, secretBox, subscribe } from '../../test/fixtures.js';
import { useStage } from '../../test/running-notifier.js';

const stage = useStage();
const authority = new Authority('Authority of the tests');
let requests = 0;
const server = createServer(authority.issue({ host: 'localhost' }), (request, response) => {
  requests++;
  request.resume();
  response.writeHead(204).end();
});

/** The first connection, which waits for the server until `release` is called. */
let first: { readonly client: Socket; readonly release: () => void } | undefined;
/**
 * Relays connections to the server. It holds back the first connection, so that the TLS handshake of this connection
 * does not end.
 */
const relay = createPlainServer((client) => {
  const open = (): void => {
    const upstream = connect((server.address() as AddressInfo).port, '127.0.0.1');
    for (const socket of [client, upstream]) socket.on('error', () => undefined);
    client.pipe(upstream).pipe(client);
  };
  if (first) open();
  else first = { client, release: open };
});
const trusted = tls.getCACertificates('default');

beforeAll(async () => {
  tls.setDefaultCACertificates([...trusted, authority.cert]);
  for (const one of [server, relay]) await new Promise<void>((resolve) => one.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  jest.restoreAllMocks();
  await stage.stopNotifiers();
  await stage.reset();
});
afterAll(async () => {
  tls.setDefaultCACertificates(trusted);
  first?.client.destroy();
  server.closeAllConnections();
  for (const one of [server, relay]) await new Promise((resolve) => one.close(resolve));
});

const statuses = async (): Promise<readonly string[]> =>
  (await readDeliveries(stage.database)).map((one) => one.status);

it('a notifier that was frozen for longer than its lease sends no message that it had claimed', async () => {
  const { database } = stage;
  const url = `https://localhost:${(relay.address() as AddressInfo).port}/`;
  const { subscription } = await subscribe(database, { url });
  const throttle = { limit: 1, per_s: 3_600 };
  await database.transaction((transaction) =>
    replaceDeliveryModes(
      transaction,
      subscription.endpoint_id,
      { ordering: 'subject', throttle, batch: null },
      secretBox,
    ),
  );
  await stage.start();
  await recordEvent(database);
  await stage.wake();
  await eventually(() => expect([first !== undefined, requests]).toEqual([true, 0]));
  // Moves the clocks past the end of the lease and of the throttle's hour, as if the process had been frozen that long.
  const now = performance.now.bind(performance);
  jest.spyOn(performance, 'now').mockImplementation(() => now() + 60_000);
  await database.query(`UPDATE notification_deliveries SET lease_until_dt = now() - interval '1 second'`);
  await eventually(async () => expect(await statuses()).toEqual(['due']));
  await eventually(async () => {
    await database.query(`UPDATE notification_throttle_uses SET ended_dt = ended_dt - interval '2 hours'`);
    expect(requests).toBe(1);
  });
  await eventually(async () => expect(await statuses()).toEqual(['delivered']));
  // The connection of the frozen attempt becomes ready now.
  first?.release();
  await eventually(() => expect(first?.client.destroyed === true || requests > 1).toBe(true));
  expect(requests).toBe(1);
});
