import { expect } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { waitUntil } from '../../support/wait-until.js';
import { after } from './answers.js';
import { type Report, sized } from './fault-test.js';
import { type Server } from './server.js';
import { type Stage } from './stage.js';

/** Of the queue that all first attempts go through; its keys are in one slot. */
export const QUEUE_KEY = '{ntf-hot}:hot:wait';
const FAILOVER_MS = 60_000;
const ASKED_EVERY_MS = 50;
/** Much less than the 30 s after which a process is killed, and more than a busy machine makes of one second. */
const ENDED_MS = 10_000;

/**
 * Under load and again and again the master of the queue is lost: killed, or frozen, which to the others is the same, until it wakes up
 * as a master whose place is taken. No message is lost or comes twice, the API answers all the time, and limits are counted before and after.
 */
export async function loseMasters(stage: Stage, report: Report): Promise<void> {
  const events = sized(600, 40);
  await stage.subscribeTimes(sized(10, 5));
  await limitsCount(stage);
  stage.destinations.answerWith(after(20));
  const asking = new Asking(stage);
  for (const losses = sized(4, 1); report.faults < losses; report.faults += 1) {
    const isFrozen = report.faults % 2 === 1;
    const { receptions } = stage.destinations;
    const before = receptions.length;
    await stage.raise(events);
    await waitUntil('messages flow', 600_000, () => receptions.length > before + events);
    const master = await busyMaster(stage);
    if (isFrozen) master.pause();
    else await master.end('SIGKILL');
    await stage.raise(events);
    const { promotedMs, backMs } = await failedOver(stage, master);
    report.note(
      `${isFrozen ? 'frozen' : 'killed'}: promoted after ${(promotedMs / 1_000).toFixed(1)} s, through Bull again after ${(backMs / 1_000).toFixed(1)} s`,
    );
    await stage.raise(events);
    if (isFrozen) master.resume();
    else await master.start(); // as a replica of the one that took its place
    await stage.settled();
    if (report.faults + 1 < losses) await stage.servers.redisServers.inSync();
  }
  await limitsCount(stage);
  await asking.stop(report);
  report.check(await stage.verdict());
}

/** The Redis that notifications go through at this moment. @throws {Error} where there is none */
export async function busyMaster(stage: Stage): Promise<Server> {
  const master = await stage.servers.redisServers.masterOf(QUEUE_KEY);
  if (!master) throw new Error('no Redis has the queue');
  return master;
}

/**
 * Resolves when another Redis has taken the place of the one that was lost, and all notifiers wait for jobs there.
 * @returns milliseconds: until there was a new master, and until Bull was back
 */
export async function failedOver(
  stage: Stage,
  lost: Server,
): Promise<{ readonly promotedMs: number; readonly backMs: number }> {
  const { redisServers } = stage.servers;
  const startedAt = performance.now();
  await waitUntil('a replica is promoted', FAILOVER_MS, async () => {
    const master = await redisServers.masterOf(QUEUE_KEY);
    return master !== null && master !== lost;
  });
  const promotedMs = performance.now() - startedAt;
  await throughBull(stage);
  return { promotedMs, backMs: performance.now() - startedAt };
}

/** Resolves when all notifiers wait for jobs at the master of the queue, and none sends without it. */
export async function throughBull(stage: Stage): Promise<void> {
  await waitUntil('notifiers send through Bull', FAILOVER_MS, async () => {
    const master = await stage.servers.redisServers.masterOf(QUEUE_KEY);
    return master !== null && (await waitingAt(stage, master)) >= stage.notifiers.length && !(await anyDirect(stage));
  });
}

/** Connections that wait for jobs there. */
async function waitingAt({ servers: { redisServers } }: Stage, node: Server): Promise<number> {
  const clients = await redisServers.ask(node, (redis) => redis.info('clients')).catch(() => '');
  return Number(/blocked_clients:(\d+)/.exec(clients)?.[1] ?? 0);
}

/** Whether a notifier sends without Redis. */
export async function anyDirect({ notifiers }: Stage): Promise<boolean> {
  const texts = await Promise.all(notifiers.map(async ({ url }) => (await fetch(`${url}/metrics`)).text()));
  return texts.some((text) => /^ats_notifier_direct_mode 1$/m.test(text));
}

/** Somebody who asks the API all the time, and writes down how that goes. */
export class Asking {
  readonly statuses = new Map<number, number>();
  slowestMs = 0;
  #isOver = false;
  readonly #running: Promise<void>;

  constructor(private readonly stage: Stage) {
    this.#running = this.#run();
  }

  /** All must have been answered with 200. */
  async stop(report: Report): Promise<void> {
    this.#isOver = true;
    await this.#running;
    report.note(
      `${this.statuses.get(200) ?? 0} requests to the API meanwhile, the slowest ${this.slowestMs.toFixed(0)} ms`,
    );
    expect([...this.statuses.keys()]).toEqual([200]);
  }

  async #run(): Promise<void> {
    while (!this.#isOver) {
      const startedAt = performance.now();
      const response = await this.stage.client.request('GET', '/me');
      await response.arrayBuffer();
      this.slowestMs = Math.max(this.slowestMs, performance.now() - startedAt);
      this.statuses.set(response.status, (this.statuses.get(response.status) ?? 0) + 1);
      await sleep(ASKED_EVERY_MS);
    }
  }
}

/** Resolves when requests are counted: of two in one window the second has less left. */
export async function limitsCount(stage: Stage): Promise<void> {
  const remaining = async (): Promise<number> => {
    const response = await stage.client.request('GET', '/me');
    await response.arrayBuffer();
    return Number(response.headers.get('ratelimit-remaining') ?? Number.NaN);
  };
  await waitUntil('requests are counted', FAILOVER_MS, async () => (await remaining()) - (await remaining()) === 1);
}

/** Everything of Redis stands still, and every process is told to end: with nothing else to do none of them waits for it. */
export async function endWhileFrozen(stage: Stage, report: Report): Promise<void> {
  const { nodes, sentinels } = stage.servers.redisServers;
  for (const server of [...nodes, ...sentinels]) server.pause();
  report.faults += 1;
  const toldAt = performance.now();
  const took = await Promise.all(
    [stage.api, ...stage.notifiers].map(async (app) => {
      expect(await app.end('SIGTERM')).toBe(0);
      return performance.now() - toldAt;
    }),
  );
  report.note(`ended in ${took.map((ms) => `${(ms / 1_000).toFixed(1)} s`).join(', ')} while Redis stood still`);
  expect(Math.max(...took)).toBeLessThan(ENDED_MS);
}
