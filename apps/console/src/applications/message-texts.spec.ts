import { expect, test } from '@jest/globals';
import { named } from './message-texts.js';

test('a known value of a message has a text, and an unknown value is shown as it is', () => {
  expect([named('type', 'note'), named('direction', 'outbound'), named('status', 'sent')]).toEqual([
    'Note',
    'outgoing',
    'Sent',
  ]);
  expect(named('type', 'fax')).toBe('fax');
});
