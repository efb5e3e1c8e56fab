import { describe, expect, test } from '@jest/globals';
import { PersonValues } from './person-values.js';

const DECOMPOSED = 'Zoe\u0308la';
const COMPOSED = DECOMPOSED.normalize('NFC');

const found = (value: string, text: string): readonly string[] =>
  new PersonValues([value.toLowerCase()]).spans(text).map(([offset, length]) => text.slice(offset, offset + length));

describe('the values of a person in a text', () => {
  test('are found as whole words in any case, and not within words', () => {
    expect(found('Mark', 'MARK and mark, Marks, Denmark, Mark2')).toEqual(['MARK', 'mark']);
  });

  test('are found in both Unicode forms of an accent', () => {
    expect(found(COMPOSED, `${COMPOSED} ${DECOMPOSED}`)).toEqual([COMPOSED, DECOMPOSED]);
    expect(found(DECOMPOSED, `${COMPOSED} ${DECOMPOSED}`)).toEqual([COMPOSED, DECOMPOSED]);
  });

  test('are found with the Turkish letter İ, which has two characters in lower case', () => {
    expect(found('İlker', 'İlker, i\u0307lker')).toEqual(['İlker', 'i\u0307lker']);
  });

  test('are not found in a name that continues with a combining mark', () => {
    expect(found('Andre', 'Andre\u0301')).toEqual([]);
    expect(found('राम', 'रामा')).toEqual([]);
  });

  test('are found before a form of address in scripts without spaces', () => {
    expect(found('山田太郎', '山田太郎様の書類')).toEqual(['山田太郎']);
    expect(found('김민수', '김민수님')).toEqual(['김민수']);
  });

  test('are found with another space between their words', () => {
    expect(found('Ada Lovelace', 'Ada\n Lovelace, Ada\u00a0Lovelace')).toEqual(['Ada\n Lovelace', 'Ada\u00a0Lovelace']);
    expect(new PersonValues(['ada lovelace']).sql.forms).toEqual(['ada lovelace']);
  });

  test('are compared literally, even if they have characters that are special in regular expressions', () => {
    expect(found('A.*b+(c', 'A.*b+(c Axxb')).toEqual(['A.*b+(c']);
    expect(new PersonValues(['a&b']).sql.forms).toEqual(['a&b', 'a&amp;b']);
  });
});
