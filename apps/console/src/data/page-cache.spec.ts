import { expect, it } from '@jest/globals';
import { PAGE_ROWS, PageCache } from './page-cache.js';

const ROWS = 3 * PAGE_ROWS + 5;
const rowsOf = (page: number): readonly number[] =>
  Array.from(
    { length: Math.min(PAGE_ROWS, ROWS - (page - 1) * PAGE_ROWS) },
    (_, index) => (page - 1) * PAGE_ROWS + index,
  );

/** Returns a cache, the pages that it has requested, and a promise of its next change. */
function start(total: number | undefined) {
  const asked: number[] = [];
  const signals: AbortSignal[] = [];
  let changed = (): void => undefined;
  const cache = new PageCache<number>(
    (page, signal) => {
      asked.push(page);
      signals.push(signal);
      return Promise.resolve({ rows: rowsOf(page), total });
    },
    () => changed(),
    (error) => {
      throw error;
    },
  );
  const need = (first: number, last: number): Promise<void> =>
    new Promise((resolve) => {
      changed = resolve;
      cache.need(first, last);
    });
  return { cache, asked, signals, need };
}

it('the page cache loads only the pages of the visible rows, each once', async () => {
  const { cache, asked, need } = start(ROWS);
  await need(0, 20);
  expect(cache.length).toBe(ROWS);
  await need(PAGE_ROWS + 1, PAGE_ROWS + 20);
  cache.need(0, 20);
  expect(asked).toEqual([1, 2]);
  expect(cache.row(PAGE_ROWS + 7)).toBe(PAGE_ROWS + 7);
  expect(cache.row(2 * PAGE_ROWS)).toBeUndefined();
});

it('the page cache aborts requests for rows that are no longer visible', async () => {
  const { cache, signals, need } = start(ROWS);
  cache.need(0, 20);
  await need(2 * PAGE_ROWS, 2 * PAGE_ROWS + 20);
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
  expect(cache.row(0)).toBeUndefined();
});

it('the page cache loads one page after the other when the service returns no count', async () => {
  const { cache, need } = start(undefined);
  await need(0, 20);
  expect(cache.length).toBe(PAGE_ROWS + 1);
  await need(3 * PAGE_ROWS, ROWS);
  expect(cache.length).toBe(ROWS);
});

it('the page cache requests a failed page again only after a retry', async () => {
  const asked: number[] = [];
  const errors: unknown[] = [];
  let isBroken = true;
  let changed = (): void => undefined;
  const cache: PageCache<number> = new PageCache<number>(
    (page) => {
      asked.push(page);
      return isBroken && page > 1
        ? Promise.reject(new Error(`page ${page}`))
        : Promise.resolve({ rows: rowsOf(page), total: ROWS });
    },
    () => changed(),
    (error) => errors.push(error),
  );
  const next = (): Promise<void> => new Promise((resolve) => (changed = resolve));
  cache.need(0, 20);
  await next();
  for (let frame = 0; frame < 5; frame += 1) {
    const change = next();
    cache.need(PAGE_ROWS, PAGE_ROWS + 20);
    if (frame === 0) await change;
  }
  expect([asked, errors]).toEqual([[1, 2], [new Error('page 2')]]);
  expect([cache.hasFailed(PAGE_ROWS), cache.hasFailed(0)]).toEqual([true, false]);
  isBroken = false;
  cache.retry();
  const change = next();
  cache.need(PAGE_ROWS, PAGE_ROWS + 20);
  await change;
  expect(asked).toEqual([1, 2, 2]);
  expect(cache.row(PAGE_ROWS)).toBe(PAGE_ROWS);
});
