import { hash } from 'node:crypto';
import { readsClock } from '@ats/postgres';
import { Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import { type CountOutcome } from '../metrics/metrics.js';
import { type Clock, monotonicClock } from './clock.js';

/** How many there are, and what the statement that counted them saw: see `SNAPSHOT`. */
export interface CountResult {
  readonly total: number;
  readonly snapshot: string;
}

export interface CountRequest {
  /** Text and values of the statement that counts. */
  readonly key: string;
  /** What the page saw. */
  readonly snapshot: string;
  /** A moment before the page was read, as `performance.now()` has it. */
  readonly since: number;
  readonly credentialId: number;
  /** Counts, with an end to its time. */
  readonly run: () => Promise<CountResult>;
}

/** No count is older than this, unless nothing has changed since. */
const MAX_STALE_MS = 2_000;
/** Made again so early, while the old one may still be used, that nobody waits for it. */
const REFRESH_MS = MAX_STALE_MS / 2;
/** What took less the last time is made anew rather than remembered. */
const CHEAP_MS = 5;
/** Source: CONTRACT.md 11, Links. */
const MAX_WAIT_MS = 2_000;
/** A count that was not to be had is not tried again at every page. */
const PAUSE_MS = 10_000;
const MAX_KEYS = 1_000;

export interface CountCacheOptions {
  /** Unless false; whether equal snapshots mean equal rows, as they do on a primary. */
  readonly comparesSnapshots?: boolean;
  /** Told how each count was come by. */
  readonly note?: (outcome: CountOutcome) => void;
}

interface Count extends CountResult {
  readonly beganAt: number;
  readonly tookMs: number;
  /** The last moment at which it is known to have been right. */
  exactAt: number;
}

/** What is known of one question. */
interface Entry {
  readonly readsClock: boolean;
  count?: Count;
  /** The newest attempt. */
  attempt?: CountAttempt;
  pausedUntil: number;
}

/** A count on its way, with all who wait for it. */
class CountAttempt {
  /** The statement was sent then: it sees what had been committed before. */
  beganAt = Infinity;
  isOver = false;
  /** Undefined when it was not to be had. It does not reject. */
  readonly total: Promise<number | undefined>;
  readonly #resolve: (total: number | undefined) => void;

  constructor() {
    let resolve: (total: number | undefined) => void = () => undefined;
    this.total = new Promise((done) => (resolve = done));
    this.#resolve = resolve;
  }

  end(total: number | undefined): void {
    this.isOver = true;
    this.#resolve(total);
  }
}

/**
 * Exact counts that cost a page next to nothing. As long as the page's snapshot is that of the count, no transaction has ended in
 * between, so the count is right however old it is. Otherwise a count may be served that was right at most two seconds
 * ago, but not to a caller who has written since. See docs/adr/0008.
 */
export class CountCache {
  readonly #logger = new Logger('counts');
  readonly #entries = new LRUCache<string, Entry>({ max: MAX_KEYS });
  readonly #writes = new Map<number, number>();
  readonly #limit: ReturnType<typeof pLimit>;
  readonly #comparesSnapshots: boolean;
  /** For another cache that counts into the same. */
  readonly note: (outcome: CountOutcome) => void;
  #isFailing = false;

  /** @param connections  how many counts are made at once */
  constructor(
    connections: number,
    private readonly clock: Clock = monotonicClock,
    { comparesSnapshots = true, note = () => undefined }: CountCacheOptions = {},
  ) {
    this.note = note;
    this.#limit = pLimit(connections);
    this.#comparesSnapshots = comparesSnapshots;
  }

  /** To be called after each commit: from now on the credential is served no count from before. */
  noteWrite(credentialId: number): void {
    this.#writes.set(credentialId, this.clock.now());
  }

  /** @returns undefined when the count is not to be had in two seconds. It does not reject. */
  async count(request: CountRequest): Promise<number | undefined> {
    const entry = this.#entryOf(request.key);
    const { count } = entry;
    if (count && this.#comparesSnapshots && count.snapshot === request.snapshot && !entry.readsClock) {
      count.exactAt = Math.max(count.exactAt, request.since);
      return this.#noted('exact', count.total);
    }
    const isPaused = this.clock.now() < entry.pausedUntil;
    if (!count || !this.#mayServe(count, request))
      return isPaused ? this.#noted('paused', undefined) : this.#wait(this.#attempt(entry, request));
    if (isPaused) return this.#noted('stale', count.total);
    const isFree = this.#limit.activeCount < this.#limit.concurrency;
    if (isFree && count.tookMs < CHEAP_MS) return this.#wait(this.#attempt(entry, request));
    if (this.#ageOf(count) >= REFRESH_MS) this.#attempt(entry, request);
    return this.#noted('stale', count.total);
  }

  /** How many counts are remembered. */
  get size(): number {
    return this.#entries.size;
  }

  #noted(outcome: CountOutcome, total: number | undefined): number | undefined {
    this.note(outcome);
    return total;
  }

  async #wait({ total }: CountAttempt): Promise<number | undefined> {
    const counted = await total;
    return this.#noted(counted === undefined ? 'given_up' : 'counted', counted);
  }

  /** Hashed, for texts and values can be long. */
  #entryOf(key: string): Entry {
    const digest = hash('sha256', key, 'base64url');
    const known = this.#entries.get(digest);
    if (known) return known;
    const entry: Entry = { readsClock: readsClock(key), pausedUntil: -Infinity };
    this.#entries.set(digest, entry);
    return entry;
  }

  #ageOf = ({ exactAt }: Count): number => this.clock.now() - exactAt;
  #wroteAt = ({ credentialId }: CountRequest): number => this.#writes.get(credentialId) ?? -Infinity;

  #mayServe(count: Count, request: CountRequest): boolean {
    return this.#ageOf(count) <= MAX_STALE_MS && count.exactAt > this.#wroteAt(request);
  }

  /** One attempt for all who can use it: it must see what the caller has written. */
  #attempt(entry: Entry, request: CountRequest): CountAttempt {
    const { attempt } = entry;
    if (attempt && !attempt.isOver && attempt.beganAt > this.#wroteAt(request)) return attempt;
    return (entry.attempt = this.#start(entry, request));
  }

  #start(entry: Entry, { run }: CountRequest): CountAttempt {
    const attempt = new CountAttempt();
    const cancel = this.clock.after(MAX_WAIT_MS, () => this.#giveUp(entry, attempt));
    void this.#limit(() => this.#make(entry, attempt, run)).finally(cancel);
    return attempt;
  }

  async #make(entry: Entry, attempt: CountAttempt, run: () => Promise<CountResult>): Promise<void> {
    if (attempt.isOver) return; // nobody waits for it any more
    const beganAt = this.clock.now();
    attempt.beganAt = beganAt;
    try {
      const result = await run();
      this.#isFailing = false;
      const count = { ...result, beganAt, exactAt: beganAt, tookMs: this.clock.now() - beganAt };
      if (!entry.count || entry.count.beganAt < beganAt) entry.count = count;
      attempt.end(result.total);
    } catch (error) {
      this.#logOnce(error);
      this.#giveUp(entry, attempt);
    }
  }

  #giveUp(entry: Entry, attempt: CountAttempt): void {
    if (attempt.isOver) return;
    entry.pausedUntil = this.clock.now() + PAUSE_MS;
    attempt.end(undefined);
  }

  /** A page can do without its count; that something is wrong shows in the log, but not for every page. */
  #logOnce(error: unknown): void {
    if (isTimeout(error) || this.#isFailing) return;
    this.#isFailing = true;
    this.#logger.error(error);
  }
}

/** PostgreSQL's `query_canceled`: it took too long, which is no fault. */
const isTimeout = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && (error as { readonly code?: unknown }).code === '57014';
