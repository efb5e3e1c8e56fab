// @group split: npm test draws a tenth of the random cases
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { condition, values } from '../../../test/arbitraries.js';
import { compile, contextOf, FAILS, type Values } from '../../../test/recruiting.js';
import { TopicIndex } from './topic-index.js';

/** Returns the number of random cases to draw: all in `npm run test:all`, a tenth of them in `npm test`. */
const runs = (all: number): number => (process.env['TEST_ALL'] === '1' ? all : all / 10);

const indexOf = (topics: Readonly<Record<string, string>>): TopicIndex<string> => {
  const index = new TopicIndex<string>();
  for (const [id, text] of Object.entries(topics)) index.add(id, compile(text));
  return index;
};

const matchOf = (topics: Readonly<Record<string, string>>, given: Values): string[] =>
  indexOf(topics).match(contextOf(given)).sort();

describe('the index gives the same result as evaluating every topic', () => {
  test('while topics are added, removed and replaced', () => {
    const step = fc.record({ id: fc.nat(12), text: fc.option(condition, { freq: 4 }) });
    fc.assert(
      fc.property(
        fc.array(step, { minLength: 1, maxLength: 40 }),
        fc.array(values({ withFailures: true }), { minLength: 1, maxLength: 4 }),
        (steps, events) => {
          const index = new TopicIndex<number>();
          const topics = new Map<number, ReturnType<typeof compile>>();
          for (const { id, text } of steps) {
            if (text === null) {
              index.remove(id);
              topics.delete(id);
            } else {
              index.add(id, compile(text));
              topics.set(id, compile(text));
            }
          }
          expect(index.size).toBe(topics.size);
          expect([...index.datapaths].sort()).toEqual(
            [...new Set([...topics.values()].flatMap(({ datapaths }) => datapaths))].sort(),
          );
          for (const given of events) {
            const context = contextOf(given, { timeZone: 'Europe/Vienna' });
            const evaluated = [...topics].map(([id, compiled]) => ({ id, result: compiled.evaluate(context) }));
            const idsWith = (wanted: boolean | undefined): number[] =>
              evaluated
                .filter(({ result }) => result === wanted)
                .map(({ id }) => id)
                .sort();
            expect(index.match(context).sort()).toEqual(idsWith(true));
            const { matched, unknown } = index.evaluate(context);
            expect({ matched: matched.sort(), unknown: unknown.sort() }).toEqual({
              matched: idsWith(true),
              unknown: idsWith(undefined),
            });
          }
        },
      ),
      { numRuns: runs(300) },
    );
  });

  test('for many topics with few different values', () => {
    fc.assert(
      fc.property(fc.array(condition, { minLength: 100, maxLength: 150 }), values(), (texts, given) => {
        const topics = texts.map((text) => compile(text));
        const index = new TopicIndex<number>();
        for (const [id, compiled] of topics.entries()) index.add(id, compiled);
        const context = contextOf(given);
        const expected = topics.flatMap((compiled, id) => (compiled.test(context) ? [id] : []));
        expect(index.match(context).sort((left, right) => left - right)).toEqual(expected);
      }),
      { numRuns: runs(30) },
    );
  });
});

describe('a topic in the index', () => {
  test('is returned once, even when an event matches several of its keys', () => {
    const topics = {
      a: 'application.tags IN ("x", "y")',
      b: 'application.id == 1 OR application.score == 2',
      c: 'application.user.Address.floor > 1',
    };
    expect(
      matchOf(topics, {
        'application.tags': ['x', 'y'],
        'application.id': 1,
        'application.score': 2,
        'application.user.Address.floor': [2, 3],
      }),
    ).toEqual(['a', 'b', 'c']);
  });

  test('with a duplicate key is removed completely', () => {
    const index = indexOf({
      a: 'application.id IN (1, 1) OR application.id == 1 OR application.score < 2 OR application.score < 2',
    });
    const event = contextOf({ 'application.id': 1, 'application.score': 1 });
    expect(index.match(event)).toEqual(['a']);
    index.remove('a');
    expect([index.match(event), index.datapaths]).toEqual([[], []]);
  });

  test('without a condition matches every event', () => {
    expect(matchOf({ a: '', b: 'true', c: 'false' }, {})).toEqual(['a', 'b']);
  });

  test('replaces the topic that has the same id', () => {
    const index = indexOf({ a: 'application.id == 1' });
    index.add('a', compile('application.score == 1'));
    expect([index.size, index.datapaths, index.match(contextOf({ 'application.id': 1 }))]).toEqual([
      1,
      ['application.score'],
      [],
    ]);
  });

  test('can be removed although the index does not have it', () => {
    const index = indexOf({ a: 'application.id == 1' });
    index.remove('b');
    expect(index.size).toBe(1);
  });

  test('can reuse the datapath numbers of a removed topic', () => {
    const index = indexOf({ a: 'application.source > "a"' });
    index.remove('a');
    index.add('b', compile('application.score > 1'));
    expect(index.match(contextOf({ 'application.score': 2 }))).toEqual(['b']);
  });

  test('with a condition on today is found on every day', () => {
    const index = indexOf({ a: 'posting.closing_date <= DATE("today") - DTDURATION(7,0,0,0)' });
    const matchOn = (now: string): string[] =>
      index.match(contextOf({ 'posting.closing_date': '2026-11-14' }, { now: new Date(now) }));
    expect([matchOn('2026-11-20T12:00Z'), matchOn('2026-11-21T12:00Z'), matchOn('2027-01-01T12:00Z')]).toEqual([
      [],
      ['a'],
      ['a'],
    ]);
  });

  test('has an unknown result when it depends on an unreadable value, unless its other parts decide the result', () => {
    const index = indexOf({
      a: 'application.id == 1',
      b: 'application.id == 1 AND application.score == 2',
      c: 'application.id == 1 AND application.score == 3',
      d: 'application.id == 1 OR application.score == 2',
      e: 'application.score == 2',
    });
    const { matched, unknown } = index.evaluate(contextOf({ 'application.id': FAILS, 'application.score': 2 }));
    expect({ matched: matched.sort(), unknown: unknown.sort() }).toEqual({ matched: ['d', 'e'], unknown: ['a', 'b'] });
  });
});

describe('the datapaths that the index reads for an event', () => {
  const askedBy = (topics: Readonly<Record<string, string>>, given: Values): string[] => {
    const asked: string[] = [];
    const context = contextOf(given);
    indexOf(topics).match({ ...context, valueOf: (path) => (asked.push(path), context.valueOf(path)) });
    return asked;
  };

  test('are read once, even when many topics need them', () => {
    expect(
      askedBy(
        { a: 'application.id == 1', b: 'application.id == 2', c: 'application.id != 3', d: 'application.id > 0' },
        {},
      ),
    ).toEqual(['application.id']);
  });

  test('are not read when only topics that cannot match need them', () => {
    const topics = {
      a: 'application.opportunity_id == 1 AND application.source == "x"',
      b: 'application.opportunity_id == 2',
    };
    expect(askedBy(topics, { 'application.opportunity_id': 2 })).toEqual(['application.opportunity_id']);
  });
});
