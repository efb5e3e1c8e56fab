import { type Dice } from './dice.js';
import { type Pools } from './random-row.js';

/**
 * Characters that are folded, sorted or escaped in an unusual way, and ordinary characters that are similar to them.
 */
const PIECES = [
  'a',
  'A',
  'b',
  'B',
  'son',
  'Son',
  'ß',
  'ẞ',
  'ss',
  'İ',
  'ı',
  'i',
  'I',
  'Σ',
  'σ',
  'ς',
  'ΑΣ',
  'ας',
  'é',
  'e\u0301',
  'É',
  'Ä',
  'ä',
  'Å',
  'Å',
  'ø',
  'Ж',
  'ж',
  'ǅ',
  'ﬁ',
  '𐐀',
  '𐐨',
  '😀',
  '漢',
  'ع',
  '%',
  '_',
  '\\',
  "'",
  '"',
  ' ',
  '-',
  '.',
  ',',
  '{',
  '}',
  '[',
  '!',
  '=',
  '<',
  '1',
  '10',
  '2',
  '\n',
  '\t',
  '/',
  '~',
] as const;

/** Words in which the case of a letter depends on other letters, and texts with special characters of SQL. */
const WORDS = ['ΟΔΟΣ', 'οδος', 'ΟΔΟΣΑΣ', 'İstanbul', 'Straße', 'STRASSE', '100%', 'a_b\\c', "O'Hara"] as const;

export const randomText = (dice: Dice): string =>
  Array.from({ length: dice.below(4) }, () => dice.one(PIECES)).join('');

const ADDRESSES = ['ada@example.com', 'Ada@Example.com', 'ADA@EXAMPLE.ORG', 'i.o@x.org', 'I.O@X.org'] as const;

const DATES = [
  '2026-02-28',
  '2026-03-01',
  '2026-03-02',
  '2024-02-29',
  '1970-01-01',
  '0001-01-01',
  '9999-12-31',
  '2031-07-15',
] as const;
const MOMENTS = [
  '2026-02-28T23:59:59.999Z',
  '2026-03-01T00:00:00.000Z',
  '2026-03-01T00:00:00.001Z',
  '2026-03-01T12:30:00.120Z',
  '2026-03-02T00:00:00.000Z',
  '1969-12-31T23:59:59.999Z',
  '0001-01-01T00:00:00.000Z',
  '9999-12-31T23:59:59.999Z',
  '2031-07-15T08:00:00.500Z',
] as const;
const DECIMALS = [0, 1, 1.5, -2.25, 10, 100, 12.34, 0.01, 999_999_999.99] as const;

export const randomPools = (dice: Dice): Pools => ({
  texts: ['', ...WORDS, ...Array.from({ length: 20 }, () => randomText(dice))],
  addresses: ADDRESSES,
  dates: DATES,
  moments: MOMENTS,
  decimals: DECIMALS,
});
