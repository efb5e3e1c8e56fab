import { setTimeout as sleep } from 'node:timers/promises';
import { randomBetween } from './support/repeat.js';
import { answerAfter } from './support/answers.js';
import { faultTest, sized } from './support/fault-test.js';

const READONLY_MS = 5_000;

faultTest(
  { number: 9, fault: 'Redis read-only for 5 s, as in a failover', stage: { notifiers: 2, origins: 2 } },
  async (stage, report) => {
    await stage.subscribeTimes(10);
    // Delays some answers of destinations by more than the read-only period of Redis. So jobs begin in this period, end
    // in it, or run through it.
    stage.destinations.answerWith(answerAfter(() => (Math.random() < 0.1 ? randomBetween(5_000, 9_000) : 20)));
    for (const failovers = sized(3, 1); report.faults < failovers; report.faults += 1) {
      await stage.raise(sized(100, 30));
      await sleep(500);
      await stage.redis.replicaof('127.0.0.1', 1);
      await stage.raise(sized(100, 30));
      await sleep(READONLY_MS);
      await stage.redis.replicaof('NO', 'ONE');
      await stage.raise(sized(100, 30));
    }
    await stage.settled();
    report.note('attempts end within 12 s and Bull renews locks after 15 s, so no renewal falls into the period');
    report.check(await stage.verdict());
  },
);
