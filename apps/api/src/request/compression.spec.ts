import { describe, expect, test } from '@jest/globals';
import { chooseCoding } from './compression.js';

const KIB = 1_024;

describe('the content coding of an answer', () => {
  test.each<[header: string, coding: string | null]>([
    ['br', 'br'],
    ['gzip', 'gzip'],
    ['GZIP', 'gzip'],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip;q=1.0, br;q=0.5', 'gzip'],
    ['br;q=0.001', 'br'],
    ['br;q=0, gzip', 'gzip'],
    ['br;q=0, *', 'gzip'],
    ['*', 'br'],
    ['gzip, identity;q=0', 'gzip'],
    ['identity, gzip;q=0.5', null],
    ['identity', null],
    ['deflate, zstd, compress', null],
    ['br;q=0, gzip;q=0', null],
    ['*;q=0', null],
    ['identity;q=0', null],
    ['', null],
    [' , ', null],
    ['gz, brotli', null],
  ])('for the header "%s" is %s', (header, coding) => {
    expect(chooseCoding(header, KIB)).toBe(coding);
  });

  test('is none without the header', () => {
    expect(chooseCoding(undefined, KIB)).toBeNull();
  });

  test('is none below 1 KiB, unless the client refuses an uncompressed answer', () => {
    expect(chooseCoding('br, gzip', KIB - 1)).toBeNull();
    expect(chooseCoding('br, gzip, *;q=0.1', KIB - 1)).toBeNull();
    expect(chooseCoding('gzip, identity;q=0', KIB - 1)).toBe('gzip');
    expect(chooseCoding('gzip, *;q=0', 1)).toBe('gzip');
  });
});
