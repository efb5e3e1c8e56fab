import { describe, expect, test } from '@jest/globals';
import { cpuMsOf } from '../../test/support/own-time.js';
import { type Problem } from '../vocabulary/problem.js';
import { readFormData } from './form-data.js';

const MIB = 1024 * 1024;
const PART = '--X\r\nContent-Disposition: form-data; name="items"\r\n\r\n';

const read = (body: string, boundary = 'X'): Promise<unknown> =>
  readFormData(Buffer.from(body), `multipart/form-data; boundary=${boundary}`).catch((error: unknown) =>
    String((error as Problem).message),
  );

const parts = (count: number): string =>
  Array.from(
    { length: count },
    (_, index) => `--X\r\nContent-Disposition: form-data; name="p${index}"\r\n\r\n${index}\r\n`,
  ).join('') + '--X--\r\n';

describe('a multipart body of JSON parts', () => {
  test('may have up to twenty parts', async () => {
    expect(await read(parts(20))).toEqual(
      Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`p${index}`, index])),
    );
    expect(await read(`\r\n${parts(20)}`)).toEqual(await read(parts(20)));
    for (const count of [21, 22, 23, 1000])
      expect([count, await read(parts(count))]).toEqual([count, 'The request body has more than 20 parts']);
  });

  test('may contain the boundary in strings, and line breaks between tokens', async () => {
    const items = Array.from({ length: 100 }, () => '\r\n--X');
    expect(await read(`${PART}${JSON.stringify(items).replaceAll(',', ',\r\n ')}\r\n--X--`)).toEqual({ items });
  });

  test.each([
    ['without Content-Disposition', 'Content-Type: application/json\r\n\r\n[]'],
    ['without headers', '\r\n[]'],
    ['that is an attachment', 'Content-Disposition: attachment; name="more"\r\n\r\n[]'],
    [
      'whose name comes after two thousand headers',
      `${'A: b\r\n'.repeat(2001)}Content-Disposition: form-data; name="more"\r\n\r\n[]`,
    ],
  ])('is rejected with a part %s', async (_, part) => {
    for (const body of [
      `--X\r\n${part}\r\n--X--`,
      `${PART}[]\r\n--X\r\n${part}\r\n--X--`,
      `preamble\r\n--X\r\n${part}\r\n${PART}[]\r\n--X--\r\nepilogue`,
    ]) {
      expect(await read(body)).toBe('Each part of the request body needs a name');
    }
  });

  test.each([
    ['delimiters', PART + '\r\n--XX'.repeat((MIB - 100) / 6) + '--X--', 'X'],
    ['delimiters of an empty boundary', '\r\n--'.repeat(MIB / 4), '""'],
    ['parts without a name', '\r\n--X\r\nA:\r\n\r\n'.repeat(MIB / 16), 'X'],
    ['attachments', '\r\n--X\r\nContent-Disposition: attachment\r\n\r\n'.repeat(MIB / 48), 'X'],
  ])('costs at most 100 ms of CPU when it consists of %s', async (_, body, boundary) => {
    expect(await cpuMsOf(() => read(body, boundary))).toBeLessThan(100);
    expect(await read(body, boundary)).toBe('The request body has more than 20 parts');
  });
});
