import { expect, test } from '@jest/globals';
import { toParameter } from './expression-operand.js';

const days = (text: string): number => Date.parse(text) / 86_400_000;

test.each([
  ['2024-02-29', '2024-02-29'],
  ['0001-01-01', '0001-01-01'],
  ['9999-12-31', '9999-12-31'],
  ['+010000-01-01', '10000-01-01'],
  ['0000-12-31', '0001-12-31 BC'],
  ['-000004-02-29', '0005-02-29 BC'],
  ['-004701-12-31', '-infinity'],
])('the date %s becomes the parameter %s', (text, parameter) => {
  expect(toParameter(days(text), 'date')).toBe(parameter);
});

test('a datetime outside the years 0001 to 9999 keeps its time', () => {
  expect(toParameter(Date.parse('+010000-01-01T00:30:00Z'), 'datetime')).toBe('10000-01-01T00:30:00.000Z');
  expect(toParameter(Date.parse('0000-12-31T23:00:00Z'), 'datetime')).toBe('0001-12-31T23:00:00.000Z BC');
  expect(toParameter(1e18, 'datetime')).toBe('infinity');
});
