import { join } from 'node:path';
import { expect } from '@jest/globals';
import { waitUntil } from '../support/wait-until.js';
import { randomBetween } from './support/repeat.js';
import { faultTest, sized } from './support/fault-test.js';

const SKEW_MS = 300_000;
const CLOCK = join(__dirname, 'support/skewed-clock.mjs');

faultTest(
  { number: 33, fault: 'clocks of workers skewed by 5 minutes', stage: { notifiers: 1, origins: 2 } },
  async (stage, report) => {
    const { destinations } = stage;
    for (const skewMs of [SKEW_MS, -SKEW_MS]) {
      await stage.startNotifier({ nodeArguments: ['--import', CLOCK], settings: { CLOCK_SKEW_MS: String(skewMs) } });
      report.faults += 1;
    }
    await stage.subscribeTimes(10);
    const requested: number[] = [];
    destinations.answerWith(({ attempt, at }, response) => {
      // One answer in ten has a date in `Retry-After`.
      if (attempt === 1 && Math.random() < 0.1) {
        requested.push(at);
        response.writeHead(503, { 'retry-after': new Date(at + 2_000).toUTCString() }).end();
      } else setTimeout(() => response.writeHead(204).end(), randomBetween(0, 50));
    });
    await stage.raise(sized(300, 50));
    await waitUntil(
      'every message had an attempt',
      600_000,
      async () =>
        (await stage.count(`SELECT count(*) FROM notification_deliveries WHERE attempts = 0`)) === 0 &&
        (await stage.count(`SELECT count(*) FROM domain_events WHERE status = 'new'`)) === 0,
    );
    expect(
      await stage.count(
        `SELECT count(*) FROM notification_deliveries
         WHERE next_attempt_dt > clock_timestamp() + interval '60 seconds'`,
      ),
    ).toBe(0);
    await stage.settled();
    // Every worker must have sent messages. No worker may have taken over a lease before its end.
    expect(await stage.count('SELECT count(DISTINCT worker) FROM notification_attempts')).toBe(stage.notifiers.length);
    expect(await stage.count(`SELECT count(*) FROM notification_attempts WHERE state <> 'done'`)).toBe(0);
    report.note(`${requested.length} answers had a date in Retry-After`);
    report.check(await stage.verdict());
  },
);
