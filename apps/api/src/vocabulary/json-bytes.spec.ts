import { describe, expect, test } from '@jest/globals';
import { message } from '@ats/message';
import { MAX_PROPERTIES, parseJsonBytes } from './json-bytes.js';

const MESSAGES = { noUtf8: message`no UTF-8`, noJson: message`no JSON` };
const parse = (value: unknown): unknown => parseJsonBytes(Buffer.from(JSON.stringify(value)), MESSAGES);
const wide = (count: number): object =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, index]));

describe('the JSON of a body', () => {
  test('has at most 2,000 properties in one object, at any depth', () => {
    expect(parse(wide(MAX_PROPERTIES))).toEqual(wide(MAX_PROPERTIES));
    for (const inner of [wide(MAX_PROPERTIES + 1), { a: [1, { b: wide(MAX_PROPERTIES + 1) }] }])
      expect(() => parse(inner)).toThrow('more than 2000 properties');
  });

  test('may have a long list, and many small objects', () => {
    const list = Array.from({ length: 50_000 }, (_, index) => ({ index }));
    expect(parse({ list })).toEqual({ list });
  });

  test('may be nested as deeply as the size of a body allows', () => {
    const depth = 300_000;
    const text = `${'['.repeat(depth)}${']'.repeat(depth)}`;
    expect(Array.isArray(parseJsonBytes(Buffer.from(text), MESSAGES))).toBe(true);
  });
});
