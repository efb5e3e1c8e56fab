import { expect, test } from '@jest/globals';
import { sign } from '@ats/webhook-signing';
import { EmptySigningKeyError, readMessage, readMessages, SignatureMismatchError } from './webhooks.js';

const KEY = 'key';
const NOW = new Date('2026-11-21T09:00:00.000Z');

/** Returns a request as the service sends it. */
const received = (content: unknown, key = KEY): Parameters<typeof readMessage>[0] => {
  const body = JSON.stringify(content);
  return {
    body: new TextEncoder().encode(body),
    headers: { 'x-service-notify-signature': sign({ body, key, sentAt: NOW }) },
    keys: [KEY],
    now: NOW,
  };
};

test('a receiver without keys gets an error that it can tell from a forged message', () => {
  expect(() => readMessage({ body: '{}', headers: {}, keys: [] })).toThrow(EmptySigningKeyError);
});

test('the messages of a batch are read like a single message', () => {
  const [one, two] = [{ message_id: 'one' }, { message_id: 'two' }];
  expect(readMessages(received([one, two]))).toEqual([one, two]);
  expect(readMessages(received(one))).toEqual([one]);
  expect(readMessage(received(one))).toEqual(one);
});

test('a batch is verified before it is read, and is no single message', () => {
  expect(() => readMessages(received([], 'another key'))).toThrow(SignatureMismatchError);
  expect(() => readMessage(received([{ message_id: 'one' }]))).toThrow('readMessages');
});
