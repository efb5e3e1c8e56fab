import { expect, test } from '@jest/globals';
import { logAddress } from './log-address.js';

test('the log of another endpoint keeps the state and the times, but not the topic and the opened delivery', () => {
  const search = '?endpoint=1&status=exhausted&since=2025-01-31T08:00:00.000Z&topic=3&type=TEST&delivery=3/4/5';
  const query = new URLSearchParams(logAddress(search, '2').split('?')[1]);
  expect(Object.fromEntries(query)).toEqual({ endpoint: '2', status: 'exhausted', since: '2025-01-31T08:00:00.000Z' });
});
