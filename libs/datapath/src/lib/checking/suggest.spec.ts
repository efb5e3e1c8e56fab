import { expect, test } from '@jest/globals';
import { findSimilar } from './suggest.js';

const names = ['firstname', 'lastname', 'id', 'url', 'closing_date', 'Address'];

const table: readonly (readonly [string, string | undefined])[] = [
  ['firstnam', 'firstname'],
  ['firstnames', 'firstname'],
  ['fristname', 'firstname'],
  ['frstnam', 'firstname'],
  ['FIRSTNAME', 'firstname'],
  ['address', 'Address'],
  ['closingdate', 'closing_date'],
  ['first', undefined],
  ['ur', 'url'],
  ['xy', undefined],
  ['i', 'id'],
  ['di', 'id'],
  ['ab', undefined],
];
test.each(table)('findSimilar suggests for %s: %s', (name, similar) => {
  expect(findSimilar(name, names)).toBe(similar);
});

test('findSimilar suggests the most similar of several similar names', () => {
  expect(findSimilar('name', ['names1', 'names', 'game1'])).toBe('names');
});
