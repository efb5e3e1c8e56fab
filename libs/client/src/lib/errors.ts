import { type Problem } from '../generated/types.gen.js';

/** One violation in a body or a query parameter. */
export type Fault = NonNullable<Problem['errors']>[number];

/**
 * The API refused a request, or could not serve it. Each of the `faults` has its place: `path` is the JSON pointer into
 * the body, and `parameter` the name of a query parameter. Programs decide by `status` and `code`; the texts may
 * change.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  /** The code of the first fault, or the code of RFC 6749 at `/oauth/token`. */
  readonly code: string | undefined;
  readonly faults: readonly Fault[];
  /** The id of the request in the log of the service. */
  readonly requestId: string | undefined;
  /** Only with 429: the name of the exceeded limit. */
  readonly limit: string | undefined;

  constructor(
    readonly response: Response,
    /** The parsed body, or its text when it is not JSON, such as the text of a proxy. */
    readonly body: unknown,
  ) {
    const problem = (typeof body === 'object' ? (body ?? {}) : {}) as Partial<Problem> & { error?: string };
    const { message = `The answer has the status ${response.status}.`, errors = [] } = problem;
    const places = errors.map(({ path, parameter, code, info }) => `${parameter ?? path}: ${info ?? code}`);
    super([message, ...places].join('\n'));
    this.status = response.status;
    this.code = errors[0]?.code ?? problem.error;
    this.faults = errors;
    this.requestId = problem.request_id ?? response.headers.get('x-request-id') ?? undefined;
    this.limit = problem.limit;
  }
}

/** No answer arrived. `cause` has the error of `fetch`. The service may have executed the request. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
}
