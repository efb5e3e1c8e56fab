import { describe, expect, test } from '@jest/globals';
import { logText } from './delivery-texts.js';
import { expressionText } from './expression-texts.js';
import { directionOf, languageOf, textsOf } from './languages.js';
import { partText } from './part-texts.js';

test.each([
  ['de-AT', 'de'],
  ['ar', 'ar'],
  ['pt', 'en'],
  ['', 'en'],
  [undefined, 'en'],
])('the language of the tag %s is %s', (tag, language) => expect(languageOf(tag)).toBe(language));

test('only Arabic is written from right to left', () => {
  expect(['en', 'de', 'fr', 'es', 'ar'].map((tag) => directionOf(languageOf(tag)))).toEqual([
    'ltr',
    'ltr',
    'ltr',
    'ltr',
    'rtl',
  ]);
});

describe('the texts of the elements', () => {
  const none = { de: { like: '' }, fr: { like: '' }, es: { like: '' } };
  const t = textsOf({
    en: { found: '{count} found by {name}' },
    de: { found: '{count} gefunden von {name}' },
    fr: { found: '{count}' },
    es: { found: '{count}' },
    ar: { found: '{count}' },
  });

  test('have numbers in the notation of their language, and keep unknown placeholders', () => {
    expect(t('en', 'found', { count: 1_234 })).toBe('1,234 found by {name}');
    expect(t('de', 'found', { count: 1_234, name: 'Ada' })).toBe('1.234 gefunden von Ada');
  });

  test('keep the order of the characters of a value inside a text from right to left', () => {
    const read = textsOf({ ...none, en: { like: 'like {example}' }, ar: { like: 'مثل {example}' } });
    expect(read('ar', 'like', { example: 'id > 1' })).toBe('مثل \u2068id > 1\u2069');
    expect(read('en', 'like', { example: 'id > 1' })).toBe('like id > 1');
  });

  test('differ between the languages', () => {
    expect(logText('de', 'redeliver')).not.toBe(logText('en', 'redeliver'));
    expect(expressionText('fr', 'format')).not.toBe(expressionText('en', 'format'));
    expect(partText('es', 'problem.request', { id: 'a' })).toBe('Solicitud a');
  });
});
