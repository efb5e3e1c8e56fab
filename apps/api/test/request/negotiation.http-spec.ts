import { describe, expect, test } from '@jest/globals';
import { VERSIONS } from '../../src/versions/versions.js';
import { type Answer } from '../support/answer.js';
import { type RequestOptions } from '../support/api-harness.js';
import { expectStatus } from '../support/factories.js';
import { rawRequest, sendRaw } from '../support/raw-request.js';
import { useApi } from '../support/use-api.js';

const { api, make } = useApi();

const me = (headers: Readonly<Record<string, string>>, options: RequestOptions = {}): Promise<Answer> =>
  api.get('/me', { ...options, headers });
const VARIES = 'Api-Version, Accept-Language, Accept-Encoding, Authorization';

describe('the version of a request', () => {
  test('comes from the header Api-Version, and the answer names the version', async () => {
    for (const version of VERSIONS.versions) {
      const { status, headers } = await me({ 'api-version': version });
      expect([status, headers['api-version'], headers['vary']]).toEqual([200, version, VARIES]);
    }
  });

  test('defaults to the version of the credential, then to the latest stable version', async () => {
    const [old, none] = [await make.credential({ api_version: '1.4' }), await make.credential({ api_version: null })];
    const versions = [
      await me({}, { token: old.token }),
      await me({}, { token: none.token }),
      await me({ 'api-version': '1.9' }, { token: old.token }),
    ];
    expect(versions.map(({ headers }) => headers['api-version'])).toEqual(['1.4', '1.7', '1.9']);
  });

  test.each([
    ...['1.7, 1.7', '1.07', '1.7.0', '1.10', '1.1', '2', 'v1.7', '', '\u00b2'].map((text) => [text, text]),
    ['of a kilobyte', '1'.repeat(1024)],
  ])('is rejected when the header is %s', async (_, version = '') => {
    const { status, problem, headers } = await me({ 'api-version': version });
    expect([status, problem.message, headers['api-version']]).toEqual([
      400,
      'The header Api-Version must be one of 1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 1.8, 1.9',
      '1.7',
    ]);
    expect(headers['vary']).toBe(VARIES);
  });

  test('is rejected when the header is repeated, even with the same value', async () => {
    const port = await api.listen();
    const request = rawRequest(
      'GET /api/v1/me HTTP/1.1',
      'Host: x',
      `Authorization: Bearer ${api.adminToken}`,
      'Api-Version: 1.7',
      'Api-Version: 1.7',
    );
    const { status, body } = await sendRaw(port, request);
    expect([status, body]).toEqual([400, expect.stringContaining('Api-Version must be one of')]);
  });

  test('is named by answers to unauthenticated requests too', async () => {
    const answers = [
      await api.get('/nowhere', { headers: { 'api-version': '1.3' } }),
      await me({ 'api-version': '1.3' }, { token: null }),
      await api.request('GET', '/health/live', { headers: { 'api-version': '1.3' } }),
    ];
    expect(answers.map(({ status, headers }) => [status, headers['api-version']])).toEqual([
      [404, '1.3'],
      [401, '1.3'],
      [200, '1.3'],
    ]);
  });
});

describe('the language of a request', () => {
  const nameOf = async (options: RequestOptions): Promise<readonly unknown[]> => {
    const { headers, item } = expectStatus(
      200,
      await api.get(`/applications/${(await make.application()).id}`, options),
    );
    return [headers['content-language'], (item['process_state'] as { readonly name: string }).name, headers['vary']];
  };

  test('comes from the header Accept-Language, and the answer names the language', async () => {
    expect(await nameOf({ headers: { 'accept-language': 'it, fr-CA;q=0.8, de;q=0.5' } })).toEqual([
      'fr',
      'Reçue',
      VARIES,
    ]);
  });

  test('defaults to the language of the credential, then to the language of the system', async () => {
    const own = await make.credential({ language: 'es' });
    const none = await make.credential({ language: null });
    expect((await me({}, { token: own.token })).headers['content-language']).toBe('es');
    expect((await me({ 'accept-language': '' }, { token: own.token })).headers['content-language']).toBe('es');
    expect((await me({ 'accept-language': '*' }, { token: own.token })).headers['content-language']).toBe('es');
    expect((await me({}, { token: none.token })).headers['content-language']).toBe('en');
    await api.database.query(`UPDATE systems SET default_language = 'de'`);
    try {
      const fresh = await make.credential({ language: null });
      expect((await me({}, { token: fresh.token })).headers['content-language']).toBe('de');
      expect((await me({}, { token: own.token })).headers['content-language']).toBe('es');
      // A request that is rejected before authentication is answered in the language of the system.
      const refusals = [
        api.get('/nothing'),
        api.request('PATCH', '/api/v1/me'),
        me({}, { token: null }),
        me({ 'api-version': 'x' }),
        me({ 'accept-language': 'it' }),
      ];
      expect((await Promise.all(refusals)).map(({ status, headers }) => [status, headers['content-language']])).toEqual(
        [404, 405, 401, 400, 406].map((status) => [status, 'de']),
      );
      expect((await me({ 'api-version': 'x' }, { token: own.token })).headers['content-language']).toBe('es');
    } finally {
      await api.database.query(`UPDATE systems SET default_language = 'en'`);
      await me({}, { token: (await make.credential()).token });
    }
  });

  test.each([
    ...['it', '*;q=0', 'de;q=0', 'x-klingon', 'de;q=abc'].map((text) => [text, text]),
    ['10 kB', 'it,'.repeat(3400)],
  ])('is rejected when the client accepts no supported language: %s', async (_, header = '') => {
    const { status, problem, headers } = await me({ 'accept-language': header });
    expect([status, problem.message, headers['vary']]).toEqual([
      406,
      'The header Accept-Language must allow one of en, de, fr, es, ar',
      VARIES,
    ]);
  });

  test('applies to errors, even before authentication', async () => {
    const headers = { 'accept-language': 'ar;q=0.1, de-AT;q=0.9' };
    const answers = [
      await api.get('/applications/987654321', { headers }),
      await me({ ...headers, 'api-version': '0' }),
      await me(headers, { token: null }),
      await api.get('/nowhere', { headers }),
      await api.request('PATCH', '/api/v1/me', { headers }),
      await api.request('GET', '/%', { headers }),
    ];
    expect(answers.map(({ status, headers: { 'content-language': language } }) => [status, language])).toEqual([
      [404, 'de'],
      [400, 'de'],
      [401, 'de'],
      [404, 'de'],
      [405, 'de'],
      [400, 'de'],
    ]);
    for (const answer of answers) expect(answer.headers['vary']).toContain('Accept-Language');
    for (const { status, headers: said } of [
      await me({ 'accept-language': 'it' }, { token: null }),
      await api.get('/nowhere', { headers: { 'accept-language': '' } }),
    ]) {
      expect([status >= 400, said['content-language']]).toEqual([true, 'en']);
    }
  });

  test('changes the ETag, and so does the version', async () => {
    const { id } = await make.application();
    const tags = [];
    for (const version of ['1.2', '1.9'])
      for (const language of ['en', 'de'])
        tags.push(
          (await api.get(`/applications/${id}`, { headers: { 'api-version': version, 'accept-language': language } }))
            .etag,
        );
    expect(new Set(tags).size).toBe(4);
  });
});

test('public answers have no version and no language', async () => {
  for (const path of ['/health/live', '/openapi.json', '/docs']) {
    const { status, headers } = await api.request('GET', path, { token: null, headers: { 'accept-language': 'it' } });
    expect([status, headers['content-language']]).toEqual([200, undefined]);
  }
});
