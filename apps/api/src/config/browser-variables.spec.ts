import { expect, it } from '@jest/globals';
import { browserVariables } from './browser-variables.js';

const { schema } = browserVariables.CORS_ORIGINS;

it('CORS_ORIGINS accepts a list of origins as browsers send them', () => {
  expect(schema.parse('https://Jobs.example.com:443, http://localhost:4200')).toEqual([
    'https://jobs.example.com',
    'http://localhost:4200',
  ]);
});

it.each(['*', 'https://*.example.com/', 'jobs.example.com', 'https://a.example/', 'https://a.example/jobs', 'null'])(
  'CORS_ORIGINS rejects %s',
  (text) => {
    expect(schema.safeParse(text).error?.issues[0]?.message).toMatch(/^must be a comma-separated list of origins/);
  },
);

it.each(['https://user@a.example', 'ftp://a.example', 'https://a.example,', 'https://a.example?x'])(
  'CORS_ORIGINS rejects %s, which is not an origin',
  (text) => {
    expect(schema.safeParse(text).success).toBe(false);
  },
);
