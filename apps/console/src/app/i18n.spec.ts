import { expect, it } from '@jest/globals';
import { formatSize } from './i18n.js';

it.each([
  [0, '0 byte'],
  [999, '999 byte'],
  [1_234, '1.23 kB'],
  [999_600, '1 MB'],
  [25_000_000, '25 MB'],
  [5_000_000_000_000, '5,000 GB'],
])('%d bytes are shown as %s', (bytes, text) => expect(formatSize(bytes)).toBe(text));
