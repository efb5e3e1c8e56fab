import { expect, test } from '@jest/globals';
import { EmptySigningKeyError, readMessage } from './webhooks.js';

test('a receiver without keys gets an error that it can tell from a forged message', () => {
  expect(() => readMessage({ body: '{}', headers: {}, keys: [] })).toThrow(EmptySigningKeyError);
});
