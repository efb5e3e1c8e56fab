import { type AttemptError } from '@ats/domain';

export { type AttemptError };

/** What a destination answered. */
export interface Answer {
  readonly statusCode: number;
  /** The first ones, names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** `Retry-After`, as it was sent. */
  readonly retryAfter: string | null;
  /** At most 16 KiB of the body. */
  readonly excerpt: string;
  readonly isTruncated: boolean;
}

export interface AttemptOutcome {
  /** Null for a success. */
  readonly error: AttemptError | null;
  readonly answer: Answer | null;
  /** Not the destination's fault: the attempt does not count against it. */
  readonly isOurFault: boolean;
  readonly resolveMs: number | null;
  readonly headersMs: number | null;
  readonly durationMs: number;
  readonly remoteAddress: string | null;
}
