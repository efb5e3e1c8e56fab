import { HANGING_AFTER_MS, type Progress } from '../queues/concurrency-slots.js';
import { type ClaimedDelivery } from './store/claimed-deliveries.js';
import { CHAIN_MS } from './store/follower-deliveries.js';

/** A finished attempt of a chain. */
export interface Link {
  readonly isSuccess: boolean;
  /** Stores the result of the attempt. */
  readonly store: () => Promise<void>;
}

export interface ChainSteps {
  /** Makes one attempt. Never rejects. */
  readonly attempt: (delivery: ClaimedDelivery) => Promise<Link>;
  /** Claims the followers of the first delivery. Never rejects. */
  readonly follow: (leader: ClaimedDelivery) => Promise<readonly ClaimedDelivery[]>;
  /** Makes followers due again. Never rejects. */
  readonly release: (followers: readonly ClaimedDelivery[]) => Promise<void>;
  /** Reports the time from the start of an attempt to the start of the next one. */
  readonly notePace: (paceMs: number) => void;
  /** Returns true when no further attempt may start. */
  readonly isStopping: () => boolean;
}

/**
 * A chain ends after this time even if followers are left. The chain is then slower than planned, and another process
 * may send the remaining followers sooner.
 */
const MAX_CHAIN_MS = 3 * CHAIN_MS;

/**
 * Sends the deliveries of one chain one after the other, so that the chain uses one slot. It ends with the first failed
 * or hanging attempt. The due poller then decides about the remaining deliveries.
 *
 * The result of an attempt is stored while the next attempt runs, and results are stored one after the other. So after
 * the death of this process, at most two messages of a chain are sent again. The first result is stored only after the
 * followers are claimed, so that the slot is never idle.
 */
export class Chain {
  /** The time when this process got the followers of the chain. Until then, the time when the chain was created. */
  private startedAt = performance.now();
  private waiting: ClaimedDelivery[] = [];
  private isEnding = false;
  private released: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly steps: ChainSteps,
    private readonly progress: Progress,
  ) {}

  /**
   * Sends the chain. Resolves when all results are stored.
   * @throws when a result could not be stored
   */
  async send(leader: ClaimedDelivery): Promise<void> {
    const following = this.steps.follow(leader).then((followers) => this.add(followers));
    let storing: Promise<void> = Promise.resolve();
    let next: ClaimedDelivery | undefined = leader;
    try {
      while (next) {
        this.progress.note();
        const startedAt = performance.now();
        const link = await this.attempt(next);
        await following;
        await storing;
        if (!link.isSuccess || !this.mayContinue()) await this.end();
        storing = link.store();
        storing.catch(() => undefined); // `storing` is awaited below, and its error is thrown there.
        next = this.takeNext();
        if (next) this.steps.notePace(performance.now() - startedAt);
      }
    } finally {
      await following;
      await this.end();
    }
    await storing;
  }

  private async attempt(delivery: ClaimedDelivery): Promise<Link> {
    const timer = setTimeout(() => void this.end(), HANGING_AFTER_MS);
    try {
      return await this.steps.attempt(delivery);
    } finally {
      clearTimeout(timer);
    }
  }

  private mayContinue(): boolean {
    return !this.steps.isStopping() && performance.now() - this.startedAt < MAX_CHAIN_MS;
  }

  private takeNext(): ClaimedDelivery | undefined {
    const follower = this.waiting.shift();
    if (!follower) return undefined;
    const waitedMs = performance.now() - this.startedAt;
    return { ...follower, claimed_dt: new Date(follower.claimed_dt.getTime() + Math.round(waitedMs)) };
  }

  private async add(followers: readonly ClaimedDelivery[]): Promise<void> {
    this.startedAt = performance.now();
    this.waiting.push(...followers);
    if (this.isEnding) await this.end();
  }

  /** Releases all followers that are not sent yet. */
  private async end(): Promise<void> {
    this.isEnding = true;
    const unsent = this.waiting;
    this.waiting = [];
    if (unsent.length > 0) this.released = Promise.all([this.released, this.steps.release(unsent)]);
    await this.released;
  }
}
