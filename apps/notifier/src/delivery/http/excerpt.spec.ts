import { describe, expect, it } from '@jest/globals';
import { MAX_EXCERPT_BYTES, toExcerpt } from './excerpt.js';

describe('toExcerpt', () => {
  it.each([
    ['keeps a short text', Buffer.from('Grüße'), 'Grüße'],
    ['replaces NUL, which PostgreSQL cannot store', Buffer.from('a\0b'), 'a\ufffdb'],
    ['replaces invalid UTF-8', Buffer.from([0x61, 0xff, 0x62]), 'a\ufffdb'],
    ['keeps a text of 16 KiB', Buffer.alloc(MAX_EXCERPT_BYTES, 'x'), 'x'.repeat(MAX_EXCERPT_BYTES)],
    ['cuts a longer text', Buffer.alloc(MAX_EXCERPT_BYTES + 1, 'x'), 'x'.repeat(MAX_EXCERPT_BYTES)],
    [
      'cuts between characters',
      Buffer.from('x' + 'ü'.repeat(MAX_EXCERPT_BYTES)),
      'x' + 'ü'.repeat(MAX_EXCERPT_BYTES / 2 - 1),
    ],
  ])('%s', (_, body, expected) => {
    expect(toExcerpt(body)).toBe(expected);
  });

  it('stays within 16 KiB when every byte is invalid and is replaced by a longer character', () => {
    expect(Buffer.byteLength(toExcerpt(Buffer.alloc(MAX_EXCERPT_BYTES, 0xff)))).toBeLessThanOrEqual(MAX_EXCERPT_BYTES);
  });
});
