import { createRequire } from 'node:module';
import { afterEach, describe, expect, it } from '@jest/globals';
import { currentTraceparent, runInSpan, startSpan, traceFields, traceparentOf } from './spans.js';
import { isTracing, startTracing, stopTracing } from './tracing.js';

/** No server listens at this URL. The end-to-end tests of the apps check which spans a collector receives. */
const UNREACHABLE = 'http://127.0.0.1:1';
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
    [UNREACHABLE, { isDisabled: true }],
  ] as const)('no spans are recorded: endpoint %p, options %p', async (endpoint, options) => {
    await start(endpoint, options);
    const span = startSpan('work', { kind: 'INTERNAL', parent: PARENT });
    expect([isTracing(), span.isRecording(), traceparentOf(span), traceFields(), currentTraceparent()]).toEqual([
      false,
      false,
      null,
      {},
      null,
    ]);
    expect(runInSpan(span, () => ['done', traceFields(), currentTraceparent()])).toEqual(['done', {}, null]);
  });
});

describe('with a collector', () => {
  it('a span continues its parent trace and is the parent of spans started within it', async () => {
    await start(UNREACHABLE);
    const span = startSpan('work', { kind: 'CONSUMER', parent: PARENT });
    expect(traceparentOf(span)).toMatch(/^00-0af7651916cd43dd8448eb211c80319c-[0-9a-f]{16}-01$/);
    const within = await runInSpan(span, async () => {
      await new Promise(setImmediate);
      return {
        traceparent: currentTraceparent(),
        fields: traceFields(),
        below: traceparentOf(startSpan('part', { kind: 'INTERNAL' })),
      };
    });
    expect(within.traceparent).toBe(traceparentOf(span));
    expect(within.fields).toEqual({
      trace_id: '0af7651916cd43dd8448eb211c80319c',
      span_id: traceparentOf(span)?.slice(36, 52),
    });
    expect(within.below).toMatch(/^00-0af7651916cd43dd8448eb211c80319c-/);
    expect(currentTraceparent()).toBeNull();
  });

  it.each([null, '', 'nonsense', '00-00000000000000000000000000000000-b7ad6b7169203331-01'])(
    'a span begins a new trace when its parent is %p',
    async (parent) => {
      await start(UNREACHABLE);
      const span = startSpan('work', { kind: 'SERVER', parent });
      expect(traceparentOf(span)).toMatch(/^00-(?!0{32})[0-9a-f]{32}-[0-9a-f]{16}-01$/);
    },
  );

  it('a span inherits the decision not to record its trace', async () => {
    await start(UNREACHABLE);
    const span = startSpan('work', { kind: 'SERVER', parent: PARENT.replace(/01$/, '00') });
    expect(traceparentOf(span)).toMatch(/-00$/);
  });

  it('no spans are recorded after tracing has stopped', async () => {
    await start(UNREACHABLE);
    await stopTracing();
    const span = startSpan('work', { kind: 'SERVER', parent: PARENT });
    expect([isTracing(), span.isRecording(), traceparentOf(span)]).toEqual([false, false, null]);
  });
});

describe('the instrumentation of drivers', () => {
  const startWith = (require: (name: string) => unknown): Promise<void> =>
    startTracing({
      endpoint: UNREACHABLE,
      protocol: 'http/json',
      serviceName: 'spec',
      version: '1',
      require,
      onCollector: () => undefined,
    });

  it('starts without drivers that are not installed', async () => {
    const asked: string[] = [];
    const require = createRequire('/nowhere/app.js');
    await startWith((name) => (asked.push(name), require(`${name}-that-nobody-has-installed`)));
    expect([asked, isTracing()]).toEqual([['pg', 'ioredis'], true]);
  });

  it('reports a driver that cannot be loaded for another reason', async () => {
    await expect(
      startWith(() => {
        throw new Error('the driver is broken');
      }),
    ).rejects.toThrow('the driver is broken');
  });
});
