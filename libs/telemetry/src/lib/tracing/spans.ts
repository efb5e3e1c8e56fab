import {
  type Attributes,
  context,
  defaultTextMapGetter,
  defaultTextMapSetter,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';

export { type Attributes, type Span };

/** Options of `startSpan`. */
export interface SpanOptions {
  /** The role of the span, such as `CLIENT`. */
  readonly kind: keyof typeof SpanKind;
  /** The attributes of the span. */
  readonly attributes?: Attributes;
  /**
   * The `traceparent` of the W3C Trace Context to continue. Null or a malformed text begins a new trace. Defaults to
   * the span that is active when the new span starts.
   */
  readonly parent?: string | null | undefined;
}

const TRACEPARENT = 'traceparent';

/**
 * Starts a span. Without {@link startTracing}, the result is OpenTelemetry's span that does nothing.
 * @param name  a name with few different values, such as the pattern of a route, and never a URL
 */
export function startSpan(name: string, { kind, attributes, parent }: SpanOptions): Span {
  const within = parent === undefined ? context.active() : contextOf(parent);
  return trace
    .getTracer('@ats/telemetry')
    .startSpan(name, { kind: SpanKind[kind], ...(attributes && { attributes }) }, within);
}

const contextOf = (traceparent: string | null) =>
  propagation.extract(ROOT_CONTEXT, traceparent === null ? {} : { [TRACEPARENT]: traceparent }, defaultTextMapGetter);

/** Runs work while this span is active. Spans that the work starts are its children. */
export const runInSpan = <Result>(span: Span, work: () => Result): Result =>
  context.with(trace.setSpan(context.active(), span), work);

/**
 * Marks a span as failed. The caller must still end the span.
 * @param reason  a code, never a text that quotes a client
 */
export function failSpan(span: Span, reason: string): void {
  span.setAttribute('error.type', reason).setStatus({ code: SpanStatusCode.ERROR });
}

/**
 * Returns the `traceparent` of a span, with which another process or a later job can continue the trace. Its flag says
 * whether the trace is recorded. Null without {@link startTracing}.
 */
export const traceparentOf = (span: Span): string | null => traceparentIn(trace.setSpan(ROOT_CONTEXT, span));

/** Returns the `traceparent` of the active span. Store it with work that runs later. Null when no span is active. */
export const currentTraceparent = (): string | null => traceparentIn(context.active());

function traceparentIn(within: typeof ROOT_CONTEXT): string | null {
  const headers: Record<string, string> = {};
  propagation.inject(within, headers, defaultTextMapSetter);
  return headers[TRACEPARENT] ?? null;
}

/** Returns the ids of the active span as fields of a log line. The result has no fields when no span is active. */
export function traceFields(): { readonly trace_id?: string; readonly span_id?: string } {
  const active = trace.getActiveSpan()?.spanContext();
  return active ? { trace_id: active.traceId, span_id: active.spanId } : {};
}
