import { describe, expect, test } from '@jest/globals';
import { CATALOGUES } from '@ats/domain';
import { type Answer } from '../support/answer.js';
import { type RequestOptions } from '../support/api-harness.js';
import { expectStatus } from '../support/factories.js';
import { useApi } from '../support/use-api.js';
import { create, tokenOf, statusOf, historyOf } from './activations.js';

const { api } = useApi();

describe('the activation page', () => {
  const show = (token: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> =>
    api.request('GET', `/activate?token=${encodeURIComponent(token)}`, { token: null, headers });
  const press = (form: string, options: RequestOptions = {}): Promise<Answer> =>
    api.request('POST', '/activate', {
      token: null,
      payload: form,
      ...options,
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...options.headers },
    });
  const TITLE = 'Activate your account';
  const titleOf = ({ text }: Answer): string | undefined => /<h1>(.*)<\/h1>/.exec(text)?.[1];

  test('shows a button and changes nothing on GET', async () => {
    const item = await create(api);
    const token = await tokenOf(api, item);
    for (let reading = 1; reading <= 3; reading++) {
      const answer = expectStatus(200, await show(token));
      expect(titleOf(answer)).toBe('Activate your account');
      expect(answer.text).toContain(
        `<form method="post" action="activate"><input type="hidden" name="token" value="${token}"><button>`,
      );
    }
    expectStatus(200, await api.request('HEAD', `/activate?token=${token}`, { token: null }));
    expect(await statusOf(api, item)).toBe('pending_activation');
  });

  test('activates the account once when its button is pressed, with a history entry that names no user', async () => {
    const item = await create(api);
    const token = await tokenOf(api, item);
    expect(titleOf(expectStatus(200, await press(`token=${token}`)))).toBe('Your account is active');
    expect(await statusOf(api, item)).toBe('active');
    expect((await historyOf(api, item))[0]).toMatchObject({
      type: 'field_change',
      user: null,
      changes: [{ path: '/status', new: 'active' }],
    });
    const again = expectStatus(200, await press(`token=${token}`));
    expect(titleOf(again)).toBe('This link is no longer valid');
    expect(again.text).not.toContain(token);
  });

  test('forbids scripts, frames, referrers and caching', async () => {
    for (const { headers } of [await show(await tokenOf(api, await create(api))), await press('token=x')]) {
      expect(headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'referrer-policy': 'same-origin',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'content-language': 'en',
        vary: 'Api-Version, Accept-Language, Accept-Encoding',
      });
      expect(headers['content-security-policy']).toMatch(
        /^default-src 'none'; style-src 'sha256-[\w+/]{43}='; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
      );
    }
  });

  test.each([
    ['de', 'de', 'ltr'],
    ['fr-CA, en;q=0.5', 'fr', 'ltr'],
    ['es', 'es', 'ltr'],
    ['ar-EG', 'ar', 'rtl'],
    ['nl', 'en', 'ltr'],
    ['x'.repeat(8_000), 'en', 'ltr'],
  ] as const)('is in the language of its reader (case %#)', async (accepted, language, direction) => {
    const answer = expectStatus(200, await show('A'.repeat(43), { 'accept-language': accepted }));
    expect(answer.text).toContain(`<html lang="${language}" dir="${direction}">`);
    expect([titleOf(answer), answer.headers['content-language']]).toEqual([
      CATALOGUES[language][TITLE] ?? TITLE,
      language,
    ]);
  });

  test.each(['', 'A'.repeat(42), `${'A'.repeat(42)}"><script>`, '\u0000', 'A'.repeat(10_000)])(
    'shows no button for a malformed token (case %#)',
    async (token) => {
      const answer = expectStatus(200, await show(token));
      expect([titleOf(answer), answer.text.includes('<form'), answer.text.includes('<script')]).toEqual([
        'This link is no longer valid',
        false,
        false,
      ]);
    },
  );

  test.each(['/activate', '/activate?token=a&token=b', '/activate?token[a]=b'])(
    'shows no button at the address %s',
    async (path) => {
      expect(titleOf(expectStatus(200, await api.request('GET', path, { token: null })))).toBe(
        'This link is no longer valid',
      );
    },
  );

  test.each([
    '',
    'token',
    'token=%00',
    'token=%ff',
    'token[]=x',
    'token=a&token=b',
    '__proto__=x',
    'a=b',
    `token=${'A'.repeat(43)}&more=1`,
    '&&==%',
  ])('activates no candidate for the form body %j', async (form) => {
    expect(titleOf(expectStatus(200, await press(form)))).toBe('This link is no longer valid');
  });

  test('accepts only bodies of HTML forms, which no other path accepts', async () => {
    expect(titleOf(expectStatus(200, await press(`token=${'A'.repeat(100_000)}`)))).toBe(
      'This link is no longer valid',
    );
    expectStatus(413, await press(`token=${'A'.repeat(2_000_000)}`));
    expectStatus(415, await press('token=x', { headers: { 'content-type': 'text/plain' } }));
    const { status } = await api.request('POST', '/api/v1/candidates', {
      payload: 'firstname=x',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(status).toBe(415);
    const { status: again } = await api.request('POST', '/api/v1/candidates/activate', {
      payload: 'token=x',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(again).toBe(415);
  });

  test('answers 405 to PUT and DELETE', async () => {
    for (const method of ['PUT', 'DELETE'] as const)
      expect([method, (await api.request(method, '/activate', { token: null })).status]).toEqual([method, 405]);
  });
});

test('the API reference lists 406 as the only error answer of the activation page', async () => {
  const { paths } = (await api.request('GET', '/openapi.json')).json as {
    readonly paths: Readonly<Record<string, { readonly get?: { readonly responses: object } }>>;
  };
  expect(Object.keys(paths['/activate']?.get?.responses ?? {})).toEqual(['200', 'default']);
  expectStatus(200, await api.request('GET', '/activate?utm_source=mail&token=x', { token: null }));
});
