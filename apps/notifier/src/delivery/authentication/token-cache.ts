import { type OAuthClient } from '@ats/domain';
import { isDeepStrictEqual } from 'node:util';
import { type AttemptOutcome } from '../http/attempt-outcome.js';
import { type AccessToken, type TokenFailure } from './token-request.js';

/** Time between the replacement of a token and its expiry, so that a token is still valid when the message arrives. */
const MARGIN_MS = 30_000;
const DEFAULT_LIFETIME_MS = 300_000;
const MAX_LIFETIME_MS = 3_600_000;
/**
 * Time for which a failed token request is remembered. During this time, attempts get the same failure, so that many
 * attempts cause few requests to the token server.
 */
const FAILURE_MS = 5_000;
const MAX_ENDPOINTS = 10_000;
/**
 * Greatest duration of an attempt that may be repeated with a new token. With a longer attempt, the repetition might
 * not end within the lease.
 */
const REPEAT_WITHIN_MS = 3_000;

type Answer = AccessToken | TokenFailure;

interface Entry {
  readonly client: OAuthClient;
  readonly answer: Promise<Answer>;
  /**
   * Monotonic time in milliseconds until which the token is used. Infinity while the request for the token is running.
   */
  validUntil: number;
}

export interface TokenCacheOptions {
  /** Requests a token. It never rejects. */
  readonly request: (client: OAuthClient) => Promise<Answer>;
  /** Returns the time of a monotonic clock in milliseconds. */
  readonly now?: () => number;
}

/**
 * Keeps the access tokens of endpoints in memory. For each endpoint, at most one request for a token runs at a time.
 */
export class TokenCache {
  /** Maps the id of an endpoint to its entry. The oldest entry comes first. */
  readonly #entries = new Map<number, Entry>();
  readonly #now: () => number;

  constructor(private readonly options: TokenCacheOptions) {
    this.#now = options.now ?? (() => performance.now());
  }

  /**
   * Makes an attempt with an access token. If the destination answers 401, the token is no longer used, and the attempt
   * is repeated once with a new token. If the token request fails, the attempt fails with the error of that request.
   */
  async attempt(
    endpointId: number,
    client: OAuthClient,
    post: (token: string) => Promise<AttemptOutcome>,
  ): Promise<AttemptOutcome> {
    const startedAt = this.#now();
    const elapsed = (): number => Math.round(this.#now() - startedAt);
    const total = (outcome: AttemptOutcome): AttemptOutcome => ({ ...outcome, durationMs: elapsed() });
    const first = await this.#token(endpointId, client);
    if (!('token' in first)) return failed(first, elapsed());
    const outcome = await post(first.token);
    if (outcome.answer?.statusCode !== 401) return total(outcome);
    await this.#forget(endpointId, first);
    if (elapsed() > REPEAT_WITHIN_MS) return total(outcome);
    const second = await this.#token(endpointId, client);
    if (!('token' in second)) return failed(second, elapsed());
    return total(second.token === first.token ? outcome : await post(second.token));
  }

  #token(endpointId: number, client: OAuthClient): Promise<Answer> {
    const known = this.#entries.get(endpointId);
    if (known && known.validUntil > this.#now() && isDeepStrictEqual(known.client, client)) return known.answer;
    const entry: Entry = { client, answer: this.options.request(client), validUntil: Infinity };
    // The promise of the answer never rejects, so an error needs no handler.
    void entry.answer.then((answer) => (entry.validUntil = this.#now() + lifetimeOf(answer)));
    this.#entries.delete(endpointId);
    this.#entries.set(endpointId, entry);
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > MAX_ENDPOINTS && oldest !== undefined) this.#entries.delete(oldest);
    return entry.answer;
  }

  /** Removes a token that the destination refused, unless another attempt has already replaced the token. */
  async #forget(endpointId: number, token: Answer): Promise<void> {
    const entry = this.#entries.get(endpointId);
    if (entry && (await entry.answer) === token && this.#entries.get(endpointId) === entry)
      this.#entries.delete(endpointId);
  }
}

function lifetimeOf(answer: Answer): number {
  if (!('token' in answer)) return FAILURE_MS;
  const lifetime = Math.min(
    answer.expiresIn === null ? DEFAULT_LIFETIME_MS : answer.expiresIn * 1_000,
    MAX_LIFETIME_MS,
  );
  return lifetime - Math.min(MARGIN_MS, lifetime / 2);
}

const failed = ({ error, isOwnError }: TokenFailure, durationMs: number): AttemptOutcome => ({
  error,
  answer: null,
  isOwnError,
  resolveMs: null,
  headersMs: null,
  durationMs,
  remoteAddress: null,
});
