import { describe, expect, it } from '@jest/globals';
import { Batcher } from './batcher.js';

/** Creates a batcher. Each of its batches runs until the test calls `end`. */
function createBatcher(parallel = 1): {
  batcher: Batcher<number, number>;
  batches: { items: readonly number[]; end: () => void }[];
} {
  const batches: { items: readonly number[]; end: () => void }[] = [];
  const run = async (items: readonly number[]): Promise<readonly number[]> => {
    await new Promise<void>((resolve) => batches.push({ items, end: resolve }));
    return items.map((item) => item * 10);
  };
  return { batcher: new Batcher({ run, maxItems: 3, parallel, isCausedByItem: () => true }), batches };
}
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('Batcher', () => {
  it('processes a single item at once, and batches items that arrive meanwhile', async () => {
    const { batcher, batches } = createBatcher();
    const first = batcher.add(1);
    await turn();
    expect(batches.map(({ items }) => items)).toEqual([[1]]);
    const others = [2, 3, 4, 5].map((item) => batcher.add(item));
    await turn();
    expect(batches).toHaveLength(1);
    batches[0]?.end();
    expect(await first).toBe(10);
    await turn();
    expect(batches[1]?.items).toEqual([2, 3, 4]);
    batches[1]?.end();
    await others[2];
    await turn();
    expect(batches[2]?.items).toEqual([5]);
    batches[2]?.end();
    expect(await Promise.all(others)).toEqual([20, 30, 40, 50]);
  });

  it('runs at most `parallel` batches at the same time', async () => {
    const { batcher, batches } = createBatcher(2);
    for (let item = 1; item <= 8; item++) void batcher.add(item);
    await turn();
    expect(batches.map(({ items }) => items)).toEqual([
      [1, 2, 3],
      [4, 5, 6],
    ]);
  });

  it('rejects only the item that caused an error, or all items when no single one caused it', async () => {
    const tries: (readonly number[])[] = [];
    const run = (items: readonly number[]): Promise<readonly number[]> => {
      tries.push(items);
      return items.includes(2) ? Promise.reject(new Error('faulty')) : Promise.resolve(items);
    };
    const outcomes = async (isCausedByItem: boolean): Promise<readonly string[]> => {
      const batcher = new Batcher({ run, maxItems: 10, parallel: 1, isCausedByItem: () => isCausedByItem });
      return (await Promise.allSettled([1, 2, 3].map((item) => batcher.add(item)))).map(({ status }) => status);
    };
    expect(await outcomes(true)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(tries).toEqual([[1, 2, 3], [1], [2], [3]]);
    expect(await outcomes(false)).toEqual(['rejected', 'rejected', 'rejected']);
  });
});
