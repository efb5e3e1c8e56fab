import { type Hook, type HookedRequest, onceOver, routeOf } from '../hooks.js';
import { type Attributes, failSpan, runInSpan, type Span, startSpan } from './spans.js';

/** Options of `tracingHooks`. */
export interface RequestTracing<Request extends HookedRequest> {
  /** Returns true when requests to a route get a span. The route is undefined when no route matches the request. */
  readonly isTraced: (route: string | undefined) => boolean;
  /** Returns attributes that are known only when the answer is complete. */
  readonly describe: (request: Request) => Attributes;
}

/** The hooks that `tracingHooks` makes for a Fastify server. */
export interface TracingHooks<Request extends HookedRequest> {
  /** Starts the span. Add it before other hooks, so that their work belongs to the trace. */
  readonly onRequest: Hook<Request>;
  /** Makes the span active again, because reading a body leaves the context that `onRequest` has set. */
  readonly preValidation: Hook<Request>;
}

/**
 * Makes hooks that create a span for each request of a server. The span continues the trace of the client's
 * `traceparent` header.
 */
export function tracingHooks<Request extends HookedRequest>({
  isTraced,
  describe,
}: RequestTracing<Request>): TracingHooks<Request> {
  const spans = new WeakMap<Request, Span>();
  return {
    onRequest(request, reply, done) {
      const route = routeOf(request);
      if (!isTraced(route)) return done();
      const span = startSpan(route === undefined ? request.method : `${request.method} ${route}`, {
        kind: 'SERVER',
        parent: parentOf(request),
        attributes: { 'http.request.method': request.method, 'http.route': route },
      });
      spans.set(request, span);
      onceOver(reply, (status) => end(span, status, describe(request)));
      runInSpan(span, done);
    },
    preValidation(request, _reply, done) {
      const span = spans.get(request);
      if (span) runInSpan(span, done);
      else done();
    },
  };
}

/** Returns the client's `traceparent`. Null begins a new trace. */
const parentOf = ({ headers }: HookedRequest): string | null => {
  const { traceparent } = headers;
  return typeof traceparent === 'string' ? traceparent : null;
};

function end(span: Span, status: number, attributes: Attributes): void {
  span.setAttributes({ ...attributes, 'http.response.status_code': status });
  if (status >= 500) failSpan(span, String(status));
  span.end();
}
