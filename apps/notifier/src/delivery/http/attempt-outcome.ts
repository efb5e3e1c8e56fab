import { type AttemptError } from '@ats/domain';

export { type AttemptError };

/** The answer of a destination. */
export interface Answer {
  readonly statusCode: number;
  /** The first 16 headers. Their names are in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The unparsed `Retry-After` header. */
  readonly retryAfter: string | null;
  /** The start of the body, at most 16 KiB. */
  readonly excerpt: string;
  readonly isTruncated: boolean;
}

export interface AttemptOutcome {
  /** The error code. Null for a success. */
  readonly error: AttemptError | null;
  readonly answer: Answer | null;
  /** True for an error inside the notifier. Such an attempt does not count as a failure of the destination. */
  readonly isOwnError: boolean;
  readonly resolveMs: number | null;
  readonly headersMs: number | null;
  readonly durationMs: number;
  readonly remoteAddress: string | null;
}

/** The outcome of an attempt that could not begin because of an error inside the notifier. */
export const OWN_ERROR: AttemptOutcome = {
  error: 'failed',
  answer: null,
  isOwnError: true,
  resolveMs: null,
  headersMs: null,
  durationMs: 0,
  remoteAddress: null,
};
