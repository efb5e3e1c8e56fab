import { describe, expect, test } from '@jest/globals';
import { compile, contextOf, NOW } from '../../test/recruiting.js';
import { ContextError } from './running/check-context.js';
import { compileExpression } from './running/compile.js';
import { evaluateDate } from './running/constant-date.js';
import { startOfDay } from './running/constant-operand.js';
import { DatapathTable } from './running/datapath-table.js';
import { explainExpression } from './running/explain.js';
import { type EvaluationContext } from './running/frame.js';
import { TopicIndex } from './index/topic-index.js';

const fails = (): never => {
  throw new Error('no');
};
const proxy = (target: object): never => new Proxy(target, { get: fails, has: fails, getPrototypeOf: fails }) as never;
const values = {
  'application.id': 1,
  'posting.closing_date': '2026-11-21T09:30:00Z',
  'posting.closing_dt': '2026-11-21',
  'application.user.Address.since_dt': ['2026-11-21', '2026-11-21T09:30:00Z'],
};
const context = contextOf(values);

const withNow = (now: unknown): EvaluationContext => ({ ...context, now: now as Date });
const withGetter = (name: keyof EvaluationContext): EvaluationContext =>
  Object.defineProperty({ ...context }, name, { get: fails });

const clock = [
  'posting.closing_dt <= DATE("now")',
  'posting.closing_dt == DATE("today")',
  'posting.closing_dt == DATE("today") + DTDURATION(0,1,0,0)',
];
const zone = [
  'posting.closing_date == "2026-11-21"',
  'posting.closing_dt == "2026-11-21"',
  'posting.closing_dt + DTDURATION(1,0,0,0) < DATE("2027-01-01T00:00Z")',
  'application.user.Address.since_dt == "2026-11-21"',
];
const value = ['application.id == 1', 'application.id != 1', 'application.user.Address.since_dt != null'];

const contexts: readonly (readonly [title: string, context: EvaluationContext, unknown: readonly string[]])[] = [
  ['that is a proxy', proxy({}), [...clock, ...zone, ...value]],
  ['whose valueOf throws when it is read', withGetter('valueOf'), [...clock, ...zone, ...value]],
  ['whose timeZone throws when it is read', withGetter('timeZone'), [...clock.slice(1), ...zone]],
  ['whose now throws when it is read', withGetter('now'), clock],
  ['whose now is an invalid date', withNow(new Date(NaN)), clock],
];

describe.each(contexts)('a context %s makes dependent results unknown and throws nothing', (_, hostile, unknown) => {
  test.each(unknown)('evaluates %s as unknown', (text) => {
    const compiled = compile(text);
    const index = new TopicIndex<string>();
    index.add('topic', compiled);
    expect(compiled.evaluate(hostile)).toBeUndefined();
    expect(compiled.test(hostile)).toBe(false);
    expect(explainExpression(compiled.checked, hostile).result).toBeNull();
    expect(index.evaluate(hostile)).toEqual({ matched: [], unknown: ['topic'] });
    expect(index.match(hostile)).toEqual([]);
  });
});

test('evaluation reads neither the clock nor the time zone for a condition that needs neither', () => {
  const hostile = {
    valueOf: () => '2026-11-21',
    get now(): Date {
      return fails();
    },
    get timeZone(): string {
      return fails();
    },
  };
  expect(compile('posting.closing_date + DTDURATION(1,0,0,0) == "2026-11-22"').evaluate(hostile)).toBe(true);
});

const withZone = (timeZone: unknown): EvaluationContext => ({ ...context, timeZone: timeZone as string });
const withValueOf = (valueOf: unknown): EvaluationContext => ({ ...context, valueOf: valueOf as never });
const all = [...clock, ...zone, ...value];

const mistakes: readonly (readonly [found: string, context: EvaluationContext, texts: readonly string[]])[] = [
  ['found undefined', undefined as never, all],
  ['found null', null as never, all],
  ['found "UTC"', 'UTC' as never, all],
  ['found undefined', Object.create(null) as never, value],
  ['found a value of type object', {} as never, value],
  ['found 5', withValueOf(5), value],
  ['found undefined', withNow(undefined), clock],
  ['found "2026-11-21"', withNow('2026-11-21'), clock],
  ['found a value of type object', withNow(new Proxy(NOW, {})), clock],
  ['found a value of type object', withNow(proxy(NOW)), clock],
  ['found a value of type object', withNow(Object.create(Date.prototype)), clock],
  ['found undefined', withZone(undefined), [...clock.slice(1), ...zone]],
  ['found Symbol(zone)', withZone(Symbol('zone')), zone],
  ['found a value of type function', withZone(fails), zone],
  ['found "Europe/Wien"', withZone('Europe/Wien'), [...clock.slice(1), ...zone]],
];

describe.each(mistakes)('a wrong context throws a ContextError with the text: %s', (found, wrong, texts) => {
  test.each(texts)('when %s is evaluated', (text) => {
    const table = new DatapathTable();
    const [compiled, shared] = [compile(text), compileExpression(compile(text).checked, table)];
    const index = new TopicIndex<string>();
    index.add('topic', compiled);
    for (const evaluate of [
      () => compiled.test(wrong),
      () => compiled.evaluate(wrong),
      () => shared.evaluateOpened(table.open(wrong)),
      () => explainExpression(compiled.checked, wrong),
      () => index.match(wrong),
      () => index.evaluate(wrong),
    ]) {
      expect(evaluate).toThrow(ContextError);
      expect(evaluate).toThrow(new RegExp(`, ${found.replace(/[()]/g, '.')}$`));
    }
  });
});

test('a constant date is not computed with an unknown time zone', () => {
  expect(() => evaluateDate('DATE("today")', withZone('Europe/Wien'))).toThrow(ContextError);
  expect(() => startOfDay(0, 'Europe/Wien')).toThrow(ContextError);
});

describe('a list', () => {
  const evaluate = (text: string, tags: unknown): boolean | undefined =>
    compile(text).evaluate(contextOf({ 'application.tags': tags }));

  test('is read by its length, not by its iterator', () => {
    let steps = 0;
    const next = (): IteratorResult<string> => (++steps > 10_000 ? fails() : { done: false, value: 'x' });
    const tags = Object.assign(['a', 'b'], { [Symbol.iterator]: () => ({ next }) });
    expect([evaluate('application.tags == "b"', tags), evaluate('application.tags == "x"', tags), steps]).toEqual([
      true,
      false,
      0,
    ]);
  });

  test.each([[Infinity], [NaN], ['2'], [{ valueOf: (): number => 2 }]])(
    'with the length %p is unreadable',
    (length) => {
      const tags = new Proxy(['a', 'b'], {
        get: (target, name): unknown => (name === 'length' ? length : Reflect.get(target, name)),
      });
      expect(evaluate('application.tags == "a"', tags)).toBeUndefined();
    },
  );
});
