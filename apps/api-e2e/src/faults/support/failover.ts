import { expect } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { waitUntil } from '../../support/wait-until.js';
import { type Server } from './server.js';
import { type Stage } from './stage.js';

/** Of the queue that all first attempts go through; its keys are in one slot. */
const QUEUE_KEY = '{ntf-hot}:hot:wait';
const FAILOVER_MS = 60_000;
const ASKED_EVERY_MS = 50;

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
export async function failedOver(stage: Stage, lost: Server): Promise<{ readonly promotedMs: number; readonly backMs: number }> {
  const { redisServers } = stage.servers;
  const startedAt = performance.now();
  let master: Server | null = null;
  await waitUntil('a replica is promoted', FAILOVER_MS, async () => {
    master = await redisServers.masterOf(QUEUE_KEY);
    return master !== null && master !== lost;
  });
  const promotedMs = performance.now() - startedAt;
  await waitUntil('notifiers wait for jobs at the new master', FAILOVER_MS, async () => (await waitingAt(stage, master ?? lost)) >= stage.notifiers.length && !(await anyDirect(stage)));
  return { promotedMs, backMs: performance.now() - startedAt };
}

/** Connections that wait for jobs there. */
async function waitingAt({ servers: { redisServers } }: Stage, node: Server): Promise<number> {
  const clients = await redisServers.ask(node, (redis) => redis.info('clients')).catch(() => '');
  return Number(/blocked_clients:(\d+)/.exec(clients)?.[1] ?? 0);
}

async function anyDirect({ notifiers }: Stage): Promise<boolean> {
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

  /** Requests that were answered with 200; all of them, or the test fails. */
  async stop(): Promise<number> {
    this.#isOver = true;
    await this.#running;
    expect([...this.statuses.keys()]).toEqual([200]);
    return this.statuses.get(200) ?? 0;
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
