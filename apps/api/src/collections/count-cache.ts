import { hash } from 'node:crypto';
import { ConsumerLimitError, endedBetween, readsClock, Shares } from '@ats/postgres';
import { Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import { type CountOutcome } from '../metrics/metrics.js';
import { type Clock, monotonicClock } from './clock.js';

/** A count and the database snapshot of the statement that counted, see `SNAPSHOT`. */
export interface CountResult {
  readonly total: number;
  readonly snapshot: string;
}

export interface CountRequest {
  /** Text and values of the statement that counts. */
  readonly key: string;
  /** Identifies the database snapshot from which the page was read. */
  readonly snapshot: string;
  /** A time just before the page was read, measured with the cache's clock. */
  readonly since: number;
  readonly credentialId: number;
  /** Runs the counting statement, which has a timeout. */
  readonly run: () => Promise<CountResult>;
}

/** Maximum age of a served count, unless its snapshot proves that it is still exact. */
const MAX_STALE_MS = 2_000;
/** Age at which a count is refreshed in the background. The old count is served meanwhile. */
const REFRESH_MS = MAX_STALE_MS / 2;
/** A count that took less time than this is repeated for each page instead of being served from the cache. */
const CHEAP_MS = 5;
/** Longest time that a page waits for its count. Source: docs/reference/paging.md, "Counts". */
const MAX_WAIT_MS = 2_000;
/** Time after a failed count during which pages are served without a count. */
const PAUSE_MS = 10_000;
const MAX_KEYS = 1_000;
/** The table of the audit log. A count that reads this table changes with each audit entry. */
const AUDIT_TABLE = 'audit_entries';

export interface CountCacheOptions {
  /** Maximum number of concurrent counts of one credential. Defaults to the maximum for all credentials together. */
  readonly share?: number;
  /** True when equal snapshots mean equal rows, as on a primary. Defaults to true. */
  readonly comparesSnapshots?: boolean;
  /** True for a transaction that only added entries to the audit log. No count of another collection changes by it. */
  readonly onlyAudited?: (transaction: number) => boolean;
  /** Receives the outcome of each count. */
  readonly note?: (outcome: CountOutcome) => void;
}

interface Count extends CountResult {
  /** The newest snapshot that is known to have the same rows as the count. */
  snapshot: string;
  readonly beganAt: number;
  readonly tookMs: number;
  /** The last time at which the count was known to be exact. */
  exactAt: number;
}

/** The cached count of one key, and the attempt that may replace it. */
interface Entry {
  readonly readsClock: boolean;
  readonly readsAudit: boolean;
  count?: Count;
  /** The newest attempt to count. */
  attempt?: CountAttempt;
  pausedUntil: number;
}

/** A running or waiting count that several pages can share. */
class CountAttempt {
  /** The time when the statement was sent. The count includes everything that was committed before this time. */
  beganAt = Infinity;
  isOver = false;
  /** True while the attempt waits for other counts of its credential to end. */
  isInLine = true;
  /** True when a limit of the credential has ended the attempt. */
  isRefused = false;
  /** The count. Undefined when it failed or took too long. Never rejects. */
  readonly total: Promise<number | undefined>;
  readonly #resolve: (total: number | undefined) => void;

  constructor(readonly credentialId: number) {
    let resolve: (total: number | undefined) => void = () => undefined;
    this.total = new Promise((done) => (resolve = done));
    this.#resolve = resolve;
  }

  refuse(): void {
    this.isRefused = true;
    this.end(undefined);
  }

  end(total: number | undefined): void {
    this.isOver = true;
    this.#resolve(total);
  }
}

/**
 * Caches exact counts for pages. When the page has the same snapshot as the count, no transaction has ended in between,
 * so the count is exact at any age. It is also exact when the transactions that have ended only added audit entries.
 * Pages of personal data add such entries. Otherwise the cache serves a count that was exact at most two seconds ago. A
 * client that wrote after this count gets a new one. See docs/adr/0008.
 */
export class CountCache {
  readonly #logger = new Logger('counts');
  readonly #entries = new LRUCache<string, Entry>({ max: MAX_KEYS });
  readonly #writes = new Map<number, number>();
  readonly #limit: ReturnType<typeof pLimit>;
  readonly #shares: Shares;
  readonly #comparesSnapshots: boolean;
  readonly #onlyAudited: (transaction: number) => boolean;
  /** Receives the outcome of each count. Public, because the count cache of the replica reports to the same metrics. */
  readonly note: (outcome: CountOutcome) => void;
  /** Tests replace these limits, so that they get exact counts on a slow machine. */
  private readonly maxStaleMs = MAX_STALE_MS;
  private readonly maxWaitMs = MAX_WAIT_MS;
  #isFailing = false;

  /** Makes an empty cache. @param connections  maximum number of counts that run at the same time */
  constructor(
    connections: number,
    private readonly clock: Clock = monotonicClock,
    {
      share = connections,
      comparesSnapshots = true,
      onlyAudited = () => false,
      note = () => undefined,
    }: CountCacheOptions = {},
  ) {
    this.note = note;
    this.#limit = pLimit(connections);
    this.#shares = new Shares({ share, waitMs: MAX_WAIT_MS });
    this.#comparesSnapshots = comparesSnapshots;
    this.#onlyAudited = onlyAudited;
  }

  /** Must be called after each commit. Later requests of the credential get no count from before the commit. */
  noteWrite(credentialId: number): void {
    this.#writes.set(credentialId, this.clock.now());
  }

  /**
   * Serves a count from the cache, or counts. Never rejects.
   * @returns undefined when the count is not available within two seconds
   */
  async count(request: CountRequest): Promise<number | undefined> {
    const entry = this.#entryOf(request.key);
    const { count } = entry;
    if (count && this.#isExact(entry, count, request)) {
      count.snapshot = request.snapshot;
      count.exactAt = Math.max(count.exactAt, request.since);
      return this.#noted('exact', count.total);
    }
    const isPaused = this.clock.now() < entry.pausedUntil;
    if (!count || !this.#mayServe(count, request))
      return isPaused ? this.#noted('paused', undefined) : this.#wait(entry, request);
    if (isPaused) return this.#noted('stale', count.total);
    const isFree = this.#limit.activeCount < this.#limit.concurrency;
    if (isFree && count.tookMs < CHEAP_MS) return this.#wait(entry, request);
    if (this.#ageOf(count) >= REFRESH_MS) this.#attempt(entry, request);
    return this.#noted('stale', count.total);
  }

  /** The number of cached counts. */
  get size(): number {
    return this.#entries.size;
  }

  /** True when the page sees the same rows as the count. */
  #isExact({ readsClock, readsAudit }: Entry, count: Count, { snapshot }: CountRequest): boolean {
    if (!this.#comparesSnapshots || readsClock) return false;
    if (count.snapshot === snapshot) return true;
    return !readsAudit && (endedBetween(count.snapshot, snapshot)?.every(this.#onlyAudited) ?? false);
  }

  #noted(outcome: CountOutcome, total: number | undefined): number | undefined {
    this.note(outcome);
    return total;
  }

  async #wait(entry: Entry, request: CountRequest): Promise<number | undefined> {
    const attempt = this.#attempt(entry, request);
    let counted = await attempt.total;
    // Counts again when another credential started the shared count and a limit of that credential ended it.
    if (attempt.isRefused && attempt.credentialId !== request.credentialId)
      counted = await this.#start(entry, request).total;
    return this.#noted(counted === undefined ? 'given_up' : 'counted', counted);
  }

  /** Returns the entry of a key. The map has hashes of the keys, because statements and values can be long. */
  #entryOf(key: string): Entry {
    const digest = hash('sha256', key, 'base64url');
    const known = this.#entries.get(digest);
    if (known) return known;
    const entry: Entry = {
      readsClock: readsClock(key),
      readsAudit: key.includes(AUDIT_TABLE),
      pausedUntil: -Infinity,
    };
    this.#entries.set(digest, entry);
    return entry;
  }

  #ageOf = ({ exactAt }: Count): number => this.clock.now() - exactAt;
  #wroteAt = ({ credentialId }: CountRequest): number => this.#writes.get(credentialId) ?? -Infinity;

  #mayServe(count: Count, request: CountRequest): boolean {
    return this.#ageOf(count) <= this.maxStaleMs && count.exactAt > this.#wroteAt(request);
  }

  /** Shares a running attempt if its count will include the client's own writes. Otherwise starts another attempt. */
  #attempt(entry: Entry, request: CountRequest): CountAttempt {
    const { attempt } = entry;
    // An attempt may still wait for other counts of the credential that started it. Other credentials do not share such
    // an attempt.
    const isOpen = attempt && !attempt.isOver && (!attempt.isInLine || attempt.credentialId === request.credentialId);
    if (isOpen && attempt.beganAt > this.#wroteAt(request)) return attempt;
    return (entry.attempt = this.#start(entry, request));
  }

  #start(entry: Entry, { run, credentialId }: CountRequest): CountAttempt {
    const attempt = new CountAttempt(credentialId);
    const cancel = this.clock.after(this.maxWaitMs, () => this.#giveUp(entry, attempt));
    const client = { key: String(credentialId), isCostly: false, isGone: false };
    // A credential has at most one count in the queue of all credentials.
    this.#shares
      .run(client, () => {
        attempt.isInLine = false;
        return this.#limit(() => this.#make(entry, attempt, run));
      })
      .catch(() => this.#giveUp(entry, attempt))
      .finally(cancel);
    return attempt;
  }

  async #make(entry: Entry, attempt: CountAttempt, run: () => Promise<CountResult>): Promise<void> {
    if (attempt.isOver) return; // The attempt timed out while it waited for a connection.
    const beganAt = this.clock.now();
    attempt.beganAt = beganAt;
    try {
      const result = await run();
      this.#isFailing = false;
      const count = { ...result, beganAt, exactAt: beganAt, tookMs: this.clock.now() - beganAt };
      if (!entry.count || entry.count.beganAt < beganAt) entry.count = count;
      attempt.end(result.total);
    } catch (error) {
      // A limit of one credential must not pause the counts of all credentials.
      if (error instanceof ConsumerLimitError) return attempt.refuse();
      this.#logOnce(error);
      this.#giveUp(entry, attempt);
    }
  }

  #giveUp(entry: Entry, attempt: CountAttempt): void {
    if (attempt.isOver) return;
    // Pauses this count after a failure. An attempt that still waits behind other counts of its credential starts no
    // pause, because it sent no statement.
    if (!attempt.isInLine) entry.pausedUntil = this.clock.now() + PAUSE_MS;
    attempt.end(undefined);
  }

  /** Logs only the first of several failures in a row. Pages are served without their counts. */
  #logOnce(error: unknown): void {
    if (isTimeout(error) || this.#isFailing) return;
    this.#isFailing = true;
    this.#logger.error(error);
  }
}

/** True for PostgreSQL's `query_canceled`: the statement took too long, which is expected and not logged. */
const isTimeout = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && (error as { readonly code?: unknown }).code === '57014';
