import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { type App } from './app.js';
import { type Kind, progress } from './progress.js';

const SIGNALS = ['SIGKILL', 'SIGTERM'] as const;
/** Pieces of work from when everybody is there to the next death, at most. The first death comes with the first or second piece. */
const MOST_PIECES: Readonly<Record<Kind, number>> = { api: 12, notifier: 4 };
/** From the beginning of the piece that somebody dies with: what it is doing has come to different places by then. */
const MOST_DELAY_MS = 15;

export interface Kill {
  readonly kind: Kind;
  readonly place: number;
  readonly signal: (typeof SIGNALS)[number];
}

/** Ends one of each kind in the middle of random pieces of its work and starts it again: never two of a kind at the same time. */
export class Killer {
  readonly kills: Kill[] = [];
  readonly seed: number;
  readonly #random: Readonly<Record<Kind, () => number>>;
  #round: Promise<unknown> | undefined;
  #stop = new AbortController();
  #hasFailed = false;

  /**
   * @param most  of each kind; all the time, if not given
   * @param seed  of an earlier run, to see its order of signals and pauses again
   */
  constructor(
    private readonly apps: Readonly<Record<Kind, readonly App[]>>,
    private readonly most = Infinity,
    seed = Number(process.env['E2E_KILL_SEED'] ?? Math.trunc(Math.random() * 2 ** 31)),
  ) {
    this.seed = seed;
    this.#random = { api: randomOf(seed), notifier: randomOf(seed + 1) };
  }

  start(): void {
    if (this.#round) return;
    this.#stop = new AbortController();
    const { signal } = this.#stop;
    this.#round = Promise.all([this.#run('api', signal), this.#run('notifier', signal)]);
    // Whoever stops it is told.
    this.#round.catch(() => (this.#hasFailed = true));
  }

  /** Somebody did not come back: nothing more of its kind is killed. */
  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  /** How many died of a signal. */
  count(kind: Kind, signal?: Kill['signal']): number {
    return this.kills.filter((kill) => kill.kind === kind && kill.signal === (signal ?? kill.signal)).length;
  }

  /** Resolves when everybody is there again. @throws {Error} when somebody did not come back */
  async stop(): Promise<void> {
    this.#stop.abort();
    try {
      await this.#round;
    } finally {
      this.#round = undefined;
    }
  }

  /** In a few words, for a test that failed. */
  toString(): string {
    return `E2E_KILL_SEED=${this.seed}: ${this.kills.map(({ kind, place, signal }) => `${kind} ${place} ${signal}`).join(', ') || 'nobody killed'}`;
  }

  async #run(kind: Kind, signal: AbortSignal): Promise<void> {
    while (!signal.aborted && this.count(kind) < this.most) {
      const worker = await this.#nextWorker(kind, signal);
      if (worker === undefined) return;
      const place = worker.place ?? this.#below(kind, this.apps[kind].length);
      // The first has no time to finish anything, whatever the seed.
      const kill: Kill = {
        kind,
        place,
        signal: this.count(kind) === 0 ? 'SIGKILL' : (SIGNALS[this.#below(kind, SIGNALS.length)] ?? 'SIGKILL'),
      };
      this.kills.push(kill);
      const app = this.apps[kind][place];
      await app?.end(kill.signal);
      await app?.start();
    }
  }

  /** Lets random pieces of work go by. @returns who is in the middle of one, if that is known; undefined when it was stopped */
  async #nextWorker(kind: Kind, signal: AbortSignal): Promise<{ readonly place?: number | undefined } | undefined> {
    const pieces = 1 + this.#below(kind, this.count(kind) === 0 ? 2 : MOST_PIECES[kind]);
    const delayMs = this.#below(kind, MOST_DELAY_MS);
    try {
      let place: number | undefined;
      for (let piece = 0; piece < pieces; piece++) [place] = (await once(progress, kind, { signal })) as [number?];
      await sleep(delayMs, undefined, { signal });
      return { place };
    } catch (error) {
      if (signal.aborted) return undefined;
      throw error;
    }
  }

  #below(kind: Kind, count: number): number {
    return Math.trunc(this.#random[kind]() * count);
  }
}

/** mulberry32 */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  };
}
