import { type Message } from '@ats/message';

/** One entry of `errors`: a fault of the body (SPEC.md 2.5), or of a query parameter (CONTRACT.md 3). */
export interface ProblemDetail {
  readonly resource: string;
  readonly path: string;
  readonly parameter?: string;
  readonly code: string;
  readonly info?: Message;
}

export interface ProblemOptions {
  readonly errors?: readonly ProblemDetail[];
  readonly headers?: Readonly<Record<string, string>>;
  /** Further properties of the body. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/** An answer that is not the one asked for: what a client reads of an error, decided where it is thrown, and in which language where it is sent. */
export class Problem extends Error {
  constructor(
    readonly status: number,
    readonly text: Message,
    readonly options: ProblemOptions = {},
  ) {
    super(String(text));
    this.name = 'Problem';
  }
}
