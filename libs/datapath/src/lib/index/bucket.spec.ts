import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { contextOf } from '../../../test/recruiting.js';
import { Bucket } from './bucket.js';
import { Frame } from '../running/frame.js';
import { Matches } from './matches.js';

const idsIn = (bucket: Bucket<number>): number[] => {
  const matches = new Matches<number>(new Frame([], contextOf({})));
  bucket.collect(matches);
  return matches.matched.sort((left, right) => left - right);
};

test('a bucket contains the topics that were added and not removed', () => {
  const step = fc.tuple(fc.integer({ min: 0, max: 40 }), fc.boolean());
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const bucket = new Bucket<number>();
      const ids = new Set<number>();
      for (const [id, isRepeated] of steps) {
        if (ids.delete(id)) bucket.remove(id);
        else {
          bucket.add({ id, rest: null, isRepeated });
          ids.add(id);
        }
      }
      bucket.remove(99);
      expect(bucket.size).toBe(ids.size);
      expect(idsIn(bucket)).toEqual([...ids].sort((left, right) => left - right));
    }),
    { numRuns: 300 },
  );
});

test('a bucket removes a topic without reading the others', () => {
  let looks = 0;
  const bucket = new Bucket<number>();
  const entryOf = (number: number) => ({
    rest: null,
    isRepeated: true,
    get id(): number {
      return (looks++, number);
    },
  });
  for (let number = 0; number < 10_000; number++) bucket.add(entryOf(number));
  looks = 0;
  for (const id of [5000, 0, 9999, 4999]) bucket.remove(id);
  expect(bucket.size).toBe(9996);
  expect(looks).toBeLessThan(4 * 4);
});
