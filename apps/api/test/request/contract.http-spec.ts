// @group sample: npm test runs a quarter of its tests
// @group split: npm test tries each case on one route in twelve, and the other methods on one path in four
import { beforeAll, describe, expect, test } from '@jest/globals';
import { createToken } from '@ats/domain';
import { type Method } from '../support/api-harness.js';
import { type Case, type Target, targetsOf, violationOf, violations } from './request-table.js';
import { sampleOf } from '../support/long-part.js';
import { useApi } from '../support/use-api.js';
import { ALL, basic, CASES, makeContractData, takesBody, tokens } from './contract-cases.js';

const { api, make } = useApi();
let targets: readonly Target[];

beforeAll(async () => {
  await makeContractData(api, make);
  targets = await targetsOf(api);
});

const asked =
  (authorization: string | null): Case['request'] =>
  () => ({
    token: null,
    ...(authorization !== null && { headers: { authorization } }),
  });

const WRONG_CREDENTIALS: readonly [title: string, authorization: () => string | null][] = [
  ['no credentials', () => null],
  ['an empty Authorization', () => ''],
  ['another scheme', () => `Digest ${api.adminToken}`],
  ['a token without a scheme', () => api.adminToken],
  ['a text that is not a token', () => 'Bearer secret'],
  ['a token that does not exist', () => `Bearer ${createToken()}`],
  ['a key id with the wrong secret', () => `Bearer ${api.adminToken.slice(0, -4)}AAAA`],
  ['a token followed by other text', () => `Bearer ${api.adminToken} x`],
  ['Basic with a password', () => basic(`${api.adminToken}:password`)],
  ['Basic without a colon', () => basic(api.adminToken)],
  ['Basic that is not base64', () => 'Basic !!!!'],
  ['an expired token', () => `Bearer ${tokens.expired}`],
  ['a revoked token', () => `Bearer ${tokens.revoked}`],
];

describe('every route', () => {
  test.each(WRONG_CREDENTIALS)('rejects %s before any other check', async (_, authorization) => {
    const request = asked(authorization());
    const refuse = (extra: object): Case => ({
      title: '',
      methods: ALL,
      request: (target) => ({ ...request(target), ...extra }),
      status: 401,
    });
    expect(await violations(api, targets, refuse({}))).toEqual([]);
    expect(await violations(api, targets.filter(takesBody), refuse({ payload: '{' }))).toEqual([]);
  });

  test('gives the same answer to all wrong credentials', async () => {
    const answers = await Promise.all(
      WRONG_CREDENTIALS.map(([, authorization]) => api.get('/me', asked(authorization())(targets[0] as Target))),
    );
    const looks = answers.map(({ status, headers, problem }) => {
      const { date, 'x-request-id': id, ...others } = headers;
      return JSON.stringify([status, others, { ...problem, request_id: date && id ? '' : 'absent' }]);
    });
    expect(new Set(looks).size).toBe(1);
    expect(answers[0]?.headers['www-authenticate']).toBe('Bearer realm="api", Basic realm="api", charset="UTF-8"');
  });

  test.each(CASES.map((row): [string, Case] => [row.title, row]))('gives the expected answer: %s', async (_, row) => {
    expect(await violations(api, targets, row)).toEqual([]);
  });

  test('follows the common rules when a GET succeeds', async () => {
    // Leaves out the routes with required parameters: explanations, quick search, metrics, counts and changes.
    const appliesTo = ({ url }: Target): boolean =>
      !/\/(explain|quick_search|(:id|notification_endpoints)\/metrics|changes|counts)$/.test(url);
    expect(
      await violations(api, targets, { title: '', methods: ['GET'], appliesTo, request: () => ({}), status: 200 }),
    ).toEqual([]);
  });

  test('answers HEAD like GET, without the body', async () => {
    for (const { path } of sampleOf(targets.filter(({ method }) => method === 'GET'))) {
      // Each of these requests adds an entry to the audit log. So the length, the total and the `next` link of this
      // list differ.
      const growing = path.includes('/audit_entries') ? ['content-length', 'link', 'x-total-count'] : [];
      const comparable = ({ headers }: { headers: Readonly<Record<string, string | undefined>> }): unknown =>
        Object.fromEntries(
          Object.entries(headers).map(([name, value]) => [
            name,
            ['date', 'x-request-id', ...growing].includes(name) ? !!value : value,
          ]),
        );
      // Repeats the requests until both GETs have the same answer. Values such as `last_used_dt` of the credential may
      // change between them.
      for (let isSame = false; !isSame; ) {
        const [get, head, again] = [
          await api.request('GET', path),
          await api.request('HEAD', path),
          await api.request('GET', path),
        ];
        isSame = JSON.stringify(comparable(get)) === JSON.stringify(comparable(again));
        if (isSame)
          expect([path, head.status, head.text, comparable(head)]).toEqual([path, get.status, '', comparable(get)]);
      }
      expect((await api.request('HEAD', path, { token: null })).text).toBe('');
    }
  });
});

describe('every path', () => {
  const methodsByUrl = (): ReadonlyMap<string, readonly Method[]> => {
    const methods = new Map<string, Method[]>();
    for (const { url, method } of api.routes) methods.set(url, [...(methods.get(url) ?? []), method]);
    return methods;
  };
  const pathOf = (url: string): string => targets.find((target) => target.url === url)?.path ?? url;

  test('answers 405 with Allow to every method that it lacks', async () => {
    for (const [url, methods] of sampleOf([...methodsByUrl()])) {
      for (const method of (['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE'] as const).filter(
        (candidate) => !methods.includes(candidate),
      )) {
        const answer = await api.request(method, pathOf(url));
        expect([method, url, answer.status, answer.headers['allow'], violationOf(answer)]).toEqual([
          method,
          url,
          405,
          [...methods, 'OPTIONS'].sort().join(', '),
          null,
        ]);
      }
    }
  });

  test('answers OPTIONS with its methods in Allow', async () => {
    for (const [url, methods] of sampleOf([...methodsByUrl()])) {
      const { status, headers, text } = await api.request('OPTIONS', pathOf(url), { token: null });
      expect([url, status, headers['allow'], text]).toEqual([url, 204, [...methods, 'OPTIONS'].sort().join(', '), '']);
    }
  });

  test.each([
    '/',
    '/api',
    '/api/v1',
    '/api/v2/candidates',
    '/api/v1/unknown',
    '/api/v1/candidates/',
    '//api/v1/candidates',
    '/API/v1/candidates',
    '/api/v1/candidates/1/unknown',
  ])('answers 404 to %s for every method', async (path) => {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const) {
      const answer = await api.request(method, path);
      expect([method, answer.status, violationOf(answer)]).toEqual([method, 404, null]);
    }
  });

  test.each(['/api/v1/candidates/%ZZ', '/api/v1/candidates/%E0%A4%A', '/%'])(
    'rejects a path that cannot be decoded: %s',
    async (path) => {
      const answer = await api.request('GET', path);
      expect([answer.status, violationOf(answer)]).toEqual([400, null]);
    },
  );
});
