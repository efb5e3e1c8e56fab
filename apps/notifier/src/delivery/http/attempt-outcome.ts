import { type AttemptError } from '@ats/domain';

export { type AttemptError };

/** The answer of a destination. */
export interface Answer {
  readonly statusCode: number;
  /** The first 16 headers, with names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The `Retry-After` header, not parsed. */
  readonly retryAfter: string | null;
  /** The first 16 KiB of the body at most. */
  readonly excerpt: string;
  readonly isTruncated: boolean;
}

export interface AttemptOutcome {
  /** The error code. Null for a success. */
  readonly error: AttemptError | null;
  readonly answer: Answer | null;
  /** True for an error inside the notifier. The attempt does not count against the destination. */
  readonly isOwnError: boolean;
  readonly resolveMs: number | null;
  readonly headersMs: number | null;
  readonly durationMs: number;
  readonly remoteAddress: string | null;
}
