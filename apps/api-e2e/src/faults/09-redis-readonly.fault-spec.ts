import { setTimeout as sleep } from 'node:timers/promises';
import { between } from './support/repeat.js';
import { after } from './support/answers.js';
import { faultTest, sized } from './support/fault-test.js';

const READONLY_MS = 5_000;

faultTest(
  { number: 9, fault: 'Redis READONLY for 5 s, as in a failover', stage: { notifiers: 2, origins: 2 } },
  async (stage, report) => {
    await stage.subscribeTimes(10);
    // Some answers outlast the time in which nothing can be written, so that jobs end in it, begin in it, and span it.
    stage.destinations.answerWith(after(() => (Math.random() < 0.1 ? between(5_000, 9_000) : 20)));
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
    report.note('an attempt ends within 12 s and a lock of Bull is renewed after 15 s: no renewal can fall into it');
    report.check(await stage.verdict());
  },
);
