import { expect, test } from '@jest/globals';
import { Waiters } from './waiters.js';

const LIMIT = 10_000;
const never = new AbortController().signal;

test('at most 10,000 requests of a credential wait, and further ones get 429', async () => {
  const waiters = new Waiters();
  const waiting = Array.from({ length: LIMIT }, () => waiters.wait({ credentialId: 1 }, never));
  await expect(waiters.wait({ credentialId: 1 }, never)).rejects.toMatchObject({
    status: 429,
    options: { headers: { 'retry-after': '1' } },
  });
  const other = waiters.wait({ credentialId: 2 }, never);
  expect(waiters.size).toBe(LIMIT + 1);
  waiters.wake(({ credentialId }) => credentialId === 1);
  expect(new Set(await Promise.all(waiting))).toEqual(new Set(['woken']));

  const again = waiters.wait({ credentialId: 1 }, never);
  waiters.wake(() => true);
  expect(await Promise.all([other, again])).toEqual(['woken', 'woken']);
  expect(waiters.size).toBe(0);
});

test('a request stops waiting when its client has gone, and when its time is over', async () => {
  const waiters = new Waiters();
  const gone = new AbortController();
  const left = waiters.wait({ credentialId: 1 }, gone.signal);
  gone.abort();
  expect(await left).toBe('aborted');
  expect(await waiters.wait({ credentialId: 1 }, never, 1)).toBe('over');
  expect(waiters.size).toBe(0);
});
