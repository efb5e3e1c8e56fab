import { describe, expect, test } from '@jest/globals';
import { VERSIONS } from '../versions/versions.js';
import { type Problem } from '../vocabulary/problem.js';
import { cpuMsOf } from '../../test/support/own-time.js';
import { languageOf, negotiateLanguage, negotiateVersion, statedVersion } from './negotiation.js';

/** Returns the result of `negotiate`. When it throws a problem, returns the status of the problem. */
function outcomeOf<Outcome>(negotiate: () => Outcome): Outcome | number {
  try {
    return negotiate();
  } catch (error) {
    return (error as Problem).status;
  }
}

describe('the version', () => {
  test('is that of the header, otherwise of the credential, otherwise the newest stable one', () => {
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
  ])('is rejected when the header is %p', (header) => {
    expect(() => negotiateVersion(header, '1.7')).toThrow(
      'The header Api-Version must be one of 1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 1.8, 1.9',
    );
    expect(outcomeOf(() => negotiateVersion(header, null))).toBe(400);
    expect(statedVersion(header)).toBe('1.7');
  });
});

test('the error message for an invalid version does not repeat the text of the header', () => {
  expect(() => negotiateVersion('1'.repeat(1024), null)).toThrow(/^The header Api-Version must be one of [\d., ]+$/);
});

describe('the language', () => {
  const NONE = 406;
  test.each([
    // The quality decides first, then the order in the header.
    ['de', 'de'],
    ['fr;q=0.5, de', 'de'],
    ['fr, de', 'fr'],
    ['de;q=0.5, fr;q=0.5', 'de'],
    ['it, ru;q=0.9, ar;q=0.001', 'ar'],
    ['en;q=0.1, *;q=0.2', 'es'],
    // A range with a region matches the language without it: `de-AT` finds `de`.
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
    // The range `*` stands for any language.
    ['*', 'es'],
    ['it, *;q=0.1', 'es'],
    ['*;q=0.1, fr;q=0.05', 'es'],
    ['en;q=0, *', 'es'],
    // The header has the range `*` and named languages.
    ['*, es;q=0.1, fr', 'fr'],
    ['*, es;q=0.1, fr;q=0.1', 'en'],
    ['*;q=0.5, es;q=0.1, de;q=0.3', 'en'],
    ['es;q=0.1, *;q=0', 'es'],
    ['*, de', 'de'],
    ['*;q=0.9, en;q=0.1, de;q=0.1, fr;q=0.1, ar;q=0.2, es-MX;q=0.3', 'es'],
    ['es;q=0, *', 'en'],
    ['de-AT;q=0, *', 'es'],
    // The header names no supported language.
    ['*;q=0', NONE],
    ['de, *;q=0', 'de'],
    ['de;q=0', NONE],
    ['de;q=0.000', NONE],
    ['de-AT, de;q=0', NONE],
    ['it', NONE],
    // The header has malformed qualities.
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
    // The header has no ranges.
    [undefined, 'es'],
    ['', 'es'],
    [' \t', 'es'],
    [' , ,', 'es'],
    // The header is unusual but valid.
    [',de,', 'de'],
    ['\tde\t;\tq=0.3\t,\tfr;q=0.2', 'de'],
    ['de, de;q=0.1, fr;q=0.5', 'de'],
    // The header has invalid ranges.
    ['é', NONE],
    ['"de"', NONE],
    ['de fr', NONE],
    ['de_DE', NONE],
    ['__proto__', NONE],
    // The number of ranges is the maximum, or more.
    ['it,'.repeat(99) + 'de', 'de'],
    ['it,'.repeat(100) + 'de', NONE],
    [', '.repeat(120) + 'de', 'de'],
  ])('for %p is %p when the language of the credential is Spanish', (header, expected) => {
    expect(outcomeOf(() => negotiateLanguage(header, 'es'))).toBe(expected);
  });

  test('is rejected with a list of the languages when none is acceptable', () => {
    expect(() => negotiateLanguage('it', 'en')).toThrow(
      'The header Accept-Language must allow one of en, de, fr, es, ar',
    );
  });

  test('is English when the language of the credential is not supported', () => {
    expect([negotiateLanguage(undefined, 'it'), negotiateLanguage('*', 'it')]).toEqual(['en', 'en']);
  });

  test('of an error body is that of the header, otherwise of the credential or the system, otherwise English', () => {
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
  ])('is negotiated quickly for %s', async (_, header) => {
    const ms = await cpuMsOf(() => {
      for (let times = 0; times < 20; times++) outcomeOf(() => negotiateLanguage(header, 'en'));
    });
    // A usual run takes less than a tenth of this time. Only a quadratic cost exceeds it.
    expect(ms / 20).toBeLessThan(50);
  });
});
