import { describe, expect, test } from '@jest/globals';
import { cpuMsOf } from '../../test/support/own-time.js';
import { allowsType } from './accept.js';

const JSON_TYPE = ['application/json'];
/** The `Accept` headers that browsers and common clients send by default. */
const DEFAULTS = {
  Chrome:
    'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7',
  Firefox: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  Safari: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'curl and fetch': '*/*',
  axios: 'application/json, text/plain, */*',
  'HttpURLConnection of Java': 'text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2',
  Prometheus:
    'application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.6,text/plain;version=0.0.4;q=0.5,*/*;q=0.1',
};

describe('an answer in JSON', () => {
  test.each([
    ['without the header', undefined],
    ['for an empty header', ''],
    ['for an empty list', ' , '],
    ...[
      'application/json',
      'application/*',
      '*/*',
      'APPLICATION/JSON',
      'application/json; charset=utf-8',
      'application/json;charset="utf-8"',
      'application/json;indent=2;q=0.3',
      'application/problem+json',
      'text/csv, application/json;q=0.001',
      'text/csv;a="x,y", application/json',
      '*/*;q=0, application/json',
      'application/*;q=0, application/json',
      'text/html;q=0, */*;q=0.1',
      'application/json;q=0.5, application/problem+json;q=0',
    ].map((header) => [`for ${header}`, header]),
    ...Object.entries(DEFAULTS).map(([client, header]) => [`for ${client}`, header]),
  ])('is acceptable %s', (_, header) => {
    expect(allowsType(header, JSON_TYPE)).toBe(true);
  });

  test.each([
    'text/csv',
    'text/*',
    'text/json',
    'application/xml',
    'application/vnd.api+json',
    'application/json;q=0',
    'application/json;q=0.0, text/csv',
    'application/json;q=0, */*',
    'application/json ; charset=utf-8 ; q=0, */*',
    'application/*;q=0, */*',
    '*/*;q=0',
    '*;q=0',
    'json',
    'application/',
    'text/csv;a="application/json, */*"',
    'text/csv;a="unclosed, */*',
  ])('is refused by %s', (header) => {
    expect(allowsType(header, JSON_TYPE)).toBe(false);
  });
});

describe('an answer of another type', () => {
  test.each(['text/html', 'text/*', '*/*', ...Object.values(DEFAULTS)])('is acceptable for the header %s', (header) => {
    expect(allowsType(header, ['text/html'])).toBe(true);
  });

  test.each(['application/json', 'application/problem+json', 'text/plain', 'text/html;q=0, */*'])(
    'is refused by %s',
    (header) => {
      expect(allowsType(header, ['text/html'])).toBe(false);
    },
  );
});

test('an answer with several types is allowed when one of them is acceptable', () => {
  const types = ['application/json', 'text/csv'];
  expect(allowsType('text/csv', types)).toBe(true);
  expect(allowsType('application/json;q=0, text/csv;q=0.1', types)).toBe(true);
  expect(allowsType('text/html', types)).toBe(false);
});

test('a hostile Accept header of 16 KiB is read in less than 500 ms of CPU time', async () => {
  for (const part of [';', ';a=', ';a="', ',', 'a/b,', 'a/b;q=0.', '*/*;a="\\"', ' ']) {
    const header = part.repeat(16_384 / part.length);
    const ms = await cpuMsOf(() => allowsType(header, JSON_TYPE));
    expect([part, ms < 500]).toEqual([part, true]);
  }
});
