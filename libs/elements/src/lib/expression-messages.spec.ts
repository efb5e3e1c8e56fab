import { expect, test } from '@jest/globals';
import { TRANSLATIONS } from '@ats/datapath/translations';
import { message } from '@ats/message';
import { messageWriter } from './expression-messages.js';
import { type Language } from './languages.js';

const NO_ATTRIBUTE = message`${'posting'} has no attribute or relation "${'idd'}"`;

test.each(Object.keys(TRANSLATIONS) as Language[])('messages of the language service are written in %s', (language) => {
  const text = messageWriter(language)(NO_ATTRIBUTE);
  expect(text).toMatch(/posting.*idd/);
  expect(text).not.toBe(String(NO_ATTRIBUTE));
});

test('messages of the language service are written in English', () => {
  expect(messageWriter('en')(NO_ATTRIBUTE)).toBe('posting has no attribute or relation "idd"');
});
