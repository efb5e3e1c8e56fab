import { describe, expect, it } from '@jest/globals';
import { type z } from 'zod';
import { schemas } from './schemas.js';

const infoOf = (schema: z.ZodType, text: string): string | undefined =>
  schema.safeParse(text).error?.issues[0]?.message;

describe('schemas of variables', () => {
  it.each([
    ['true', true],
    ['1', true],
    ['yes', true],
    ['false', false],
    ['0', false],
    ['no', false],
  ])('reads the flag %s', (text, value) => {
    expect(schemas.flag.parse(text)).toBe(value);
  });

  it.each(['TRUE', 'on', ' true', '2'])('rejects the flag %j', (text) => {
    expect(infoOf(schemas.flag, text)).toBe('must be true or false');
  });

  it.each(['1', '80', '65535'])('reads the port %s', (text) => {
    expect(schemas.port.parse(text)).toBe(Number(text));
  });

  it.each(['0', '65536', '-1', '80.0', '0x50', '1e3', 'http'])('rejects the port %s', (text) => {
    expect(infoOf(schemas.port, text)).toBe('must be a port number from 1 to 65535');
  });

  it.each([
    [{}, '-1', 'must be a whole number'],
    [{ unit: 'seconds' }, '1.5', 'must be a whole number of seconds'],
    [{ least: 4, unit: 'days' }, '3', 'must be a whole number of days, at least 4'],
    [{ most: 9 }, '10', 'must be a whole number from 0 to 9'],
    [{ least: 1, most: 9 }, '٣', 'must be a whole number from 1 to 9'],
  ])('with the limits %j, rejects the whole number %j', (range, text, info) => {
    expect(infoOf(schemas.wholeNumber(range), text)).toBe(info);
  });

  it.each([
    [{}, '0', 0],
    [{}, ' 30 ', 30],
    [{ least: 4, most: 9 }, '4', 4],
    [{ least: 4, most: 9 }, '9', 9],
  ])('with the limits %j, reads the whole number %j', (range, text, value) => {
    expect(schemas.wholeNumber(range).parse(text)).toBe(value);
  });

  it('reports an invalid value with the declared error text, or with one made from the thrown error', () => {
    const fail = (text: string): number => {
      throw new Error(`a violation, not ${text.length} letters`);
    };
    expect(infoOf(schemas.readBy(fail, 'must be better'), 'abc')).toBe('must be better');
    expect(
      infoOf(
        schemas.readBy(() => null, 'must be better'),
        'abc',
      ),
    ).toBe('must be better');
    expect(
      infoOf(
        schemas.readBy(fail, (error) => (error as Error).message),
        'abc',
      ),
    ).toBe('a violation, not 3 letters');
  });

  it('accepts only URLs of the given protocols', () => {
    const schema = schemas.serverUrl(['http:', 'https:']);
    for (const text of ['https://example.com/a', 'http://me:100%25@example.com']) expect(schema.parse(text)).toBe(text);
    for (const text of [
      'ftp://example.com',
      'example.com',
      'https://',
      'https://me:100%@example.com',
      'https://me:a#b@example.com',
      'https://a.example,b.example/',
    ])
      expect(infoOf(schema, text)).toBe(
        'must be a URL of one server that starts with http:// or https://, with special characters percent-encoded',
      );
  });
});
