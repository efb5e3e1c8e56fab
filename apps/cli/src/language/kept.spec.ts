import { expect, test } from '@jest/globals';
import { kept } from './kept.js';

const MINUTE = 60_000;

test('the cache of the language server loads a value again after five minutes', async () => {
  let [time, count] = [0, 0];
  const get = kept(
    () => Promise.resolve((count += 1)),
    () => time,
  );
  expect(await Promise.all([get(), get()])).toEqual([1, 1]);
  time = 5 * MINUTE - 1;
  expect(await get()).toBe(1);
  time = 5 * MINUTE;
  expect(await get()).toBe(2);
  time = 6 * MINUTE;
  expect(await get()).toBe(2);
});

test('the cache of the language server throws only when the first loading fails', async () => {
  let time = 0;
  const results = [Promise.reject(new Error('away')), Promise.resolve('old'), Promise.reject(new Error('away'))];
  const get = kept(
    () => results.shift() ?? Promise.resolve('new'),
    () => time,
  );
  await expect(get()).rejects.toThrow('away');
  expect(await get()).toBe('old');
  time = 5 * MINUTE;
  expect(await get()).toBe('old');
  expect(await get()).toBe('old');
  time = 10 * MINUTE;
  expect(await get()).toBe('new');
});
