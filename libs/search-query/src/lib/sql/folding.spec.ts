import { describe, expect, it } from '@jest/globals';
import { compareTexts, fold } from './folding.js';

describe('fold', () => {
  it.each([
    ['ÄÖÜ', 'äöü'],
    ['ΟΔΟΣ ΣΑΣ', 'οδοσ σασ'],
    ['ẞß', 'ßß'],
    ['İI', 'i̇i'],
    ['ı', 'ı'],
    ['Ǆǅ', 'ǆǆ'],
    ['ﬁ', 'ﬁ'],
    ['Ж𐐀', 'ж𐐨'],
  ])('folds %s to %s', (text, folded) => {
    expect(fold(text)).toBe(folded);
  });
});

describe('compareTexts', () => {
  it.each([
    ['a', 'b'],
    ['a', 'B'],
    ['a', 'A'],
    ['A', 'á'],
    ['Á', 'b'],
    ['-', 'a'],
    ['1', 'a'],
    ['10', '9'],
    ['', 'a'],
    ['a', 'a\u0000'],
    // Texts that are equal for the collation are ordered by code points and not by UTF-16 units.
    ['e\u0301', 'é'],
    ['\u0001\uFFFD', '\u0002\uFFFD'],
  ])('puts %j before %j', (left, right) => {
    expect(compareTexts(left, right)).toBeLessThan(0);
    expect(compareTexts(right, left)).toBeGreaterThan(0);
    expect(compareTexts(left, left)).toBe(0);
  });
});
