import { expect } from '@jest/globals';
import { waitUntil } from '../support/wait-until.js';
import { answerAfter } from './support/answers.js';
import { ApiPoller, isAnyDirect, queueMaster, waitForBull, waitForRateLimits } from './support/failover.js';
import { faultTest, sized } from './support/fault-test.js';
import { mastersOf, moveQueue } from './support/resharding.js';

const stageOptions = {
  notifiers: 2,
  origins: 2,
  settings: { RATE_LIMIT: '1000' },
  servers: { redisKind: 'cluster' },
} as const;

faultTest(
  {
    number: 37,
    fault: 'Redis Cluster: slots moved, masters flushed, a master and its replica killed',
    stage: stageOptions,
  },
  async (stage, report) => {
    const events = sized(400, 40);
    await stage.subscribeTimes(10);
    stage.destinations.answerWith(answerAfter(20));
    const poller = new ApiPoller(stage);
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

    const gone = [await queueMaster(stage)];
    await underLoad(async () => {
      const [master] = gone;
      if (!master) return;
      gone.push(...(await redisServers.replicasOf(master)));
      await Promise.all(gone.map((node) => node.end('SIGKILL')));
    });
    await waitUntil('a notifier sends without Redis', 180_000, () => isAnyDirect(stage));
    const [first] = stage.notifiers;
    expect(await first?.end('SIGTERM')).toBe(0);
    await first?.start('live'); // Starts while the cluster is incomplete.
    await stage.settled(); // Messages must be delivered although some hash slots have no node.
    for (const node of gone) await node.start();
    await waitForBull(stage);
    await underLoad(() => Promise.resolve());
    await stage.settled();
    await poller.stop(report); // Stops the load first, because `waitForRateLimits` uses up the rate limit.
    await waitForRateLimits(stage);
    report.check(await stage.verdict());
  },
);
