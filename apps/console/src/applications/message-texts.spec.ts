import { expect, test } from '@jest/globals';
import { named } from './message-texts.js';

test('values of a message have texts, and a new value is its own text', () => {
  expect([named('type', 'note'), named('direction', 'outbound'), named('status', 'sent')]).toEqual([
    'Note',
    'outgoing',
    'Sent',
  ]);
  expect(named('type', 'fax')).toBe('fax');
});
