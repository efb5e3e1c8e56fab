import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import { ExportResultCode } from '@opentelemetry/core';
import { defaultResource } from '@opentelemetry/resources';
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  SimpleSpanProcessor,
  type SpanExporter,
} from '@opentelemetry/sdk-trace-node';
import { expect, it } from '@jest/globals';
import { HarmlessSpans } from './harmless-spans.js';

const ignore = (): void => undefined;

it('HarmlessSpans exports only attributes on the list, without events and messages', () => {
  const kept = new InMemorySpanExporter();
  const provider = new NodeTracerProvider({
    resource: defaultResource(),
    spanProcessors: [new SimpleSpanProcessor(new HarmlessSpans(kept, ignore))],
  });
  const span = provider.getTracer('spec').startSpan('INSERT', {
    kind: SpanKind.CLIENT,
    links: [
      { context: { traceId: '1'.repeat(32), spanId: '2'.repeat(16), traceFlags: 1 }, attributes: { of: 'robin' } },
    ],
  });
  span.setAttributes({
    'db.query.text': `INSERT ${'x'.repeat(5_000)}`,
    'http.route': '/candidates/:id',
    'url.full': '/candidates?search=robin',
    'server.address': 'db.internal',
  });
  span.addEvent('robin', { email: 'robin@example.com' });
  span.recordException(new Error('robin@example.com is no integer'));
  span.setStatus({ code: SpanStatusCode.ERROR, message: 'robin@example.com is no integer' });
  span.end();
  const [out] = kept.getFinishedSpans();
  expect(out).toMatchObject({
    name: 'INSERT',
    kind: SpanKind.CLIENT,
    status: { code: SpanStatusCode.ERROR },
    events: [],
    links: [],
  });
  expect(out?.attributes).toEqual({ 'db.query.text': `INSERT ${'x'.repeat(1_993)}`, 'http.route': '/candidates/:id' });
  expect(JSON.stringify([out?.attributes, out?.events, out?.links, out?.status])).not.toContain('robin');
});

it('HarmlessSpans exports the attributes that the caller names, and drops others', () => {
  const kept = new InMemorySpanExporter();
  const spans = new HarmlessSpans(kept, ignore, ['shop.order.id']);
  const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] });
  const attributes = { 'shop.order.id': '4711', 'user.id': 'robin', 'http.route': '/orders/:id' };
  provider.getTracer('spec').startSpan('take order', { attributes }).end();
  expect(kept.getFinishedSpans().map((span) => span.attributes)).toEqual([
    { 'shop.order.id': '4711', 'http.route': '/orders/:id' },
  ]);
});

it('HarmlessSpans reports once that the collector is unavailable and once that it is available again', () => {
  let code = ExportResultCode.SUCCESS;
  const exporter: SpanExporter = { export: (_spans, done) => done({ code }), shutdown: () => Promise.resolve() };
  const said: boolean[] = [];
  const spans = new HarmlessSpans(exporter, (isThere) => said.push(isThere));
  const results: ExportResultCode[] = [];
  for (const next of [
    ExportResultCode.SUCCESS,
    ExportResultCode.FAILED,
    ExportResultCode.FAILED,
    ExportResultCode.SUCCESS,
  ]) {
    code = next;
    spans.export([], (result) => results.push(result.code));
  }
  expect([said, results]).toEqual([[false, true], Array(4).fill(ExportResultCode.SUCCESS)]);
});
