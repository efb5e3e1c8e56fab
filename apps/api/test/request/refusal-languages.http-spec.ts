import { describe, expect, test } from '@jest/globals';
import { LANGUAGES, localise } from '@ats/domain';
import { message } from '@ats/message';
import { VERSIONS } from '../../src/versions/versions.js';
import { type Api } from '../support/api-harness.js';
import { below, expectStatus } from '../support/factories.js';
import { speaking } from '../support/translations.js';
import { useApi } from '../support/use-api.js';
import { type Asked, inEveryLanguage } from './in-every-language.js';

const { api, make } = useApi();

const UNKNOWN = 987_654_321;

describe('an error body', () => {
  test.each<[string, () => Promise<Asked>]>([
    ['an unknown path', () => Promise.resolve([404, 'GET', '/api/v1/nothing'])],
    ['an unknown item', () => Promise.resolve([404, 'GET', `/api/v1/candidates/${UNKNOWN}`])],
    ['an invalid id', () => Promise.resolve([404, 'GET', '/api/v1/candidates/x'])],
    ['an unknown schema', () => Promise.resolve([404, 'GET', '/api/v1/schemas/x'])],
    ['another method', () => Promise.resolve([405, 'PATCH', '/api/v1/me'])],
    ['no credentials', () => Promise.resolve([401, 'GET', '/api/v1/me', { token: null }])],
    ['a missing scope', async () => [403, 'GET', '/api/v1/candidates', { token: await make.scopelessToken() }]],
    [
      'missing scopes',
      async () => [403, 'GET', '/api/v1/api/quick_search?q=ada', { token: await make.scopelessToken() }],
    ],
    [
      'a scope that a datapath needs',
      async () => [
        403,
        'GET',
        '/api/v1/applications?search=user.language=de',
        { token: await make.token('applications:read') },
      ],
    ],
    [
      'a scope that a parameter needs',
      async () => [
        403,
        'GET',
        `/api/v1/candidates?selection=${(await make.selection()).id}`,
        { token: await make.token('candidates:read') },
      ],
    ],
    [
      'a stale ETag',
      async () => [
        412,
        'PUT',
        `/api/v1${below((await make.jobBoard()).url)}`,
        { body: { name: 'B', code: 'b-1' }, headers: { 'if-match': '"x"' } },
      ],
    ],
    ['an unknown version', () => Promise.resolve([400, 'GET', '/api/v1/me', { headers: { 'api-version': '2.0' } }])],
    ['a body that is no JSON', () => Promise.resolve([400, 'POST', '/api/v1/candidates', { payload: '{' }])],
    [
      'a body of another media type',
      () =>
        Promise.resolve([
          415,
          'POST',
          '/api/v1/candidates',
          { payload: '{}', headers: { 'content-type': 'text/plain' } },
        ]),
    ],
    [
      'a body that is too large',
      () => Promise.resolve([413, 'POST', '/api/v1/candidates', { payload: `"${'x'.repeat(1024 * 1024)}"` }]),
    ],
    [
      'an invalid Idempotency-Key',
      () =>
        Promise.resolve([400, 'POST', '/api/v1/candidates', { payload: '{}', headers: { 'idempotency-key': 'é' } }]),
    ],
    ['a path that cannot be decoded', () => Promise.resolve([400, 'GET', '/api/v1/candidates/%ff'])],
  ])('is in the language of the request: %s', async (_, asked) => {
    await inEveryLanguage(api, await asked());
  });

  test('is in the language of the request when an earlier request with the same key still runs', async () => {
    const user = await make.candidate();
    const vacancy = await make.vacancy();
    const options = {
      body: { user_id: user.id, opportunity_id: vacancy.id },
      headers: { 'idempotency-key': 'in five languages' },
    };
    let first: ReturnType<Api['request']> | undefined;
    await api.database.transaction(async (transaction) => {
      await transaction.query('SELECT FROM users WHERE id = $1 FOR UPDATE', [user.id]);
      first = api.request('POST', '/api/v1/applications', options);
      await expectClaim('in five languages');
      await inEveryLanguage(api, [409, 'POST', '/api/v1/applications', options]);
    });
    expectStatus(201, (await first) as Awaited<ReturnType<Api['request']>>);
    await inEveryLanguage(api, [
      422,
      'POST',
      '/api/v1/applications',
      { ...options, body: { ...options.body, source: 'other' } },
    ]);
  });

  async function expectClaim(key: string): Promise<void> {
    for (;;) {
      const claims = await api.database.query('SELECT FROM idempotency_keys WHERE key = $1', [key]);
      if (claims.length > 0) return;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  test('is in the language of the header, of the credential, or of the system', async () => {
    const contentLanguage = async (language: string) =>
      (await api.get('/me', { token: null, headers: { 'accept-language': language } })).headers['content-language'];
    expect(await contentLanguage('xx, de-AT;q=0.8, fr;q=0.7')).toBe('de');
    expect(await contentLanguage('tlh')).toBe('en');
    const { token } = await make.credential({ language: 'fr' });
    const answer = expectStatus(404, await api.get('/candidates/0', { token }));
    expect([answer.headers['content-language'], answer.problem.message]).toEqual([
      'fr',
      localise(message`An item with the id ${'"0"'} was not found`, 'fr'),
    ]);
    const refused = expectStatus(406, await api.get('/me', { token, headers: { 'accept-language': 'tlh' } }));
    expect([refused.headers['content-language'], refused.problem.message]).toEqual([
      'fr',
      localise(message`The header Accept-Language must allow one of ${LANGUAGES}`, 'fr'),
    ]);
    const versionless = expectStatus(400, await api.get('/me', { token, headers: { 'api-version': 'x' } }));
    expect([versionless.headers['content-language'], versionless.problem.message]).toEqual([
      'fr',
      localise(message`The header Api-Version must be one of ${VERSIONS.versions}`, 'fr'),
    ]);
  });
});

describe('a replayed answer', () => {
  test('names its own language, whichever is requested', async () => {
    const body = { user_id: (await make.candidate()).id, opportunity_id: (await make.vacancy()).id };
    const ask = (language: (typeof LANGUAGES)[number]) =>
      api.post('/applications', body, { headers: { 'idempotency-key': 'repeated', ...speaking(language) } });
    const first = expectStatus(201, await ask('de'));
    const again = expectStatus(201, await ask('fr'));
    expect([again.item, again.headers['content-language'], again.headers['etag']]).toEqual([
      first.item,
      'de',
      first.headers['etag'],
    ]);
    const read = expectStatus(200, await api.get(below(first.item.url), { headers: speaking('de') }));
    expect(read.headers['etag']).toBe(first.headers['etag']);
  });
});
