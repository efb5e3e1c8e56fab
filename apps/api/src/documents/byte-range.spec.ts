import { expect, test } from '@jest/globals';
import { byteRangeOf, UNSATISFIABLE } from './byte-range.js';

const SIZE = 1_000;

test.each([
  ['bytes=0-0', 0, 0],
  ['bytes=10-19', 10, 19],
  ['bytes=999-', 999, 999],
  ['bytes=990-99999999999999999999', 990, 999],
  ['bytes=-1', 999, 999],
  ['bytes=-1000', 0, 999],
  ['bytes=-1001', 0, 999],
  ['bytes=-99999999999999999999', 0, 999],
])('the range %s has the bytes %d to %d', (header, start, end) => {
  expect(byteRangeOf(header, SIZE)).toEqual({ start, end });
});

test.each(['bytes=1000-', 'bytes=1000-1001', 'bytes=99999999999999999999-', 'bytes=-0', 'bytes=5-2'])(
  'the range %s is outside of the document',
  (header) => {
    expect(byteRangeOf(header, SIZE)).toBe(UNSATISFIABLE);
  },
);

test.each([
  'bytes=0-0,5-9',
  'bytes=',
  'bytes=-',
  'bytes=a-b',
  'bytes=1e2-2e2',
  'bytes=0x1-0x2',
  'bytes=1.5-3.5',
  'bytes = 0-1',
  'bytes=0-1 ',
  'bytes=+1-2',
  'items=0-1',
])('the range %s means the whole document', (header) => {
  expect(byteRangeOf(header, SIZE)).toBeNull();
});
