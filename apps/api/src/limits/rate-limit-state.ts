/** The state of the window of a credential or of a client network, as the `RateLimit-*` headers show it. */
export interface RateLimitState {
  readonly limit: number;
  readonly remaining: number;
  /** Seconds until the end of the window, at least 1. */
  readonly resetSeconds: number;
}

/** Rounds milliseconds up to whole seconds, at least 1. */
export const secondsOf = (ms: number): number => Math.max(1, Math.ceil(ms / 1_000));

/**
 * Returns the `RateLimit-*` headers that proxies and clients support: draft-ietf-httpapi-ratelimit-headers before
 * version 8.
 * Source: docs/reference/limits.md, "Rate limit".
 */
export const rateLimitHeaders = (state: RateLimitState | undefined): Record<string, string> =>
  state
    ? {
        'ratelimit-limit': String(state.limit),
        'ratelimit-remaining': String(state.remaining),
        'ratelimit-reset': String(state.resetSeconds),
      }
    : {};
