import { expect } from '@jest/globals';
import { waitUntil } from '../support/wait-until.js';
import { after } from './support/answers.js';
import { anyDirect, Asking, busyMaster, limitsCount, throughBull } from './support/failover.js';
import { faultTest, sized } from './support/fault-test.js';
import { mastersOf, moveQueue } from './support/resharding.js';

const stageOptions = {
  notifiers: 2,
  origins: 2,
  settings: { RATE_LIMIT: '1000' },
  servers: { redisKind: 'cluster' },
} as const;

faultTest(
  { number: 37, fault: 'Redis Cluster: slots moved, all flushed, a master and its replica gone', stage: stageOptions },
  async (stage, report) => {
    const events = sized(400, 40);
    await stage.subscribeTimes(10);
    stage.destinations.answerWith(after(20));
    const asking = new Asking(stage);
    const { redisServers } = stage.servers;
    const { receptions } = stage.destinations;
    const underLoad = async (change: () => Promise<void>): Promise<void> => {
      const before = receptions.length;
      await stage.raise(events);
      await waitUntil('messages flow', 600_000, () => receptions.length > before + events);
      await change();
      report.faults += 1;
      await stage.raise(events);
    };

    for (let moves = sized(6, 2); moves > 0; moves -= 1) await underLoad(() => moveQueue(stage));
    for (let flushes = sized(6, 2); flushes > 0; flushes -= 1) {
      await underLoad(async () => {
        for (const master of await mastersOf(redisServers)) await redisServers.ask(master, (redis) => redis.flushall());
      });
    }

    const gone = [await busyMaster(stage)];
    await underLoad(async () => {
      const [master] = gone;
      if (!master) return;
      gone.push(...(await redisServers.replicasOf(master)));
      await Promise.all(gone.map((node) => node.end('SIGKILL')));
    });
    await waitUntil('a notifier sends without Redis', 60_000, () => anyDirect(stage));
    const [first] = stage.notifiers;
    expect(await first?.end('SIGTERM')).toBe(0);
    await first?.start('live'); // it finds a cluster that is none yet
    await stage.settled(); // a third of the slots is nowhere, and nothing waits for it
    for (const node of gone) await node.start();
    await throughBull(stage);
    await underLoad(() => Promise.resolve());
    await stage.settled();
    await limitsCount(stage);
    await asking.stop(report);
    report.check(await stage.verdict());
  },
);
