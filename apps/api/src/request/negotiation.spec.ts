import { describe, expect, test } from '@jest/globals';
import { VERSIONS } from '../versions/versions.js';
import { type Problem } from '../vocabulary/problem.js';
import { languageOf, negotiateLanguage, negotiateVersion, statedVersion } from './negotiation.js';

/** What comes of it, or the status of its refusal. */
function outcomeOf<Outcome>(negotiate: () => Outcome): Outcome | number {
  try {
    return negotiate();
  } catch (error) {
    return (error as Problem).status;
  }
}

describe('a version', () => {
  test('is the one of the header, else of the credential, else the latest stable one', () => {
    expect(VERSIONS.versions.map((version) => negotiateVersion(version, '1.2'))).toEqual(VERSIONS.versions);
    expect([
      negotiateVersion(undefined, '1.4'),
      negotiateVersion(undefined, null),
      negotiateVersion(undefined, '0.9'),
    ]).toEqual(['1.4', '1.7', '1.7']);
  });

  test.each([
    '',
    ' ',
    '1.7, 1.7',
    '1.7,1.8',
    '1.07',
    '01.7',
    ' 1.7',
    '1.7 ',
    '1.7.0',
    '1',
    '1.',
    '1.1',
    '1.10',
    '2.0',
    'v1.7',
    'latest',
    '٧',
    '1.٧',
    '1.7\u0000',
    'constructor',
  ])('is refused when the header is %p', (header) => {
    expect(() => negotiateVersion(header, '1.7')).toThrow(
      'Api-Version must be one of 1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 1.8, 1.9',
    );
    expect(outcomeOf(() => negotiateVersion(header, null))).toBe(400);
    expect(statedVersion(header)).toBe('1.7');
  });
});

test('of a version that takes a kilobyte nothing is said', () => {
  expect(() => negotiateVersion('1'.repeat(1024), null)).toThrow(/^Api-Version must be one of [\d., ]+$/);
});

describe('a language', () => {
  const NONE = 406;
  test.each([
    // By quality, then in the order of the header
    ['de', 'de'],
    ['fr;q=0.5, de', 'de'],
    ['fr, de', 'fr'],
    ['de;q=0.5, fr;q=0.5', 'de'],
    ['it, ru;q=0.9, ar;q=0.001', 'ar'],
    ['en;q=0.1, *;q=0.2', 'es'],
    // By lookup: what is more special finds what is less so, and never the other way round
    ['de-AT', 'de'],
    ['DE-at', 'de'],
    ['ar-Arab-EG', 'ar'],
    ['de-DE-u-co-phonebk', 'de'],
    ['de-*', 'de'],
    ['en-US, fr;q=0.9, en;q=0.1', 'en'],
    ['zh-Hant-TW', NONE],
    ['x-', NONE],
    ['i-klingon', NONE],
    ['deu', NONE],
    ['-', NONE],
    // Any
    ['*', 'es'],
    ['it, *;q=0.1', 'es'],
    ['*;q=0.1, fr;q=0.05', 'es'],
    ['en;q=0, *', 'es'],
    // Any but what is named, with a quality of its own
    ['*, es;q=0.1, fr', 'fr'],
    ['*, es;q=0.1, fr;q=0.1', 'en'],
    ['*;q=0.5, es;q=0.1, de;q=0.3', 'en'],
    ['es;q=0.1, *;q=0', 'es'],
    ['*, de', 'de'],
    ['*;q=0.9, en;q=0.1, de;q=0.1, fr;q=0.1, ar;q=0.2, es-MX;q=0.3', 'es'],
    ['es;q=0, *', 'en'],
    ['de-AT;q=0, *', 'es'],
    // None of it
    ['*;q=0', NONE],
    ['de, *;q=0', 'de'],
    ['de;q=0', NONE],
    ['de;q=0.000', NONE],
    ['de-AT, de;q=0', NONE],
    ['it', NONE],
    // What is no quality
    ['de;q=abc', NONE],
    ['de;q=', NONE],
    ['de;q=-1', NONE],
    ['de;q=1.0001', NONE],
    ['de;q=1.0001, fr;q=0.1', 'fr'],
    ['de;q=2, fr', 'fr'],
    ['de;q=0.1234, fr;q=0.1', 'fr'],
    ['de;q=1e-1, fr;q=0.1', 'fr'],
    ['de;q="0.5", fr;q=0.1', 'fr'],
    ['q=0.5', NONE],
    ['de;q=1., fr;q=0.9', 'de'],
    ['de;Q=0.1, fr;q=0.2', 'fr'],
    ['de;level=1', 'de'],
    // As good as none
    [undefined, 'es'],
    ['', 'es'],
    [' \t', 'es'],
    [' , ,', 'es'],
    // Odd, and legible all the same
    [',de,', 'de'],
    ['\tde\t;\tq=0.3\t,\tfr;q=0.2', 'de'],
    ['de, de;q=0.1, fr;q=0.5', 'de'],
    // Odd, and not
    ['é', NONE],
    ['"de"', NONE],
    ['de fr', NONE],
    ['de_DE', NONE],
    ['__proto__', NONE],
    // More than anybody speaks
    ['it,'.repeat(99) + 'de', 'de'],
    ['it,'.repeat(100) + 'de', NONE],
    [', '.repeat(120) + 'de', 'de'],
  ])('for %p is %p, where Spanish is the preset', (header, expected) => {
    expect(outcomeOf(() => negotiateLanguage(header, 'es'))).toBe(expected);
  });

  test('is said to be one of those that there are, when none is acceptable', () => {
    expect(() => negotiateLanguage('it', 'en')).toThrow('Accept-Language must allow one of en, de, fr, es, ar');
  });

  test('is English for a system that speaks another language than we do', () => {
    expect([negotiateLanguage(undefined, 'it'), negotiateLanguage('*', 'it')]).toEqual(['en', 'en']);
  });

  test('of a problem is the one that its header asks for, else of who asks, else English', () => {
    const of = (header?: string, presetLanguage?: string): string =>
      languageOf({
        headers: { ...(header !== undefined && { 'accept-language': header }) },
        ...(presetLanguage !== undefined && { presetLanguage }),
      });
    expect([of('fr;q=0.5, de-AT'), of('it'), of('*'), of(''), of()]).toEqual(['de', 'en', 'en', 'en', 'en']);
    expect([
      of('fr;q=0.5, de-AT', 'es'),
      of('it', 'es'),
      of('*', 'es'),
      of('', 'es'),
      of(undefined, 'es'),
      of(undefined, 'it'),
    ]).toEqual(['de', 'es', 'es', 'es', 'es', 'en']);
  });

  test.each([
    ['thousands of ranges', 'aa,'.repeat(3300) + 'de'],
    ['thousands of ranges of one language', Array.from({ length: 2000 }, (_, index) => `de-${index}`).join()],
    ['thousands of qualities', 'de;q=0.1,'.repeat(1200)],
    ['a long range', 'de-' + 'a-'.repeat(5000)],
    ['many blanks', `de${' '.repeat(10_000)}x`],
    ['many parameters', `de${' ;'.repeat(5000)}`],
    ['blanks between parameters', `de${';  '.repeat(3300)}q`],
    ['a text that does not end', `de;a="${'\\'.repeat(10_000)}`],
    ['commas', ','.repeat(10_000)],
  ])('is found soon, or not at all, in %s', (_, header) => {
    const since = performance.now();
    for (let times = 0; times < 20; times++) outcomeOf(() => negotiateLanguage(header, 'en'));
    // A hundred times what it takes: this is about what grows with the square.
    expect((performance.now() - since) / 20).toBeLessThan(50);
  });
});
