import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { ResultFlush } from './result-flush.js';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

it('many results are flushed together, 10 ms after the first of them', async () => {
  const query = jest.fn(() => Promise.resolve([]));
  const flush = new ResultFlush({ query } as never);
  flush.request();
  await jest.advanceTimersByTimeAsync(9);
  flush.request();
  expect(query).toHaveBeenCalledTimes(0);
  await jest.advanceTimersByTimeAsync(100);
  expect(query).toHaveBeenCalledTimes(1);
  flush.request();
  await jest.advanceTimersByTimeAsync(10);
  expect(query).toHaveBeenCalledTimes(2);
});

it('results that come while a flush runs are flushed after it, so that a slow disk occupies one connection', async () => {
  const ends: (() => void)[] = [];
  const query = jest.fn(() => new Promise((resolve) => ends.push(() => resolve([]))));
  const flush = new ResultFlush({ query } as never);
  for (let result = 0; result < 10; result++) {
    flush.request();
    await jest.advanceTimersByTimeAsync(20);
  }
  expect(query).toHaveBeenCalledTimes(1);
  ends[0]?.();
  await jest.advanceTimersByTimeAsync(100);
  expect(query).toHaveBeenCalledTimes(2);
  ends[1]?.();
  await jest.advanceTimersByTimeAsync(100);
  expect(query).toHaveBeenCalledTimes(2);
});

it('a failed flush is ignored, because PostgreSQL flushes by itself', async () => {
  const flush = new ResultFlush({ query: () => Promise.reject(new Error('unavailable')) } as never);
  flush.request();
  await jest.advanceTimersByTimeAsync(10);
});
