import { setTimeout as sleep } from 'node:timers/promises';
import { type App } from './app.js';

const SIGNALS = ['SIGKILL', 'SIGTERM'] as const;
/** Between one death and the next, once everybody is there again. */
const PAUSE_MS = { least: 100, most: 1_200 };

export interface Kill {
  readonly who: string;
  readonly signal: (typeof SIGNALS)[number];
  readonly at: number;
}

/** Ends one of each kind at random moments and starts it again: never two of a kind at the same time. */
export class Killer {
  readonly kills: Kill[] = [];
  readonly seed: number;
  readonly #random: () => number;
  #round: Promise<void> | undefined;
  #stop = new AbortController();
  #hasFailed = false;

  /** @param seed  of an earlier run, to see its order of signals and pauses again */
  constructor(
    private readonly kinds: Readonly<Record<string, readonly App[]>>,
    seed = Number(process.env['E2E_KILL_SEED'] ?? Math.trunc(Math.random() * 2 ** 31)),
  ) {
    this.seed = seed;
    this.#random = randomOf(seed);
  }

  start(): void {
    if (this.#round) return;
    this.#stop = new AbortController();
    this.#round = this.#run(this.#stop.signal);
    // Whoever stops it is told.
    this.#round.catch(() => (this.#hasFailed = true));
  }

  /** Somebody did not come back: nothing more is killed. */
  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  /** Resolves when everybody is there again. @throws {Error} when somebody did not come back */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#round;
    this.#round = undefined;
  }

  /** In a few words, for a test that failed. */
  toString(): string {
    return `E2E_KILL_SEED=${this.seed}: ${this.kills.map(({ who, signal }) => `${who} ${signal}`).join(', ') || 'nobody killed'}`;
  }

  async #run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await sleep(PAUSE_MS.least + this.#random() * (PAUSE_MS.most - PAUSE_MS.least), undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      const victims = Object.entries(this.kinds).map(([kind, apps]) => ({ kind, number: this.#below(apps.length), with: SIGNALS[this.#below(2)] ?? 'SIGKILL', after: this.#random() * 300 }));
      await Promise.all(
        victims.map(async (victim) => {
          await sleep(victim.after);
          this.kills.push({ who: `${victim.kind} ${victim.number}`, signal: victim.with, at: Date.now() });
          const app = this.kinds[victim.kind]?.[victim.number];
          await app?.end(victim.with);
          await app?.start();
        }),
      );
    }
  }

  #below(count: number): number {
    return Math.trunc(this.#random() * count);
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
