import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { ManualClock, settled } from '../../test/support/manual-clock.js';
import { CountCache, type CountRequest } from './count-cache.js';

let clock: ManualClock;
let counts: CountCache;
let logged: ReturnType<typeof jest.spyOn>;

beforeEach(() => {
  clock = new ManualClock();
  counts = new CountCache(2, clock);
  logged = jest.spyOn(Logger.prototype, 'error').mockReturnValue(undefined);
});
afterEach(() => void jest.restoreAllMocks());

/**
 * Records the statements that the cache sends. The test decides when each statement ends and which count it returns.
 */
class Script {
  readonly sent: { answer(total: number, snapshot: string): Promise<void>; fail(error: Error): Promise<void> }[] = [];

  readonly run = () =>
    new Promise<{ total: number; snapshot: string }>((resolve, reject) => {
      this.sent.push({
        answer: (total, snapshot) => (resolve({ total, snapshot }), settled()),
        fail: (error) => (reject(error), settled()),
      });
    });
}

const count = (script: Script, options: Partial<CountRequest> = {}) =>
  counts.count({ key: 'SELECT 1', snapshot: 's1', since: clock.now(), credentialId: 1, run: script.run, ...options });

/** Makes a count that begins now, takes `tookMs`, and is 100 on snapshot s1. */
async function counted(tookMs: number, options: Partial<CountRequest> = {}): Promise<Script> {
  const script = new Script();
  const first = count(script, options);
  await clock.advance(tookMs);
  await script.sent[0]?.answer(100, 's1');
  expect(await first).toBe(100);
  return script;
}

/**
 * Requests a count on snapshot s2 and answers the statements that the cache sends. Returns the served count and the
 * number of statements.
 */
async function ask(
  script: Script,
  total: number,
  options: Partial<CountRequest> = {},
): Promise<{ served: number | undefined; sent: number }> {
  const before = script.sent.length;
  const served = count(script, { snapshot: 's2', ...options });
  await settled();
  const sent = script.sent.slice(before);
  await Promise.all(sent.map((statement) => statement.answer(total, 's2')));
  return { served: await served, sent: sent.length };
}

const SLOW = 6;

describe('a cached count from the same database snapshot as the page', () => {
  test('is served at any age, also to a client that has written', async () => {
    const script = await counted(SLOW);
    await clock.advance(3_600_000);
    counts.noteWrite(1);
    expect(await ask(script, 101, { snapshot: 's1' })).toEqual({ served: 100, sent: 0 });
  });

  test('is exact for the time when the page began, and is served to other pages for two seconds after it', async () => {
    for (const [later, expected] of [
      [500, 100],
      [501, 101],
    ] as const) {
      const key = String(later);
      const script = await counted(SLOW, { key });
      await clock.advance(5_000);
      await ask(script, 101, { key, snapshot: 's1', since: clock.now() - 1_500 });
      await clock.advance(later);
      expect((await ask(script, 101, { key })).served).toBe(expected);
    }
  });

  test('is not treated as exact when its SQL depends on the current time', async () => {
    const key = 'SELECT count(*) FROM postings k WHERE k.closing_date < system_today()';
    const script = await counted(SLOW, { key });
    await clock.advance(1_994);
    expect(await ask(script, 101, { key, snapshot: 's1' })).toEqual({ served: 100, sent: 1 });
    await clock.advance(2_001);
    expect(await ask(script, 102, { key, snapshot: 's1' })).toEqual({ served: 102, sent: 1 });
  });
});

describe('a cached count from another database snapshot than the page', () => {
  test('is made again when counting is cheap', async () => {
    expect(await ask(await counted(4), 101)).toEqual({ served: 101, sent: 1 });
  });

  test('is served from the cache when counting is slow', async () => {
    expect(await ask(await counted(5), 101)).toEqual({ served: 100, sent: 0 });
  });

  test('is served from the cache when counting is cheap but all connections are busy', async () => {
    const script = await counted(4);
    void count(new Script(), { key: 'slow' });
    void count(new Script(), { key: 'slow too' });
    await settled();
    expect(await ask(script, 101)).toEqual({ served: 100, sent: 0 });
  });

  test('is served for two seconds after it began', async () => {
    const script = await counted(SLOW);
    await clock.advance(2_000 - SLOW);
    expect((await ask(script, 101)).served).toBe(100);
    const late = await counted(SLOW, { key: 'late' });
    await clock.advance(2_001 - SLOW);
    expect(await ask(late, 101, { key: 'late' })).toEqual({ served: 101, sent: 1 });
  });

  test('is refreshed once in the background when it is one second old', async () => {
    const script = await counted(SLOW);
    await clock.advance(999 - SLOW);
    expect(await ask(script, 101)).toEqual({ served: 100, sent: 0 });
    await clock.advance(1);
    expect(await Promise.all([count(script, { snapshot: 's2' }), count(script, { snapshot: 's3' })])).toEqual([
      100, 100,
    ]);
    await settled();
    expect(script.sent).toHaveLength(2);
    await clock.advance(SLOW);
    await script.sent[1]?.answer(101, 's2');
    expect(await ask(script, 102)).toEqual({ served: 101, sent: 0 });
  });
});

describe('a client that has written', () => {
  test('gets no count that began before its write; other clients may get that count', async () => {
    const script = await counted(SLOW);
    await clock.advance(1);
    counts.noteWrite(1);
    expect(await ask(script, 101, { credentialId: 2 })).toEqual({ served: 100, sent: 0 });
    await clock.advance(1);
    expect(await ask(script, 101)).toEqual({ served: 101, sent: 1 });
    expect((await ask(script, 102)).served).toBe(101);
  });

  test('does not wait for a count that began before its write', async () => {
    const script = new Script();
    const [first, second] = [count(script), count(script, { credentialId: 2 })];
    await clock.advance(1);
    counts.noteWrite(1);
    const own = count(script);
    const third = count(script, { credentialId: 2 });
    await settled();
    expect(script.sent).toHaveLength(2);
    await script.sent[1]?.answer(101, 's2');
    await script.sent[0]?.answer(100, 's1');
    expect(await Promise.all([first, second, own, third])).toEqual([100, 100, 101, 101]);
    // The older count ends last, and must not replace the newer count.
    expect((await ask(script, 102, { snapshot: 's2' })).served).toBe(101);
  });

  test('shares a count that another client requested before the write but that begins after the write', async () => {
    const slow = [new Script(), new Script()];
    slow.forEach((script, index) => void count(script, { key: `slow ${index}` }));
    await settled();
    const script = new Script();
    const waiting = [count(script)];
    await clock.advance(1);
    counts.noteWrite(1);
    waiting.push(count(script));
    await slow[0]?.sent[0]?.answer(1, 's1');
    expect(script.sent).toHaveLength(1);
    await script.sent[0]?.answer(101, 's2');
    expect(await Promise.all(waiting)).toEqual([101, 101]);
  });
});

describe('concurrent requests for one count', () => {
  test('get the same answer from one statement', async () => {
    const script = new Script();
    const callers = Array.from({ length: 50 }, () => count(script));
    await settled();
    expect(script.sent).toHaveLength(1);
    await script.sent[0]?.answer(100, 's1');
    expect(new Set(await Promise.all(callers))).toEqual(new Set([100]));
  });

  test('run at most as many count statements as there are connections', async () => {
    const scripts = Array.from({ length: 5 }, () => new Script());
    scripts.forEach((script, index) => void count(script, { key: String(index) }));
    await settled();
    expect(scripts.map(({ sent }) => sent.length)).toEqual([1, 1, 0, 0, 0]);
    await scripts[1]?.sent[0]?.answer(1, 's1');
    expect(scripts.map(({ sent }) => sent.length)).toEqual([1, 1, 1, 0, 0]);
  });
});

describe('a count that takes longer than two seconds', () => {
  test('is undefined for all waiting requests and is not repeated for ten seconds', async () => {
    const script = new Script();
    const first = count(script);
    await clock.advance(1_900);
    const second = count(script);
    await clock.advance(100);
    expect(await Promise.all([first, second])).toEqual([undefined, undefined]);
    await clock.advance(100);
    await script.sent[0]?.fail(cancelled());
    await clock.advance(9_899);
    expect(await ask(script, 101)).toEqual({ served: undefined, sent: 0 });
    await clock.advance(1);
    expect(await ask(script, 101)).toEqual({ served: 101, sent: 1 });
  });

  test('is served, once it ends, to a page with the same snapshot', async () => {
    const script = new Script();
    const first = count(script);
    await clock.advance(2_500);
    expect(await first).toBeUndefined();
    await script.sent[0]?.answer(100, 's1');
    expect(await ask(script, 101, { snapshot: 's1' })).toEqual({ served: 100, sent: 0 });
    await clock.advance(2_001);
    expect(await ask(script, 101)).toEqual({ served: undefined, sent: 0 });
  });

  test('is not started when no request waits for it any more', async () => {
    const slow = [new Script(), new Script()];
    slow.forEach((script, index) => void count(script, { key: `slow ${index}` }));
    const script = new Script();
    const waiting = count(script);
    await clock.advance(2_000);
    expect(await waiting).toBeUndefined();
    await slow[0]?.sent[0]?.answer(1, 's1');
    expect(script.sent).toHaveLength(0);
  });

  test('does not replace the previous count, which is served until it is too old', async () => {
    const script = await counted(SLOW);
    await clock.advance(1_000);
    expect((await Promise.all([count(script, { snapshot: 's2' }), settled()]))[0]).toBe(100);
    await script.sent[1]?.fail(cancelled());
    expect(await ask(script, 101)).toEqual({ served: 100, sent: 0 });
    await clock.advance(1_000);
    expect(await ask(script, 101)).toEqual({ served: undefined, sent: 0 });
  });
});

describe('a count that fails', () => {
  async function fail(error: Error, key: string): Promise<number | undefined> {
    const script = new Script();
    const asked = count(script, { key });
    await settled();
    await script.sent[0]?.fail(error);
    return asked;
  }

  test('is undefined, and is logged once until a count succeeds', async () => {
    expect(await fail(new Error('lost'), 'a')).toBeUndefined();
    expect(await fail(new Error('lost'), 'b')).toBeUndefined();
    expect(logged).toHaveBeenCalledTimes(1);
    await counted(SLOW, { key: 'c' });
    await fail(new Error('lost again'), 'd');
    expect(logged).toHaveBeenCalledTimes(2);
    expect(logged).toHaveBeenLastCalledWith(new Error('lost again'));
  });

  test('is undefined and not logged when the statement timed out', async () => {
    expect(await fail(cancelled(), 'a')).toBeUndefined();
    expect(logged).not.toHaveBeenCalled();
  });
});

describe('the cache of counts', () => {
  test('keeps the 1000 most recently used keys', async () => {
    const first = await counted(SLOW, { key: 'first' });
    const second = await counted(SLOW, { key: 'second' });
    for (let index = 3; index <= 1_000; index++) await counted(SLOW, { key: String(index) });
    expect(await ask(first, 101, { key: 'first', snapshot: 's1' })).toEqual({ served: 100, sent: 0 });
    await counted(SLOW, { key: 'one more' });
    expect(await ask(first, 101, { key: 'first', snapshot: 's1' })).toEqual({ served: 100, sent: 0 });
    expect(await ask(second, 101, { key: 'second', snapshot: 's1' })).toEqual({ served: 101, sent: 1 });
  });

  test('distinguishes long keys that differ in the last character', async () => {
    const key = 'x'.repeat(100_000);
    await counted(SLOW, { key: `${key}1` });
    expect(await ask(new Script(), 7, { key: `${key}2`, snapshot: 's1' })).toEqual({ served: 7, sent: 1 });
  });
});

const cancelled = (): Error =>
  Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' });
