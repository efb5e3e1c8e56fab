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
test.each(table)('%s is near to %s', (name, similar) => {
  expect(findSimilar(name, names)).toBe(similar);
});

test('the nearest of several near names wins', () => {
  expect(findSimilar('name', ['names1', 'names', 'game1'])).toBe('names');
});
