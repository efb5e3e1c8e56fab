import { type SpanMaker } from './spans.js';

export interface RunningTracing {
  readonly maker: SpanMaker | null;
  stop(): Promise<void>;
}

export const NO_TRACING: RunningTracing = { maker: null, stop: () => Promise.resolve() };
