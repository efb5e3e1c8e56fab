import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { contextOf } from '../../../test/recruiting.js';
import { DatapathTable, openFrame } from './datapath-table.js';
import { type ResolvedDatapath } from '../checking/resolve.js';

const pathOf = (name: string): ResolvedDatapath => {
  const text = `posting.${name}`;
  return {
    text,
    root: 'posting',
    steps: [],
    owner: 'posting',
    end: { kind: 'attribute', name },
    type: 'text',
    many: false,
  };
};
const take = (table: DatapathTable, name: string): number => table.take([pathOf(name)])[0] ?? -1;

describe('the numbers of datapaths', () => {
  test('are released after their last use', () => {
    const table = new DatapathTable();
    const numbers = Array.from({ length: 1000 }, (_, index) => take(table, `a${String(index)}`));
    for (const number of numbers) table.release([number]);
    expect(table.slots).toHaveLength(0);
    expect([take(table, 'b'), take(table, 'c'), take(table, 'd')]).toEqual([0, 1, 2]);
  });

  test('are removed from the end of the table, down to the last number in use', () => {
    const table = new DatapathTable();
    const numbers = Array.from({ length: 10 }, (_, index) => take(table, `a${String(index)}`));
    table.release(numbers.filter((number) => number !== 4));
    expect(table.slots).toHaveLength(5);
    const again = Array.from({ length: 6 }, (_, index) => take(table, `b${String(index)}`));
    expect(again.sort()).toEqual([0, 1, 2, 3, 5, 6]);
  });

  test('need almost no memory in a context when most of them are free', () => {
    const table = new DatapathTable();
    const numbers = Array.from({ length: 1000 }, (_, index) => take(table, `a${String(index)}`));
    table.release(numbers.slice(0, -1));
    const frame = openFrame(table, contextOf({ 'posting.a999': 'last' }));
    expect(table.slots).toHaveLength(1000);
    expect(frame.values.length).toBeLessThan(20);
    expect([frame.read(999), frame.read(999), frame.read(3)]).toEqual(['last', 'last', null]);
  });

  test('belong to one datapath each while datapaths are added and released', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.boolean(), fc.nat(15)), { maxLength: 60 }), (steps) => {
        const table = new DatapathTable();
        const held: { name: string; number: number }[] = [];
        for (const [isTaken, choice] of steps) {
          const name = `a${String(choice)}`;
          if (isTaken) held.push({ name, number: take(table, name) });
          else table.release(held.splice(choice, 1).map(({ number }) => number));
          for (const { name, number } of held) expect(table.slots[number]?.text).toBe(`posting.${name}`);
          const live = new Set(held.map(({ number }) => number));
          expect(table.slots.length).toBe(live.size === 0 ? 0 : Math.max(...live) + 1);
        }
      }),
      { numRuns: 300 },
    );
  });
});
