import { beforeAll, describe, expect, test } from '@jest/globals';
import { type DescribedRoute, Routes } from '../../src/openapi/routes.js';
import { type Answer } from '../support/answer.js';
import { type Method } from '../support/api-harness.js';
import { sampleOf } from '../support/long-part.js';
import { useApi } from '../support/use-api.js';

const { api, make } = useApi();
const CHROME = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';
const ERROR_TYPE = 'application/json; charset=utf-8';

let routes: readonly DescribedRoute[];
let scopeless: string;

/**
 * Returns the media types of a route. A file has none here: a client cannot know its type before, so `Accept` does not
 * limit it.
 */
const typesOf = ({ operation: { answer } }: DescribedRoute): readonly string[] =>
  answer.isFile
    ? []
    : [
        ...(answer.schema ? ['application/json'] : []),
        ...(answer.text === undefined ? [] : [answer.text]),
        ...(answer.isExported ? ['application/x-ndjson', 'text/csv'] : []),
      ];

/** Requests a route with a credential without scopes, so that nothing can change. */
const request = ({ method, path, isPublic }: DescribedRoute, accept: string): Promise<Answer> =>
  api.request(method.toUpperCase() as Method, path.replaceAll(/\{\w+\}/g, '1'), {
    token: isPublic ? null : scopeless,
    headers: { accept, 'api-version': '1.9' },
  });

beforeAll(async () => {
  routes = sampleOf(api.app.get(Routes).all()).filter(({ operation }) => !operation.compatibilityFlag);
  scopeless = await make.scopelessToken();
});

describe('every route', () => {
  test('answers 406 in JSON when Accept does not allow the media type of its answer', async () => {
    const refused = routes.filter((route) => typesOf(route).length > 0);
    expect(refused.length).toBeGreaterThan(20);
    for (const route of refused) {
      for (const accept of ['image/png', ['*/*', ...typesOf(route).map((type) => `${type};q=0`)].join(', ')]) {
        const { status, headers, problem } = await request(route, accept);
        expect([route.path, status, headers['content-type']]).toEqual([route.path, 406, ERROR_TYPE]);
        expect(problem.message).toBe(`The header Accept must allow one of ${typesOf(route).join(', ')}`);
      }
    }
  });

  test('accepts the media type of its answer and the default of a browser', async () => {
    for (const route of routes) {
      for (const accept of [typesOf(route)[0] ?? 'image/png', CHROME])
        expect([route.path, (await request(route, accept)).status]).not.toEqual([route.path, 406]);
    }
  });
});

test('the refusals 401, 404 and 405 take precedence over 406', async () => {
  const headers = { accept: 'text/csv' };
  expect((await api.get('/candidates', { token: null, headers })).status).toBe(401);
  expect((await api.get('/nowhere', { headers })).status).toBe(404);
  expect((await api.request('TRACE', '/api/v1/candidates', { headers })).status).toBe(405);
  expect((await api.request('OPTIONS', '/api/v1/candidates', { headers })).status).toBe(204);
});

test('an answer without a body is sent whatever Accept allows', async () => {
  const { url } = await make.jobBoard();
  const { status } = await api.request('DELETE', new URL(url).pathname.replace('/recruiting', ''), {
    headers: { accept: 'text/csv' },
  });
  expect(status).toBe(204);
});

test('the message of a 406 is in the language of the request', async () => {
  const { problem } = await api.get('/me', { headers: { accept: 'text/csv', 'accept-language': 'de' } });
  expect(problem.message).toBe('Accept muss einen dieser Medientypen zulassen: application/json');
});
