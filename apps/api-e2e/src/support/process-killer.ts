import { seededRandom } from './seeded-random.js';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { type App } from './app.js';
import { type Kind, progress } from './progress.js';

const SIGNALS = ['SIGKILL', 'SIGTERM'] as const;
/**
 * Maximum number of progress events between two kills of the same kind of process. The first kill follows after one or
 * two events.
 */
const MAX_EVENTS: Readonly<Record<Kind, number>> = { api: 12, notifier: 4 };
/** Maximum delay in ms after a progress event. Random delays make the kills interrupt the work at different points. */
const MAX_DELAY_MS = 15;

export interface Kill {
  readonly kind: Kind;
  /** Index of the process among the processes of its kind. */
  readonly index: number;
  readonly signal: (typeof SIGNALS)[number];
}

/**
 * Ends and restarts processes of each kind at random moments of their work. It never ends two processes of one kind at
 * the same time.
 */
export class ProcessKiller {
  readonly kills: Kill[] = [];
  readonly seed: number;
  readonly #random: Readonly<Record<Kind, () => number>>;
  #round: Promise<unknown> | undefined;
  #stop = new AbortController();
  #hasFailed = false;

  /**
   * @param max   maximum number of kills of each kind of process; unlimited by default
   * @param seed  seed of the random choices; the seed of an earlier run repeats its signals and pauses
   */
  constructor(
    private readonly apps: Readonly<Record<Kind, readonly App[]>>,
    private readonly max = Infinity,
    seed = Number(process.env['E2E_KILL_SEED'] ?? Math.trunc(Math.random() * 2 ** 31)),
  ) {
    this.seed = seed;
    this.#random = { api: seededRandom(seed), notifier: seededRandom(seed + 1) };
  }

  start(): void {
    if (this.#round) return;
    this.#stop = new AbortController();
    const { signal } = this.#stop;
    this.#round = Promise.all([this.#run('api', signal), this.#run('notifier', signal)]);
    // Prevents an unhandled rejection. stop() throws the error later.
    this.#round.catch(() => (this.#hasFailed = true));
  }

  /** True when a process did not start again. The killer then ends no other process of the same kind. */
  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  /** Returns the number of kills of a kind of process, with one signal or with any signal. */
  count(kind: Kind, signal?: Kill['signal']): number {
    return this.kills.filter((kill) => kill.kind === kind && kill.signal === (signal ?? kill.signal)).length;
  }

  /** Stops the kills. Resolves when every process runs again. @throws {Error} when a process did not start again */
  async stop(): Promise<void> {
    this.#stop.abort();
    try {
      await this.#round;
    } finally {
      this.#round = undefined;
    }
  }

  /** Returns the seed and the kills as text, for the output of a test. */
  toString(): string {
    const kills = this.kills.map(({ kind, index, signal }) => `${kind} ${index} ${signal}`).join(', ');
    return `E2E_KILL_SEED=${this.seed}: ${kills || 'no kills'}`;
  }

  async #run(kind: Kind, signal: AbortSignal): Promise<void> {
    while (!signal.aborted && this.count(kind) < this.max) {
      const target = await this.#nextTarget(kind, signal);
      if (target === undefined) return;
      const index = target.index ?? this.#below(kind, this.apps[kind].length);
      // The first kill is always SIGKILL, so that every seed interrupts some work.
      const kill: Kill = {
        kind,
        index,
        signal: this.count(kind) === 0 ? 'SIGKILL' : (SIGNALS[this.#below(kind, SIGNALS.length)] ?? 'SIGKILL'),
      };
      this.kills.push(kill);
      const app = this.apps[kind][index];
      await app?.end(kill.signal);
      await app?.start();
    }
  }

  /**
   * Waits for a random number of progress events.
   * @returns the index of the process that is working; undefined when it is not known, or the killer was stopped
   */
  async #nextTarget(kind: Kind, signal: AbortSignal): Promise<{ readonly index?: number | undefined } | undefined> {
    const events = 1 + this.#below(kind, this.count(kind) === 0 ? 2 : MAX_EVENTS[kind]);
    const delayMs = this.#below(kind, MAX_DELAY_MS);
    try {
      let index: number | undefined;
      for (let event = 0; event < events; event++) [index] = (await once(progress, kind, { signal })) as [number?];
      await sleep(delayMs, undefined, { signal });
      return { index };
    } catch (error) {
      if (signal.aborted) return undefined;
      throw error;
    }
  }

  #below(kind: Kind, count: number): number {
    return Math.trunc(this.#random[kind]() * count);
  }
}
