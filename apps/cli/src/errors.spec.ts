import { expect, it } from '@jest/globals';
import { ConnectionError } from '@ats/client';
import { describeError } from './errors.js';

it('the error of a missing connection has its cause, for people and for programs', () => {
  const cause = new Error('connect ECONNREFUSED 127.0.0.1:4000');
  const error = new ConnectionError('No answer.', { cause: new TypeError('fetch failed', { cause }) });
  expect(describeError(error, false)).toBe('No answer. connect ECONNREFUSED 127.0.0.1:4000');
  expect(JSON.parse(describeError(error, true))).toEqual({
    error: 'ConnectionError',
    message: 'No answer.',
    cause: 'connect ECONNREFUSED 127.0.0.1:4000',
  });
});
