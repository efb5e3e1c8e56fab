import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { SortedList } from './sorted-list.js';

interface Item {
  readonly bound: number;
  readonly id: number;
}

const allOf = (list: SortedList<Item>): Item[] => taken((items) => list.takeAll(items));

function taken(take: (items: Item[]) => void): Item[] {
  const items: Item[] = [];
  take(items);
  return items;
}

const idsOf = (items: readonly Item[]): number[] => items.map(({ id }) => id).sort((left, right) => left - right);

test('a sorted list reads exactly the items below a bound, or exactly the items above it', () => {
  const bounds = fc.array(fc.integer({ min: 0, max: 300 }), { minLength: 1, maxLength: 1200 });
  fc.assert(
    fc.property(bounds, fc.integer({ min: -1, max: 301 }), fc.boolean(), (all, value, isIncluded) => {
      const items = all.map((bound, id): Item => ({ bound, id }));
      const list = new SortedList<Item>(({ id }) => id);
      for (const item of items) list.add(item.bound, item);
      for (const { bound, id } of items.filter(({ id }) => id % 3 === 0)) expect(list.remove(bound, id)).toBe(true);
      const left = items.filter(({ id }) => id % 3 !== 0);
      const isMet = (bound: number): boolean => isIncluded && bound === value;
      expect(idsOf(taken((into) => list.takeUpTo(value, isIncluded, into)))).toEqual(
        idsOf(left.filter(({ bound }) => bound < value || isMet(bound))),
      );
      expect(idsOf(taken((into) => list.takeFrom(value, isIncluded, into)))).toEqual(
        idsOf(left.filter(({ bound }) => bound > value || isMet(bound))),
      );
      expect(idsOf(allOf(list))).toEqual(idsOf(left));
    }),
    { numRuns: 100 },
  );
});

test('a sorted list removes one of many items with the same bound', () => {
  const list = new SortedList<Item>(({ id }) => id);
  for (let id = 0; id < 2000; id++) list.add(7, { bound: 7, id });
  expect([list.remove(7, 3), list.remove(7, 3), list.remove(6, 4)]).toEqual([true, false, false]);
  expect(allOf(list)).toHaveLength(1999);
});

test('a sorted list orders texts by code points', () => {
  const list = new SortedList<string>((text) => text);
  for (const text of ['b', '\u{1f600}', 'a', '\u{fb01}', 'B', 'ä']) list.add(text, text);
  const found: string[] = [];
  list.takeUpTo('b', true, found);
  expect(found).toEqual(['B', 'a', 'b']);
  const above: string[] = [];
  list.takeFrom('\u{fb01}', false, above);
  expect(above).toEqual(['\u{1f600}']);
});

test('a sorted list finds an item without reading the other items with the same bound', () => {
  let looks = 0;
  const list = new SortedList<string | number>((id) => (looks++, id));
  for (let id = 0; id < 20_000; id++) list.add(7, id % 2 === 0 ? id : String(id));
  looks = 0;
  expect([
    list.remove(7, '1'),
    list.remove(7, 2),
    list.remove(7, 19_998),
    list.remove(7, '19999'),
    list.remove(7, 1),
  ]).toEqual([true, true, true, true, false]);
  expect(looks).toBeLessThan(5 * 20);
});
