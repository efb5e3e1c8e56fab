import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { ApiError } from '@ats/client';
import { resourceHint } from './resources.js';

const GENERATED = join(__dirname, '../../../libs/client/src/generated/types.gen.ts');

function notFound(path: string, status = 404): ApiError {
  const response = new Response(null, { status });
  Object.defineProperty(response, 'url', { value: `http://ats.test/api/v1/${path}` });
  return new ApiError(response, { message: 'not found' });
}

it.each([
  ['candidats', 'Did you mean candidates?'],
  ['Vacancies', 'Did you mean vacancies?'],
  ['candidate/7', 'Did you mean candidates?'],
  ['nonsense', expect.stringContaining('The resources are: applications, ')],
])('a mistyped resource such as %s gets a hint', async (path, hint) => {
  expect(await resourceHint(notFound(path))).toEqual(hint);
});

it.each([
  ['a missing item', notFound('candidates/7')],
  ['another status', notFound('candidats', 403)],
])('%s gets no hint', async (_, error) => {
  expect(await resourceHint(error)).toBeUndefined();
});

it('the hint has all resources that the client can list', async () => {
  const listed = readFileSync(GENERATED, 'utf8').matchAll(/^ {4}url: '\/api\/v1\/(\w+)';$/gm);
  const names = new Set([...listed].map(([, name = '']) => name));
  expect(names.size).toBeGreaterThan(20);
  const [, hint = ''] = /: (.*)$/.exec((await resourceHint(notFound('nonsense'))) ?? '') ?? [];
  expect(hint.split(', ')).toEqual(expect.arrayContaining([...names]));
});
