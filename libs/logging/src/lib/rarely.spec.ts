import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { rarely } from './rarely.js';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

it('rarely() passes on the first call and drops further calls for ten seconds', () => {
  const said: string[] = [];
  const say = rarely((text: string) => said.push(text));
  say('one');
  say('two');
  jest.advanceTimersByTime(9_999);
  say('three');
  expect(said).toEqual(['one']);
  jest.advanceTimersByTime(1);
  say('four');
  expect(said).toEqual(['one', 'four']);
});
