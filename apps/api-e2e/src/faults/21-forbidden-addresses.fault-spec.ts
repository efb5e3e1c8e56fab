import { networkInterfaces } from 'node:os';
import {
  EMBEDDED_ADDRESSES,
  FORBIDDEN_ANSWERS,
  FORBIDDEN_RANGES,
  LOOPBACK_URLS,
  METADATA_ADDRESSES,
  NameServer,
  REFUSED_URLS,
} from '@ats/destination-guard/testing';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { freePort } from '@ats/domain/testing';
import { type SubscriptionItem } from '../support/api-client.js';
import { waitUntil } from '../support/wait-until.js';
import { inBatches } from './support/repeat.js';
import { faultTest, sized } from './support/fault-test.js';
import { RawDestination, toReception } from './support/raw-destination.js';
import { type Stage } from './support/stage.js';

/** The only IP address that the notifier may connect to. It must not connect to other loopback addresses. */
const ALLOWED = '127.0.0.2';
/**
 * The settings of production, except for one allowed address. A blocked message gets only one attempt during the test.
 */
const settings: Record<string, string> = {
  ALLOW_HTTP_DESTINATIONS: 'false',
  ALLOW_PRIVATE_DESTINATIONS: 'false',
  NOTIFIER_ALLOW_CIDRS: `${ALLOWED}/32`,
  DELIVERY_SCHEDULE: '3600',
};
const settingsWithHttp: Record<string, string> = { ...settings, ALLOW_HTTP_DESTINATIONS: 'true' };
let nameServer: NameServer;

beforeAll(async () => {
  nameServer = await NameServer.start();
  for (const each of [settings, settingsWithHttp]) each['NOTIFIER_DNS_SERVERS'] = nameServer.address;
});
afterAll(() => nameServer.stop());

/** A trap: listens on all IP addresses of this machine except `ALLOWED`, and counts the connections. */
class Trap {
  private constructor(
    private readonly destinations: readonly RawDestination[],
    readonly port: number,
  ) {}

  static async start(port: number): Promise<Trap> {
    const addresses = Object.values(networkInterfaces()).flatMap((entries) =>
      (entries ?? []).filter(({ scopeid = 0 }) => scopeid === 0).map(({ address }) => address),
    );
    const destinations = await Promise.all(
      addresses.map((address) => RawDestination.start(() => undefined, { address, port })),
    );
    return new Trap(destinations, port);
  }

  get connections(): number {
    return this.destinations.reduce((sum, { connections }) => sum + connections, 0);
  }

  async stop(): Promise<void> {
    await Promise.all(this.destinations.map((destination) => destination.stop()));
  }
}

/** Maps host names to DNS answers. The notifier must not connect to any IP address in these answers. */
function forbiddenNames(): ReadonlyMap<string, readonly string[]> {
  const addresses = [
    ...FORBIDDEN_RANGES.flatMap(({ first, last }) => [first, last]),
    ...EMBEDDED_ADDRESSES.map(([, address]) => address),
    ...METADATA_ADDRESSES,
    ...Object.values(networkInterfaces()).flatMap((entries) => (entries ?? []).map(({ address }) => address)),
  ];
  const answers = [...new Set(addresses)]
    .map((address) => [address])
    .concat(
      FORBIDDEN_ANSWERS.map(([, answer]) => [...answer]),
      [[ALLOWED, '127.0.0.1']],
    );
  return new Map(answers.map((answer, index) => [`name${index}.example.com`, answer]));
}

/**
 * URLs that the notifier must refuse. When the host is an IP address or a local name, the URL has the port of the trap.
 */
const forbiddenUrls = (port: number): readonly string[] => [
  ...LOOPBACK_URLS.map((url) => withPort(url, port)),
  ...REFUSED_URLS.flatMap(([url, code]) =>
    url.includes('\0') ? [] : [code === 'address' || code === 'host_name' ? withPort(url, port) : url],
  ),
];

const withPort = (url: string, port: number): string => url.replace(/^(https:\/\/[^/]*?)(:\d+)?\//, `$1:${port}/`);

/** Sends `messages` messages to each subscription. Resolves when each message has had an attempt. */
async function sendToAll(stage: Stage, subscriptions: readonly SubscriptionItem[], messages = 1): Promise<void> {
  for (const { id } of await stage.raise(messages))
    for (const subscription of subscriptions) stage.ledger.expect(id, subscription.id);
  const expected = messages * subscriptions.length;
  await waitUntil(
    'each message had an attempt',
    300_000,
    async () => (await stage.count('SELECT count(DISTINCT delivery_id) FROM notification_attempts')) >= expected,
  );
}

/** Expects that every attempt has the error `blocked`, and neither a status nor an IP address. */
async function expectAllBlocked(stage: Stage, count: number): Promise<void> {
  const { rows } = await stage.database.query<object>(
    'SELECT error, status_code, remote_address, count(*) FROM notification_attempts GROUP BY 1, 2, 3',
  );
  expect(rows).toEqual([{ error: 'blocked', status_code: null, remote_address: null, count: String(count) }]);
}

/** Disables the subscriptions, so that their blocked messages are not sent again an hour later. */
const endAll = (stage: Stage, subscriptions: readonly SubscriptionItem[]): Promise<unknown> =>
  inBatches(subscriptions, ({ url }) => stage.client.post(`${url}/disable`, {}));

faultTest(
  { number: 21, fault: 'subscriptions to forbidden destinations', isFast: true, stage: { settings } },
  async (stage, report) => {
    const trap = await Trap.start(await freePort());
    try {
      const { id } = await stage.client.post('/notification_topics', {
        type: 'STATE_CHANGE_APPLICATION',
        name: 'Forbidden',
      });
      const path = `/notification_topics/${id}/subscriptions`;
      const subscribe = (url: string): Promise<SubscriptionItem> =>
        stage.client.post<SubscriptionItem>(path, { destination_url: url });
      const names = forbiddenNames();
      const urls = forbiddenUrls(trap.port);

      nameServer.know = () => null;
      const subscriptions = await inBatches([...names.keys(), 'alias.example.com'], (name) =>
        subscribe(`https://${name}:${trap.port}/`),
      );
      nameServer.know = (name) =>
        name === 'alias.example.com'
          ? { aliasOf: 'inside.example' }
          : name === 'inside.example'
            ? ['127.0.0.1']
            : (names.get(name) ?? null);
      for (const url of [...urls, ...[...names.keys()].map((name) => `https://${name}/`)]) {
        const answer = await stage.client.request('POST', path, { destination_url: url });
        expect([url, answer.status]).toEqual([url, 422]);
      }
      // Inserts the URLs without the API, as if an older release with fewer checks had stored them.
      for (const url of urls) {
        const subscription = await subscribe('https://nowhere.example.com/');
        await stage.database.query('UPDATE notification_subscriptions SET destination_url = $2 WHERE id = $1', [
          subscription.id,
          url,
        ]);
        subscriptions.push(subscription);
      }

      await sendToAll(stage, subscriptions);
      report.faults += subscriptions.length;
      await expectAllBlocked(stage, subscriptions.length);
      expect(trap.connections).toBe(0);
      report.note(`${subscriptions.length} forbidden destinations, ${urls.length} of them URLs: 0 connections`);
      await endAll(stage, subscriptions);
      report.check(await stage.verdict());
    } finally {
      await trap.stop();
    }
  },
);

faultTest(
  {
    number: 21,
    fault: 'DNS answers alternate between allowed and forbidden',
    isFast: true,
    stage: { settings: settingsWithHttp },
  },
  async (stage, report) => {
    const trap = await Trap.start(await freePort());
    const allowed = await RawDestination.start(
      (socket, message) => {
        stage.destinations.receptions.push(toReception(message, 204));
        socket.write('HTTP/1.1 204 No Content\r\n\r\n');
      },
      { address: ALLOWED, port: trap.port },
    );
    try {
      nameServer.know = () => null;
      const subscription = await stage.subscribe({ url: `http://rebinding.example.com:${trap.port}/` });
      nameServer.asked.length = 0;
      nameServer.repeats = 0;
      let queries = 0;
      nameServer.know = (_, type) => (type === 'AAAA' ? [] : [queries++ % 2 === 0 ? ALLOWED : '127.0.0.1']);
      const messages = sized(200, 20);
      await sendToAll(stage, [subscription], messages);
      report.faults += queries;

      const { rows } = await stage.database.query<{ error: string | null; count: string }>(
        'SELECT error, count(*) FROM notification_attempts GROUP BY error ORDER BY error',
      );
      // The name server alternates between two answers, one of which is blocked. The number of blocked attempts can
      // differ from half of all attempts, because a busy machine repeats some queries.
      const { repeats } = nameServer;
      const blocked = Number(rows[0]?.count);
      expect(rows).toEqual([
        { error: 'blocked', count: String(blocked) },
        { error: null, count: String(messages - blocked) },
      ]);
      expect(Math.abs(blocked - messages / 2)).toBeLessThanOrEqual(repeats);
      // Each attempt sends one query for A records and one for AAAA records.
      expect(nameServer.asked.length).toBeGreaterThanOrEqual(2 * messages);
      expect(nameServer.asked.length).toBeLessThanOrEqual(2 * messages + repeats);
      expect([allowed.messages, trap.connections]).toEqual([messages - blocked, 0]);
      await endAll(stage, [subscription]);
      report.check(await stage.verdict());
    } finally {
      await Promise.all([trap.stop(), allowed.stop()]);
    }
  },
);
