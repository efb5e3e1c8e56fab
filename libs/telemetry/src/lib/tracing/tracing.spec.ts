import { afterEach, describe, expect, it } from '@jest/globals';
import { currentTraceparent, isTracing, NO_SPAN, startSpan, traceFields } from './spans.js';
import { startTracing, stopTracing } from './tracing.js';

/** Nobody is there, which is of no interest here: what arrives is tested with the apps. */
const NOBODY = 'http://127.0.0.1:1';
const PARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

const start = (endpoint: string | undefined, { isDisabled }: { readonly isDisabled?: boolean } = {}): Promise<void> =>
  startTracing({
    endpoint,
    isDisabled,
    protocol: 'http/protobuf',
    serviceName: 'spec',
    version: '1',
    require: () => undefined,
    onCollector: () => undefined,
  });

afterEach(stopTracing);

describe('without a collector', () => {
  it.each([
    [undefined, {}],
    [NOBODY, { isDisabled: true }],
  ] as const)('no spans are made: %p %p', async (endpoint, options) => {
    await start(endpoint, options);
    expect([isTracing(), startSpan('work', { kind: 'INTERNAL' }), traceFields(), currentTraceparent()]).toEqual([
      false,
      NO_SPAN,
      {},
      null,
    ]);
    expect(NO_SPAN.run(() => 'done')).toBe('done');
  });
});

describe('with a collector', () => {
  it('a span goes on with a trace, and hands it on to what runs in it', async () => {
    await start(NOBODY);
    const span = startSpan('work', { kind: 'CONSUMER', parent: PARENT });
    expect(span.traceparent).toMatch(/^00-0af7651916cd43dd8448eb211c80319c-[0-9a-f]{16}-01$/);
    const within = await span.run(async () => {
      await new Promise(setImmediate);
      return {
        traceparent: currentTraceparent(),
        fields: traceFields(),
        below: startSpan('part', { kind: 'INTERNAL' }).traceparent,
      };
    });
    expect(within.traceparent).toBe(span.traceparent);
    expect(within.fields).toEqual({
      trace_id: '0af7651916cd43dd8448eb211c80319c',
      span_id: span.traceparent?.slice(36, 52),
    });
    expect(within.below).toMatch(/^00-0af7651916cd43dd8448eb211c80319c-/);
    expect(currentTraceparent()).toBeNull();
  });

  it.each([null, '', 'nonsense', '00-00000000000000000000000000000000-b7ad6b7169203331-01'])(
    'a trace begins where there is none: %p',
    async (parent) => {
      await start(NOBODY);
      const span = startSpan('work', { kind: 'SERVER', parent });
      expect(span.traceparent).toMatch(/^00-(?!0{32})[0-9a-f]{32}-[0-9a-f]{16}-01$/);
    },
  );

  it('what somebody has decided not to keep is not kept by those after either', async () => {
    await start(NOBODY);
    expect(startSpan('work', { kind: 'SERVER', parent: PARENT.replace(/01$/, '00') }).traceparent).toMatch(/-00$/);
  });
});
