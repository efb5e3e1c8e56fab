import { type ViolatedItem, type ViolationCode } from '@ats/domain';
import { type Message } from '@ats/message';

/**
 * One entry of `errors`: a violation in the body or in a query parameter.
 * Source: docs/reference/errors.md, "Error body".
 */
export interface ProblemDetail extends Partial<ViolatedItem> {
  readonly resource: string;
  readonly path: string;
  readonly parameter?: string;
  readonly code: ViolationCode;
  readonly info?: Message;
  /** The object that causes the violation. Present only when the credential may read it. */
  readonly existing?: { readonly id: number; readonly url: string };
}

export interface ProblemOptions {
  readonly errors?: readonly ProblemDetail[];
  readonly headers?: Readonly<Record<string, string>>;
  /** Further properties of the error body of one answer. */
  readonly details?: Readonly<Record<string, unknown>>;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Returns further properties for each error body of the route. */
    readonly errorDetails?: (problem: Problem) => Readonly<Record<string, unknown>>;
    /** True for a route outside the API prefix whose answers hold secrets. No cache may store them. */
    readonly isNeverCached?: true;
  }
}

/**
 * An error that becomes an answer. The code that throws it chooses the status and the text. `ProblemFilter` sends it
 * and chooses the language.
 */
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
