import { describe, expect, test } from '@jest/globals';
import { cpuMsOf } from '../../test/support/own-time.js';
import { digestOf, formerDigestOf } from './request-digest.js';

const digest = (body: unknown, url = '/api/v1/candidates'): string =>
  digestOf({ method: 'POST', url, body }).toString('hex');
const digestOfText = (text: string): string => digest(JSON.parse(text));

describe('the digest of a request', () => {
  test.each([
    ['{"a":1,"b":2}', '{"b":2,"a":1}'],
    ['{"a":1}', ' { "a" :\n1 } '],
    ['{"a":{"x":[1,{"p":1,"q":2}],"y":null}}', '{"a":{"y":null,"x":[1,{"q":2,"p":1}]}}'],
    ['{"a":"\\u00e9\\/"}', '{"a":"é/"}'],
    ['{"a":1.0}', '{"a":1}'],
  ])('is the same for %s and %s', (one, other) => {
    expect(digestOfText(one)).toBe(digestOfText(other));
  });

  test.each([
    ['{"a":1}', '{"a":"1"}'],
    ['{"a":[1,2]}', '{"a":[2,1]}'],
    ['{"a":[1,2]}', '{"a":[[1],2]}'],
    ['{"a":[12]}', '{"a":[1,2]}'],
    ['{"a":{}}', '{"a":[]}'],
    ['{"a":null}', '{}'],
    ['{"a":"b","c":"d"}', '{"a":"b,c:d"}'],
    ['{"a":"b"}', '["a","b"]'],
    ['{"a":["b","}"]}', '{"a":["b"],"}":1}'],
    ['null', '{}'],
    ['{"":{"":1}}', '{"":{},"":1}'],
  ])('differs between %s and %s', (one, other) => {
    expect(digestOfText(one)).not.toBe(digestOfText(other));
  });

  test('differs between paths, and between no body and an empty object', () => {
    expect(digest({}, '/a')).not.toBe(digest({}, '/b'));
    expect(digest(undefined)).not.toBe(digest({}));
  });

  test('leaves the body unchanged, and differs between bodies of different bytes', () => {
    const body = { b: [3, 1], a: { d: 1, c: 2 } };
    digest(body);
    expect(JSON.stringify(body)).toBe('{"b":[3,1],"a":{"d":1,"c":2}}');
    expect(digest(Buffer.from('ab'))).not.toBe(digest(Buffer.from('ba')));
  });

  test.each([
    ['depth', '['.repeat(500_000) + ']'.repeat(500_000)],
    ['width', `[${'1,'.repeat(500_000)}1]`],
    ['number of properties', `{${Array.from({ length: 80_000 }, (_, index) => `"${index}":1`).join()}}`],
  ])('takes at most 5 s of processor time for a body of any %s', async (_, text) => {
    const body: unknown = JSON.parse(text);
    expect(await cpuMsOf(() => expect(digest(body)).toHaveLength(64))).toBeLessThan(5_000);
  });

  test('is null in the form of a former release for a body that is nested too deeply for that release', () => {
    const body: unknown = JSON.parse('['.repeat(500_000) + ']'.repeat(500_000));
    expect(formerDigestOf({ method: 'POST', url: '/', body })).toBeNull();
  });
});
