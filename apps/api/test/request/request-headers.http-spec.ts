import { beforeAll, describe, expect, test } from '@jest/globals';
import { violationOf } from './request-table.js';
import { useApi } from '../support/use-api.js';
import { basic, makeContractData } from './contract-cases.js';

const { api, make } = useApi();

beforeAll(() => makeContractData(api, make));

describe('the API', () => {
  test('returns a valid X-Request-Id of the client', async () => {
    const answer = await api.get('/candidates/0', { headers: { 'x-request-id': 'trace-1/2:3' } });
    expect([answer.headers['x-request-id'], answer.problem.request_id]).toEqual(['trace-1/2:3', 'trace-1/2:3']);
  });

  test.each(['', 'a b', 'x'.repeat(129), '<script>', 'ü'])('replaces an invalid X-Request-Id: %s', async (given) => {
    const { headers } = await api.get('/me', { headers: { 'x-request-id': given } });
    expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });

  test.each(['1.2', '1.9'])('uses the requested minor version: %s', async (version) => {
    const headers = { 'api-version': version };
    expect((await api.get('/me', { headers })).headers['api-version']).toBe(version);
    expect((await api.get('/me', { headers: { ...headers, 'accept-language': 'ja' } })).headers['api-version']).toBe(
      version,
    );
    expect((await api.get('/unknown', { headers })).headers['api-version']).toBe(version);
  });

  test('uses the version of the credential, and otherwise the latest stable version', async () => {
    const { token } = await make.credential({ api_version: '1.4' });
    expect((await api.get('/me', { token })).headers['api-version']).toBe('1.4');
    expect((await api.get('/me')).headers['api-version']).toBe('1.7');
  });

  test.each(['', '1', '1.1', '1.10', 'v1.7', '1.7, 1.8'])(
    'rejects the version "%s" and lists the available versions',
    async (version) => {
      const answer = await api.get('/me', { headers: { 'api-version': version } });
      expect(answer.status).toBe(400);
      expect(answer.problem.message).toContain('1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 1.8, 1.9');
    },
  );

  test.each([
    ['de', 'de'],
    ['de-AT', 'de'],
    ['ja, fr;q=0.5, es;q=0.4', 'fr'],
    ['*', 'en'],
    ['en;q=0.1, ar', 'ar'],
  ])('chooses the best language of "%s": %s', async (given, expected) => {
    const { headers } = await api.get('/me', { headers: { 'accept-language': given } });
    expect([headers['content-language'], headers['vary']]).toEqual([
      expected,
      expect.stringContaining('Accept-Language'),
    ]);
  });

  test.each(['ja', 'en;q=0, de;q=0, fr;q=0, es;q=0, ar;q=0', 'tlh, x-klingon'])(
    'rejects "%s", because none of its languages is supported',
    async (given) => {
      const answer = await api.get('/me', { headers: { 'accept-language': given } });
      expect([answer.status, violationOf(answer)]).toEqual([406, null]);
    },
  );

  test('uses the language of the credential when the request names none', async () => {
    const { token } = await make.credential({ language: 'fr' });
    expect((await api.get('/me', { token })).headers['content-language']).toBe('fr');
    expect((await api.get('/me', { token, headers: { 'accept-language': '*' } })).headers['content-language']).toBe(
      'fr',
    );
  });
});

describe('credentials of a request', () => {
  test.each([
    ['Bearer', () => `Bearer ${api.adminToken}`],
    ['Bearer in any case and with several spaces', () => `bEaReR   ${api.adminToken}`],
    ['Basic with the token as user name and an empty password', () => basic(`${api.adminToken}:`)],
  ])('accepts %s', async (_, authorization) => {
    expect((await api.get('/me', { token: null, headers: { authorization: authorization() } })).status).toBe(200);
  });
});
