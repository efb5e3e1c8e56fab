import { NameServer } from '@ats/destination-guard/testing';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { waitUntil } from '../support/wait-until.js';
import { faultTest, sized } from './support/fault-test.js';
import { type Stage } from './support/stage.js';

/** The schedule has only one retry, so a delivery would be exhausted if resolver errors counted as failures. */
const settings: Record<string, string> = {
  ALLOW_PRIVATE_DESTINATIONS: 'false',
  NOTIFIER_ALLOW_CIDRS: '127.0.0.1/32',
  DELIVERY_SCHEDULE: '1',
};
let nameServer: NameServer;

beforeAll(async () => {
  nameServer = await NameServer.start();
  settings['NOTIFIER_DNS_SERVERS'] = nameServer.address;
});
afterAll(() => nameServer.stop());

const restoreAnswers = (): void => {
  nameServer.know = (_, type) => (type === 'A' ? ['127.0.0.1'] : []);
  nameServer.knowsRoot = true;
  nameServer.delayMs = 0;
};

/** Functions that break the name server in different ways. Each returns a function that repairs the server. */
const FAULTS: readonly (() => Promise<() => Promise<void>>)[] = [
  async () => {
    const { port } = nameServer;
    await nameServer.stop();
    return async () => {
      nameServer = await NameServer.start(port);
      restoreAnswers();
    };
  },
  () => {
    nameServer.know = () => 'silence';
    nameServer.knowsRoot = false;
    return Promise.resolve(() => Promise.resolve(restoreAnswers()));
  },
  () => {
    nameServer.delayMs = 5_000;
    return Promise.resolve(() => Promise.resolve(restoreAnswers()));
  },
];

const countErrors = (stage: Stage): Promise<number> =>
  stage.count(
    `SELECT count(*) FROM notification_attempts WHERE state = 'interrupted' AND error = 'resolver_unavailable'`,
  );

faultTest(
  { number: 22, fault: 'DNS resolver stopped, silent or slow', isFast: true, stage: { settings } },
  async (stage, report) => {
    restoreAnswers();
    const port = new URL(stage.destinations.url()).port;
    await stage.subscribe({ url: `http://receiver.example.com:${port}/hook` });
    const [messages, attempts] = [sized(8, 3), sized(2, 1)];
    for (const fail of FAULTS.slice(0, sized(FAULTS.length, 1))) {
      const before = await countErrors(stage);
      const repair = await fail();
      await stage.raise(messages);
      await waitUntil(
        `each message had ${attempts} attempts`,
        300_000,
        async () => (await countErrors(stage)) - before >= attempts * messages,
      );
      expect(
        await stage.count(`SELECT count(*) FROM notification_deliveries WHERE failures > 0 OR status = 'exhausted'`),
      ).toBe(0);
      expect(await stage.count('SELECT max(consecutive_failures) FROM notification_subscriptions')).toBe(0);
      await repair();
      await stage.settled();
      report.faults += 1;
    }
    report.check(await stage.verdict());
  },
);

faultTest(
  { number: 22, fault: 'one domain does not resolve while the resolver works', stage: { settings } },
  async (stage, report) => {
    restoreAnswers();
    const port = new URL(stage.destinations.url()).port;
    const dead = await stage.subscribe({ url: `http://receiver.example.com:${port}/hook` });
    const failing = await stage.subscribe({ url: `http://failing.example.com:${port}/hook` });
    await stage.subscribe({ url: `http://healthy.example.com:${port}/hook` });
    nameServer.know = (name, type) => {
      if (name === 'receiver.example.com') return 'silence';
      if (name === 'failing.example.com') return 'failure';
      return type === 'A' ? ['127.0.0.1'] : [];
    };
    await stage.raise(1);
    await stage.settled();
    report.faults += 2;
    const { rows } = await stage.database.query<{
      subscription_id: string;
      status: string;
      last_error: string;
      failures: number;
    }>(
      `SELECT subscription_id, status, last_error, failures FROM notification_deliveries
       WHERE last_error IS NOT NULL ORDER BY subscription_id`,
    );
    expect(rows).toEqual(
      [dead, failing].map(({ id }) => ({
        subscription_id: String(id),
        status: 'exhausted',
        last_error: 'name_not_found',
        failures: 2,
      })),
    );
    report.check(await stage.verdict());
  },
);
