// @ts-check
import assert from 'node:assert/strict';
import { execSync } from 'node:child_process';
import { test } from 'node:test';
import { describe } from './describe.mjs';

const now = new Date('2026-11-21T09:00:03Z');
const message = {
  headers: {
    'x-service-notify-signature': '2026-11-21T09:00:00Z,abc',
    'x-service-notify-attempt': '2',
    'x-service-notify-sequence': '14',
  },
  body: Buffer.from(
    `{"message_id":"m","subscription":{"id":3,"topic":{"id":2}},"user":{"id":"7"},"details":{"url":"it's","state_changes":{}}}`,
  ),
  status: 204,
  isRepeated: false,
};
const verify = () => ({ timestamp: new Date('2026-11-21T09:00:00Z'), keyIndex: 1 });

test('the receiver describes a message and whether its signature is genuine', () => {
  const text = describe(message, { verify, keys: ['a', 'b'], toleranceSeconds: 300, now });
  assert.match(text, /message {3}m\n/);
  assert.match(text, /a change of state: it's/);
  assert.match(text, /subscription 3 of topic 2, caused by user 7/);
  assert.match(text, /sequence 14, attempt 2, answered with 204/);
  assert.match(text, /genuine, 3 s old, made with key 2/);
});

test('the receiver reports a refused signature, and a signature that was not checked', () => {
  const refuse = () => {
    throw new Error('too old');
  };
  assert.match(describe(message, { verify: refuse, keys: ['a'], toleranceSeconds: 1, now }), /REFUSED: too old/);
  assert.match(describe(message, { verify, keys: [], toleranceSeconds: 1, now }), /not checked/);
  assert.match(
    describe({ ...message, body: Buffer.from('no JSON') }, { verify, keys: [], toleranceSeconds: 1, now }),
    /about +unknown/,
  );
});

test('the receiver prints a command that signs exactly the received message', () => {
  const text = describe(message, { verify, keys: [], toleranceSeconds: 1, now });
  const [, print] = /by hand {3}(.*) \| openssl/.exec(text) ?? [];
  assert.equal(execSync(print ?? '', { encoding: 'utf8' }), `2026-11-21T09:00:00Z.${message.body}`);
});

test('the receiver describes the first message of a batch and the number of messages', () => {
  const body = Buffer.from(`[${message.body.toString()},{"message_id":"n"}]`);
  const text = describe({ ...message, body }, { verify, keys: ['a'], toleranceSeconds: 300, now });
  assert.match(text, /message {3}m \(the first of a batch of 2\)\n/);
  assert.match(text, /subscription 3 of topic 2/);
});
