import { type Problem } from '../generated/types.gen.js';

/** One violation of a body or a query parameter. */
export type Violation = NonNullable<Problem['errors']>[number];

/**
 * The error for an answer with which the API refused a request, or could not serve it. Each of the `violations` names its
 * place: `path` is a JSON pointer into the body, and `parameter` the name of a query parameter. Programs should use
 * `status` and `code`, because texts may change.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  /** The code of the first violation. For `/oauth/token`, it is the error code of RFC 6749. */
  readonly code: Violation['code'] | Problem['error'];
  readonly violations: readonly Violation[];
  /** The id of the request in the log of the service. */
  readonly requestId: string | undefined;
  /** The name of the exceeded limit. Present only with the status 429. */
  readonly limit: string | undefined;

  constructor(
    readonly response: Response,
    /** The parsed body of the answer. When it is not JSON, such as that of a proxy, it is the text. */
    readonly body: unknown,
  ) {
    const problem = (typeof body === 'object' ? (body ?? {}) : {}) as Partial<Problem>;
    const { message = `The answer has the status ${response.status}.`, errors = [] } = problem;
    const places = errors.map(({ path, parameter, code, info }) => {
      const place = parameter ?? path; // An empty path means the whole body.
      return place ? `${place}: ${info ?? code}` : (info ?? code);
    });
    super([message, ...places].join('\n'));
    this.status = response.status;
    this.code = errors[0]?.code ?? problem.error;
    this.violations = errors;
    this.requestId = problem.request_id ?? response.headers.get('x-request-id') ?? undefined;
    this.limit = problem.limit;
  }
}

/**
 * The error for a request without an answer, or with an answer whose end is missing. `cause` has the error of `fetch`.
 * The service may have executed the request. Streams fail with it, too.
 */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
}
