/** One entry of `errors`: a fault of the body (SPEC.md 2.5), or of a query parameter (CONTRACT.md 3). */
export interface ProblemDetail {
  readonly resource: string;
  readonly path: string;
  readonly parameter?: string;
  readonly code: string;
  readonly info?: string;
}

export interface ProblemOptions {
  readonly errors?: readonly ProblemDetail[];
  readonly headers?: Readonly<Record<string, string>>;
}

/** An answer that is not the one asked for: what a client reads of an error, decided where it is thrown. */
export class Problem extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly options: ProblemOptions = {},
  ) {
    super(message);
    this.name = 'Problem';
  }
}

export const notFound = (what: string): Problem => new Problem(404, `${what} was not found`);
