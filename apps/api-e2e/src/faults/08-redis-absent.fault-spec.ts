import { expect } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { faultTest, sized } from './support/fault-test.js';
import { options } from './support/options.js';
import { percentile } from './support/percentile.js';
import { type Stage } from './support/stage.js';
import { expectCommittedChanges, latestIds, makeApplications, move } from './support/state-changes.js';

const APPLICATIONS = 4;

/**
 * Moves applications one after the other, for `ms` milliseconds.
 * @returns the duration of each request in milliseconds
 */
async function writeFor(ms: number, stage: Stage, applicationIds: readonly number[]): Promise<number[]> {
  const times: number[] = [];
  const endsAt = performance.now() + ms;
  await Promise.all(
    applicationIds.map(async (id) => {
      for (let turn = 0; performance.now() < endsAt; turn += 1) {
        const startedAt = performance.now();
        await move(stage, id, turn % 2 === 0 ? 'on_hold' : 'interview');
        times.push(performance.now() - startedAt);
        await sleep(200);
      }
    }),
  );
  return times;
}

faultTest(
  { number: 8, fault: 'Redis unavailable: frozen, then stopped', isFast: true, stage: { notifiers: 2 } },
  async (stage, report) => {
    const { redis } = stage.servers;
    const absentMs = sized(options.absentSeconds, 6) * 1_000;
    const ids = (await makeApplications(stage, APPLICATIONS)).map(({ id }) => id);
    const since = await latestIds(stage);
    const subscription = await stage.subscribe();
    const normal = await writeFor(Math.min(absentMs / 2, 10_000), stage, ids);
    await stage.settled();

    redis.pause();
    report.faults += 1;
    const frozen = await writeFor(absentMs / 2, stage, ids);
    redis.resume();
    await redis.end('SIGKILL');
    report.faults += 1;
    const stopped = await writeFor(absentMs / 2, stage, ids);
    // All messages must be delivered without Redis.
    await stage.settled();
    expect(redis.isRunning).toBe(false);
    await redis.start();
    await writeFor(2_000, stage, ids);

    await stage.settled();
    await expectCommittedChanges(stage, [subscription.id], since);
    report.note(
      `Redis unavailable for ${absentMs / 1_000} s of 600 s; ` +
        `p99 of API answers: ${percentile(normal, 99)} ms before, ` +
        `${percentile(frozen, 99)} ms with a frozen Redis, ${percentile(stopped, 99)} ms without Redis`,
    );
    report.check(await stage.verdict());
  },
);
