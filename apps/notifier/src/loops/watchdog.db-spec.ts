import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { parseRedisUrl, RedisConnections } from '@ats/redis-connection';
import Bull, { type Queue } from 'bull';
import { CONCURRENCY, laneHandle, type DeliveryJob, LANES, queueOptions } from '../queues/queues.js';
import { eventually } from '../../test/eventually.js';
import { silentLogger } from '../../test/silent-logger.js';
import { useStage } from '../../test/running-notifier.js';
import { Watchdog } from './watchdog.js';

const stage = useStage();
let connections: RedisConnections;
let queues: { readonly hot: Queue<DeliveryJob>; readonly slow: Queue<DeliveryJob> };
let watchdog: Watchdog;
let now: number;
let ended: string[];

beforeEach(async () => {
  await stage.redis.flushdb();
  connections = new RedisConnections(parseRedisUrl(stage.redisUrl));
  queues = {
    hot: new Bull('hot', queueOptions('hot', connections)),
    slow: new Bull('slow', queueOptions('slow', connections)),
  };
  for (const queue of Object.values(queues)) {
    queue.on('error', () => undefined);
    await queue.isReady();
  }
  now = 0;
  ended = [];
  watchdog = new Watchdog({
    logger: silentLogger,
    now: () => now,
    exit: () => ended.push('exit'),
  });
  for (const lane of LANES) watchdog.watch(laneHandle(lane, queues));
  watchdog.onStuck(() => Promise.resolve(void ended.push('stop')));
});
afterEach(async () => {
  endJobs();
  for (const queue of Object.values(queues)) await queue.close(true);
  connections.close();
});

const job: DeliveryJob = { deliveryId: 1, occurred: 0, attempts: 0, requeues: 0 };

const ends = new Set<() => void>();
/** Work of a job that runs until the test calls `endJobs`. */
const work = (): Promise<void> => new Promise((resolve) => ends.add(resolve));
function endJobs(): void {
  for (const end of ends) end();
  ends.clear();
}

/** Advances the clock by `seconds`. The watchdog checks every five seconds of that time. */
async function lookFor(seconds: number): Promise<void> {
  for (let passed = 0; passed < seconds; passed += 5) {
    now += 5_000;
    await watchdog.look();
  }
}

describe('the watchdog', () => {
  it('stops the loops and exits once when Bull takes no job for a minute', async () => {
    await watchdog.look();
    await queues.slow.add(job);
    await lookFor(60);
    expect(ended).toEqual([]);
    await lookFor(60);
    expect(ended).toEqual(['stop', 'exit']);
  });

  it('does not end a process that takes jobs, however many jobs wait', async () => {
    for (let index = 0; index < 20; index++) await queues.slow.add(job);
    void queues.slow.process(1, work);
    for (let index = 0; index < 15; index++) {
      await eventually(async () => expect(await queues.slow.getWaitingCount()).toBe(19 - index));
      await lookFor(30);
      endJobs();
    }
    expect(ended).toEqual([]);
  });

  it('does not end a process whose concurrency slots are all taken', async () => {
    void queues.slow.process(CONCURRENCY.slow, work);
    for (let index = 0; index <= CONCURRENCY.slow; index++) await queues.slow.add(job);
    await eventually(async () => expect(await queues.slow.getWaitingCount()).toBe(1));
    await lookFor(600);
    expect(ended).toEqual([]);
  });

  it('does not end a process without jobs, or without Redis', async () => {
    await lookFor(600);
    await queues.hot.add(job);
    queues.hot.client.disconnect();
    await eventually(() => expect(queues.hot.client.status).not.toBe('ready'));
    await lookFor(600);
    expect(ended).toEqual([]);
    await queues.hot.client.connect(); // Bull can close cleanly only while Redis runs.
  });

  it('ends a process with a round that does not end', async () => {
    let end = (): void => undefined;
    const step = watchdog.follow('matching', () => new Promise<void>((resolve) => (end = resolve)));
    await lookFor(295);
    expect(ended).toEqual([]);
    end();
    await step;
    await lookFor(600);
    expect(ended).toEqual([]);
    void watchdog.follow('matching', () => new Promise<void>(() => undefined));
    await lookFor(300);
    expect(ended).toEqual(['stop', 'exit']);
  });
});
