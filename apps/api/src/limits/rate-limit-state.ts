/** What is left in a window, of a credential or of an address: the `RateLimit-*` headers. */
export interface RateLimitState {
  readonly limit: number;
  readonly remaining: number;
  /** Seconds to the end of the window, at least 1. */
  readonly resetSeconds: number;
}

/** @returns whole seconds, at least 1, after which `ms` are over */
export const secondsOf = (ms: number): number => Math.max(1, Math.ceil(ms / 1_000));

/** As proxies and clients know them: draft-ietf-httpapi-ratelimit-headers before its version 8. Source: CONTRACT.md 10. */
export const rateLimitHeaders = (state: RateLimitState | undefined): Record<string, string> =>
  state
    ? {
        'ratelimit-limit': String(state.limit),
        'ratelimit-remaining': String(state.remaining),
        'ratelimit-reset': String(state.resetSeconds),
      }
    : {};
