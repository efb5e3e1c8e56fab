import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import { progress, progressText } from './progress.js';

test.each([
  [0, 0, 4, `[${'-'.repeat(30)}]   0 %  0 of 4 items, 0.0 MB`],
  [3, 1_250_000, 4, `[${'#'.repeat(22)}${'-'.repeat(8)}]  75 %  3 of 4 items, 1.3 MB`],
  [5, 10, 4, `[${'#'.repeat(30)}] 100 %  5 of 4 items, 0.0 MB`],
  [0, 0, 0, `[${'#'.repeat(30)}] 100 %  0 of 0 items, 0.0 MB`],
  [3, 1_250_000, undefined, '3 items, 1.3 MB'],
])('the progress of %i items and %i bytes of %p items is %s', (items, bytes, total, expected) => {
  expect(progressText(items, bytes, total)).toBe(expected);
});

test.each([
  ['ndjson', '{"a":"\\"x"}\n{"a":"y"}\n'],
  ['csv', 'a\r\n"x\ny ""z"""\r\nv\r\n'],
] as const)(
  'an export in the format %s passes the progress unchanged, and each item counts once',
  async (format, body) => {
    const terminal = new PassThrough();
    const total = Promise.resolve(2);
    const source = progress(terminal as unknown as NodeJS.WriteStream, { format, total });
    await total;
    for (const character of body) source.write(character);
    source.end();
    expect(await text(source)).toBe(body);
    expect(String(terminal.read())).toMatch(/100 % {2}2 of 2 items, 0\.0 MB\n$/);
  },
);
