import { type SpanKind } from '@opentelemetry/api';

export type SpanAttributes = Readonly<Record<string, string | number | boolean | undefined>>;

export interface SpanOptions {
  readonly kind: keyof typeof SpanKind;
  readonly attributes?: SpanAttributes;
  /** `traceparent` of W3C Trace Context. Without one, or with one that is malformed, a trace begins; left out: goes on with what runs. */
  readonly parent?: string | null | undefined;
}

/** A part of a trace, or nothing at all when nobody collects traces. */
export interface TracedSpan {
  /** To be handed on, so that others go on with the trace; null when there is none. */
  readonly traceparent: string | null;
  /** Does something as a part of the span: what that starts is below it. */
  run<T>(work: () => T): T;
  /** @param attributes  names that are not known to be harmless do not leave the process, see `harmless-spans.ts` */
  set(attributes: SpanAttributes): void;
  /** @param reason  a code, never a text that quotes what somebody has sent */
  fail(reason: string): void;
  end(): void;
}

/** What spans are made with once somebody collects them; types alone are imported here, so that nothing is loaded until then. */
export interface SpanMaker {
  start(name: string, options: SpanOptions): TracedSpan;
  active(): { readonly traceId: string; readonly spanId: string; readonly traceparent: string } | null;
}

export const NO_SPAN: TracedSpan = {
  traceparent: null,
  run: (work) => work(),
  set: () => undefined,
  fail: () => undefined,
  end: () => undefined,
};

let maker: SpanMaker | null = null;

/** For `tracing.ts` alone. */
export function useSpanMaker(made: SpanMaker | null): void {
  maker = made;
}

/** Whether somebody collects traces. */
export const isTracing = (): boolean => maker !== null;

/** @param name  of few: a route's pattern, never an address */
export const startSpan = (name: string, options: SpanOptions): TracedSpan => maker?.start(name, options) ?? NO_SPAN;

/** `traceparent` of what runs at this moment, to be stored beside what it causes; null when no trace is collected. */
export const currentTraceparent = (): string | null => maker?.active()?.traceparent ?? null;

/** For a log line, so that it is found from its trace, and the trace from it; empty when there is none. */
export function traceFields(): { readonly trace_id?: string; readonly span_id?: string } {
  const active = maker?.active();
  return active ? { trace_id: active.traceId, span_id: active.spanId } : {};
}
