import { expect } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { waitUntil } from '../../support/wait-until.js';
import { answerAfter } from './answers.js';
import { type Report, sized } from './fault-test.js';
import { type Server } from './server.js';
import { type Stage } from './stage.js';

/** A Redis key of the queue of first attempts. All keys of this queue are in the same hash slot. */
export const QUEUE_KEY = '{ntf-hot}:hot:wait';
const FAILOVER_MS = 180_000;
const POLL_MS = 50;
/** Maximum duration of an exit in ms. It is less than the hard deadline of the apps, and enough on a busy machine. */
const EXIT_MS = 25_000;

/**
 * Kills and freezes the Redis master of the queue in turn, under load. A frozen master is resumed after a replica was
 * promoted. No message may be lost or sent twice, and the API must answer every request. Rate limits must work before
 * the first failover and after the last one.
 */
export async function loseMasters(stage: Stage, report: Report): Promise<void> {
  const events = sized(600, 40);
  await stage.subscribeTimes(sized(10, 5));
  await waitForRateLimits(stage);
  stage.destinations.answerWith(answerAfter(20));
  const poller = new ApiPoller(stage);
  for (const losses = sized(4, 1); report.faults < losses; report.faults += 1) {
    const isFrozen = report.faults % 2 === 1;
    const { receptions } = stage.destinations;
    const before = receptions.length;
    await stage.raise(events);
    await waitUntil('messages flow', 600_000, () => receptions.length > before + events);
    const master = await queueMaster(stage);
    if (isFrozen) master.pause();
    else await master.end('SIGKILL');
    await stage.raise(events);
    const { promotedMs, bullMs } = await waitForFailover(stage, master);
    report.note(
      `master ${isFrozen ? 'frozen' : 'killed'}: replica promoted after ${seconds(promotedMs)}, ` +
        `notifiers use Bull again after ${seconds(bullMs)}`,
    );
    await stage.raise(events);
    if (isFrozen) master.resume();
    else await master.start(); // The node starts as a replica of the new master.
    await stage.settled();
    if (report.faults + 1 < losses) await stage.servers.redisServers.inSync();
  }
  await poller.stop(report); // Stops the load first, because `waitForRateLimits` uses up the rate limit.
  await waitForRateLimits(stage);
  report.check(await stage.verdict());
}

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

/** Returns the node that is the master of the queue now. @throws {Error} when the queue gets no master */
export async function queueMaster(stage: Stage): Promise<Server> {
  let master: Server | null = null;
  await waitUntil('the queue has a master', FAILOVER_MS, async () => {
    master = await stage.servers.redisServers.masterOf(QUEUE_KEY);
    return master !== null;
  });
  return master as unknown as Server;
}

/**
 * Resolves when a replica has replaced the lost master and all notifiers wait for jobs at the new master.
 * @returns milliseconds until a replica was promoted, and until the notifiers used Bull again
 */
export async function waitForFailover(
  stage: Stage,
  lost: Server,
): Promise<{ readonly promotedMs: number; readonly bullMs: number }> {
  const { redisServers } = stage.servers;
  const startedAt = performance.now();
  await waitUntil('a replica is promoted', FAILOVER_MS, async () => {
    const master = await redisServers.masterOf(QUEUE_KEY);
    return master !== null && master !== lost;
  });
  const promotedMs = performance.now() - startedAt;
  await waitForBull(stage);
  return { promotedMs, bullMs: performance.now() - startedAt };
}

/** Resolves when all notifiers wait for jobs at the master of the queue and none is in direct mode. */
export async function waitForBull(stage: Stage): Promise<void> {
  await waitUntil('the notifiers use Bull', FAILOVER_MS, async () => {
    const master = await stage.servers.redisServers.masterOf(QUEUE_KEY);
    return (
      master !== null && (await countWaiting(stage, master)) >= stage.notifiers.length && !(await isAnyDirect(stage))
    );
  });
}

/** Returns the number of connections to a node that wait for jobs. */
async function countWaiting({ servers: { redisServers } }: Stage, node: Server): Promise<number> {
  const clients = await redisServers.ask(node, (redis) => redis.info('clients')).catch(() => '');
  return Number(/blocked_clients:(\d+)/.exec(clients)?.[1] ?? 0);
}

/** True when a notifier is in direct mode: it sends without Redis. */
export async function isAnyDirect({ notifiers }: Stage): Promise<boolean> {
  const texts = await Promise.all(notifiers.map(async ({ url }) => (await fetch(`${url}/metrics`)).text()));
  return texts.some((text) => /^ats_notifier_direct_mode 1$/m.test(text));
}

/** Sends requests to the API one after the other, and records statuses and the slowest answer. */
export class ApiPoller {
  readonly statuses = new Map<number, number>();
  slowestMs = 0;
  #isStopped = false;
  readonly #running: Promise<void>;

  constructor(private readonly stage: Stage) {
    this.#running = this.#run();
  }

  /** Stops the requests, and expects that every answer was 200. */
  async stop(report: Report): Promise<void> {
    this.#isStopped = true;
    await this.#running;
    report.note(`${this.statuses.get(200) ?? 0} API requests during the test, slowest ${this.slowestMs.toFixed(0)} ms`);
    expect([...this.statuses.keys()]).toEqual([200]);
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) {
      const startedAt = performance.now();
      const response = await this.stage.client.request('GET', '/me');
      await response.arrayBuffer();
      this.slowestMs = Math.max(this.slowestMs, performance.now() - startedAt);
      this.statuses.set(response.status, (this.statuses.get(response.status) ?? 0) + 1);
      await sleep(POLL_MS);
    }
  }
}

/**
 * Resolves when rate limits are in force. This is so when the second of two answers shows one remaining request less
 * than the first.
 */
export async function waitForRateLimits(stage: Stage): Promise<void> {
  const remaining = async (): Promise<number> => {
    const response = await stage.client.request('GET', '/me');
    await response.arrayBuffer();
    return Number(response.headers.get('ratelimit-remaining') ?? Number.NaN);
  };
  await waitUntil('rate limits count', FAILOVER_MS, async () => (await remaining()) - (await remaining()) === 1);
}

/** Freezes all Redis servers and sends SIGTERM to all apps. Idle apps must exit, and must not wait for Redis. */
export async function endWhileFrozen(stage: Stage, report: Report): Promise<void> {
  const { nodes, sentinels } = stage.servers.redisServers;
  for (const server of [...nodes, ...sentinels]) server.pause();
  report.faults += 1;
  const signalledAt = performance.now();
  const durations = await Promise.all(
    [stage.api, ...stage.notifiers].map(async (app) => {
      expect(await app.end('SIGTERM')).toBe(0);
      return performance.now() - signalledAt;
    }),
  );
  report.note(`apps exited in ${durations.map(seconds).join(', ')} while Redis was frozen`);
  expect(Math.max(...durations)).toBeLessThan(EXIT_MS);
}
