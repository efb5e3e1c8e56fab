import {
  type Context,
  context,
  defaultTextMapGetter,
  defaultTextMapSetter,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
  type Tracer,
} from '@opentelemetry/api';
import { TRACE_PARENT_HEADER, W3CTraceContextPropagator } from '@opentelemetry/core';
import { type SpanMaker, type TracedSpan } from './spans.js';

const propagator = new W3CTraceContextPropagator();

/** Makes OpenTelemetry's spans. */
export const spanMaker = (tracer: Tracer): SpanMaker => ({
  start(name, { kind, attributes, parent }) {
    const from = parent === undefined ? context.active() : contextOf(parent);
    const span = tracer.startSpan(
      name,
      { kind: SpanKind[kind], ...(attributes && { attributes: { ...attributes } }) },
      from,
    );
    return tracedSpan(span, trace.setSpan(from, span));
  },
  active() {
    const span = trace.getActiveSpan();
    const found = span?.spanContext();
    const traceparent = span && traceparentOf(context.active());
    return found && traceparent ? { traceId: found.traceId, spanId: found.spanId, traceparent } : null;
  },
});

const tracedSpan = (span: Span, within: Context): TracedSpan => ({
  traceparent: traceparentOf(within) ?? null,
  run: (work) => context.with(within, work),
  set: (attributes) => void span.setAttributes({ ...attributes }),
  fail(reason) {
    span.setAttribute('error.type', reason);
    span.setStatus({ code: SpanStatusCode.ERROR });
  },
  end: () => span.end(),
});

/** Of a request, an event or a delivery. A trace begins where there is none, or no valid one. */
function contextOf(traceparent: string | null): Context {
  if (traceparent === null) return ROOT_CONTEXT;
  return propagator.extract(ROOT_CONTEXT, { [TRACE_PARENT_HEADER]: traceparent }, defaultTextMapGetter);
}

/** Also of a trace that is not recorded: that it is not is handed on too. */
function traceparentOf(within: Context): string | undefined {
  const carrier: Record<string, string> = {};
  propagator.inject(within, carrier, defaultTextMapSetter);
  return carrier[TRACE_PARENT_HEADER];
}
