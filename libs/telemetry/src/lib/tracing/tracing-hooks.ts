import { type Hook, type HookedRequest, onceOver, routeOf } from '../hooks.js';
import { type SpanAttributes, startSpan, type TracedSpan } from './spans.js';

export interface RequestTracing<Request extends HookedRequest> {
  /** Whether requests to a route are worth a span; undefined: no route takes the request. */
  readonly isTraced: (route: string | undefined) => boolean;
  /** What is known once a request has been answered. */
  readonly describe: (request: Request) => SpanAttributes;
}

export interface TracingHooks<Request extends HookedRequest> {
  /** To be added before others, so that what they do is a part of the trace. */
  readonly onRequest: Hook<Request>;
  /** A body arrives in a context of its own, in which everything after it would run. */
  readonly preValidation: Hook<Request>;
}

/** A span for each request of a server, which goes on with the trace of its client (`traceparent`). */
export function tracingHooks<Request extends HookedRequest>({
  isTraced,
  describe,
}: RequestTracing<Request>): TracingHooks<Request> {
  const spans = new WeakMap<Request, TracedSpan>();
  return {
    onRequest(request, reply, done) {
      const route = routeOf(request);
      if (!isTraced(route)) return done();
      const span = startSpan(route === undefined ? request.method : `${request.method} ${route}`, {
        kind: 'SERVER',
        parent: parentOf(request),
        attributes: { 'http.request.method': request.method, 'http.route': route, 'ats.request.id': request.id },
      });
      spans.set(request, span);
      onceOver(reply, (status) => end(span, status, describe(request)));
      span.run(done);
    },
    preValidation(request, _reply, done) {
      const span = spans.get(request);
      if (span) span.run(done);
      else done();
    },
  };
}

/** Null, and so a new trace, unless there is a header. */
const parentOf = ({ headers }: HookedRequest): string | null => {
  const { traceparent } = headers;
  return typeof traceparent === 'string' ? traceparent : null;
};

function end(span: TracedSpan, status: number, attributes: SpanAttributes): void {
  span.set({ ...attributes, 'http.response.status_code': status });
  if (status >= 500) span.fail(String(status));
  span.end();
}
