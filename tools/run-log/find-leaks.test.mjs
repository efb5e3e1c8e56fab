// @ts-check
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findLeaks } from './find-leaks.mjs';

const secrets = new Set([
  'Xanthippe',
  'O"Brien',
  'xanthippe.1@example.com',
  'ats_EndToEnd_0123456789abcdefghij',
  'a'.repeat(64),
]);

for (const [what, line] of [
  ['a name', '{"msg":"Xanthippe is here"}'],
  ['a name that JSON escapes', '{"msg":"O\\"Brien"}'],
  ['an e-mail address', 'to xanthippe.1@example.com, again'],
  ['an e-mail address in another case', 'to XANTHIPPE.1@example.com'],
  ['a name in another case', '{"msg":"xanthippe is here"}'],
  ['a token inside a longer word', 'xats_EndToEnd_0123456789abcdefghijx'],
  ['a key', `{"key":"${'a'.repeat(64)}"}`],
  ['the body of a notification', '{"body":"{\\"message_id\\":\\"1\\"}"}'],
  ['the body of a notification as an object', '{"body":{"message_id":1}}'],
]) {
  test(`findLeaks finds ${what} in a log`, () => {
    assert.deepEqual(
      findLeaks(`{"msg":"before"}\n${line}\n{"msg":"after"}`, secrets).map((leak) => leak.line),
      [line],
    );
  });
}

test('findLeaks ignores a longer name, the first characters of a token and another e-mail address', () => {
  assert.deepEqual(
    findLeaks('{"id":1,"message_id":1,"msg":"Xanthippes ats_EndToEnd xanthippe.2@example.com"}', secrets),
    [],
  );
});
