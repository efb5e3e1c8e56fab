// @group long: reads every resource in every version
import { randomUUID } from 'node:crypto';
import { parseEndpoint } from '@ats/api-versioning';
import { expect, test } from '@jest/globals';
import { VERSIONS } from '../../src/versions/versions.js';
import { type RequestOptions } from '../support/api-harness.js';
import { expectStatus } from '../support/factories.js';
import { useApi } from '../support/use-api.js';

const { api, make } = useApi();

/**
 * Maps each version to a function that sends a request, and returns true when the answer shows the change that the
 * version introduced.
 */
const SEES: Readonly<Record<string, (options: RequestOptions) => Promise<boolean>>> = {
  '1.3': async (options) => (await api.post('/vacancies/bulk_form_values', { items: [] }, options)).status !== 415,
  '1.4': async (options) =>
    (await api.get(`/applications/${(await make.application()).id}`, options)).item.url.includes(
      '/vacancy_applications/',
    ),
  '1.5': async (options) => String((await api.get('/systems', options)).items[0]?.['domain']).includes('.'),
  '1.6': async (options) =>
    (
      await api.post(
        `/applications/${(await make.application()).id}/copy`,
        { opp_id: (await make.vacancy()).id },
        options,
      )
    ).status === 201,
  '1.7': async (options) => 'has_more' in ((await api.get('/applications/history', options)).json as object),
  '1.8': async (options) => {
    const body = { firstname: 'Ada', lastname: 'Byron', email: `${randomUUID()}@example.com` };
    return expectStatus(201, await api.post('/candidates', body, options)).item['status'] === 'active';
  },
  '1.9': async (options) => {
    const { id: user_id } = await make.candidate();
    const [application, other] = [await make.application({ user_id }), await make.application({ user_id })];
    await make.communication({ application: other });
    return (await api.get(`/applications/${application.id}/comms`, options)).items.length === 0;
  },
};

async function seenWith(options: RequestOptions): Promise<readonly string[]> {
  const seen: string[] = [];
  for (const [change, sees] of Object.entries(SEES)) if (await sees(options)) seen.push(change);
  return seen;
}

test('a request at a version gets the changes up to that version and none of newer versions', async () => {
  const [oldest = '', ...changing] = VERSIONS.versions;
  expect(Object.keys(SEES)).toEqual(changing);
  for (const version of [oldest, ...changing]) {
    expect([version, await seenWith({ headers: { 'api-version': version } })]).toEqual([
      version,
      changing.slice(0, VERSIONS.versions.indexOf(version)),
    ]);
  }
});

test('a request without a version gets the latest stable version, 1.7', async () => {
  expect(await seenWith({})).toEqual(['1.3', '1.4', '1.5', '1.6', '1.7']);
});

test('a credential with a version gets that version', async () => {
  const { token } = await make.credential({ api_version: '1.4', scopes: ['*:read', '*:write'] });
  expect(await seenWith({ token })).toEqual(['1.3', '1.4']);
});

test('a credential with a version that is no longer served gets the default version', async () => {
  const { id, token } = await make.credential({ scopes: ['*:read', '*:write'] });
  await api.database.query(`UPDATE credentials SET api_version = '1.10' WHERE id = $1`, [id]);
  expect(await seenWith({ token: String(token) })).toEqual(['1.3', '1.4', '1.5', '1.6', '1.7']);
});

test('public answers vary on Api-Version, and the reference names its version', async () => {
  const headers = { 'api-version': '1.3' };
  for (const path of [
    '/health/live',
    '/docs',
    '/openapi.json',
    '/activate',
    '/nowhere',
    '/api/v1/nowhere',
    '/api/v1/me',
    '/%ZZ',
  ]) {
    expect([path, (await api.request('GET', path, { token: null, headers })).headers['vary']]).toEqual([
      path,
      expect.stringContaining('Api-Version, Accept-Language'),
    ]);
  }
  const path = '/openapi.json';
  expect((await api.request('GET', path, { headers })).headers['api-version']).toBe('1.7');
  expect((await api.request('GET', `${path}?version=1.4`, { headers })).headers['api-version']).toBe('1.4');
});

test('every endpoint in the changes of a version exists', () => {
  const named = VERSIONS.declarations.flatMap(({ version, changes }) =>
    changes.flatMap(({ endpoints }) => endpoints.map((endpoint) => ({ version, endpoint }))),
  );
  const lost = named.filter(
    ({ endpoint }) => !api.routes.some(({ method, url }) => parseEndpoint(endpoint)?.(method, url)),
  );
  expect(lost).toEqual([]);
});

test('no change is applied to requests at the newest version', () => {
  expect(
    api.routes.filter(
      ({ method, url: path }) => VERSIONS.adaptationAt(VERSIONS.newest, { method, path }) !== undefined,
    ),
  ).toEqual([]);
  expect(VERSIONS.compatibilityFlagsAt(VERSIONS.newest).size).toBe(0);
});
