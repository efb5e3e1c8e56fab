import { describe, expect, test } from '@jest/globals';
import { message, verbatim } from '@ats/message';
import fc from 'fast-check';
import { IntlMessageFormat } from 'intl-messageformat';
import { directionOf } from './direction.js';
import { createLocaliser } from './localiser.js';

const PLURAL = 'höchstens {0, plural, one {ein Posten} other {{0} Posten}}, gefunden {1}';
const { localise, languages } = createLocaliser({
  de: { 'expected at most {0} items, found {1}': PLURAL, 'it failed: {0}': 'fehlgeschlagen: {0}' },
  fr: {},
  ar: {},
});

describe('createLocaliser', () => {
  const text = message`expected at most ${1} items, found ${2}`;

  test('translates with the catalogues of the program, also messages within messages', () => {
    expect(languages).toEqual(['de', 'fr', 'ar']);
    expect(localise(message`it failed: ${text}`, 'de')).toBe('fehlgeschlagen: höchstens ein Posten, gefunden 2');
    expect(localise(text, 'de-AT')).toBe('höchstens ein Posten, gefunden 2');
  });

  test('returns English for a language without a catalogue', () => {
    for (const language of ['it', 'fr', '', 'constructor', '__proto__'])
      expect(localise(text, language)).toBe('expected at most 1 items, found 2');
  });

  test('does not take a property of JavaScript objects for a translation', () => {
    expect(localise(message`constructor`, 'de')).toBe('constructor');
  });

  test('refuses a catalogue whose name is no language', () => {
    expect(() => createLocaliser({ 'German language': {} })).toThrow(RangeError);
  });

  test('knows the direction of languages', () => {
    expect(['ar-EG', 'he', 'FA', 'de', ''].map(directionOf)).toEqual(['rtl', 'rtl', 'rtl', 'ltr', 'ltr']);
  });
});

describe('localise', () => {
  test('returns the English text when there is no translation', () => {
    const text = message`no such text: it's ${3}, ${['a', 'b']} and ${message`{${1}}`}`;
    expect([localise(text, 'en'), localise(text, 'de')]).toEqual([
      "no such text: it's 3, a, b and {1}",
      "no such text: it's 3, a, b and {1}",
    ]);
  });

  test('does not change texts that come from clients', () => {
    const texts = fc.string({ unit: 'binary' }).filter((text) => !/[\u202a-\u202e\u2066-\u2069]/.test(text));
    fc.assert(
      fc.property(texts, (text) => localise(verbatim(text), 'fr') === text && localise(verbatim(text), 'en') === text),
    );
    expect(localise(message`found ${'<b>{0}</b> {x, plural}'}`, 'ar')).toBe('found \u2068<b>{0}</b> {x, plural}\u2069');
  });

  test('isolates the direction of values in a right-to-left language', () => {
    const text = message`no such text: ${'2026-11-22'}, ${3}, ${-3}, ${['a)', 4]} and ${message`{${'b'}}`}`;
    expect(localise(text, 'ar')).toBe(
      'no such text: \u20682026-11-22\u2069, 3, \u2068-3\u2069, \u2068a)\u2069، 4 and {\u2068b\u2069}',
    );
    expect(localise(text, 'de')).toBe('no such text: 2026-11-22, 3, -3, a), 4 and {b}');
  });

  test('replaces direction characters by their codes', () => {
    const text = message`no such text: ${'"\u202eab\u2069"'} and ${[verbatim('\u202a\u2066')]}`;
    expect(['en', 'de'].map((language) => localise(text, language as 'de'))).toEqual(
      Array(2).fill('no such text: "U+202EabU+2069" and U+202AU+2066'),
    );
    expect(localise(text, 'ar')).toBe('no such text: \u2068"U+202EabU+2069"\u2069 and \u2068U+202AU+2066\u2069');
  });

  test('keeps braces, apostrophes and tags of a message as text in ICU', () => {
    const pieces = fc.array(fc.string({ unit: fc.constantFrom('a', '{', '}', "'", '<', '#', '|') }), { minLength: 1 });
    fc.assert(
      fc.property(pieces, (texts) => {
        const one = message(Object.assign(texts, { raw: texts }), ...texts.slice(1).map((_, index) => index));
        const read = new IntlMessageFormat(one.pattern, 'en', undefined, { ignoreTag: true }).format(
          Object.fromEntries(one.values.entries()),
        );
        expect(read).toBe(String(one));
      }),
    );
  });
});
