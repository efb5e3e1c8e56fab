import { setTimeout as sleep } from 'node:timers/promises';
import { answerAfter } from './support/answers.js';
import { faultTest, sized } from './support/fault-test.js';

faultTest(
  { number: 10, fault: 'Redis full (maxmemory reached)', stage: { notifiers: 2, origins: 2 } },
  async (stage, report) => {
    await stage.subscribeTimes(10);
    stage.destinations.answerWith(answerAfter(20));
    for (const times = sized(3, 1); report.faults < times; report.faults += 1) {
      await stage.raise(100);
      await sleep(300);
      await stage.redis.config('SET', 'maxmemory', '1');
      await stage.raise(100);
      // In the last round, waits until all messages are delivered while Redis is full.
      await (report.faults + 1 < times ? sleep(3_000) : stage.settled());
      await stage.redis.config('SET', 'maxmemory', '0');
      await stage.raise(50);
    }
    await stage.settled();
    report.check(await stage.verdict());
  },
);
