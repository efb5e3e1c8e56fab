import { beforeAll, describe, expect, test } from '@jest/globals';
import { createToken } from '@ats/domain';
import { type Method } from '../support/api-harness.js';
import { type Case, type Target, targetsOf, violationOf, violations } from './request-table.js';
import { useApi } from '../support/use-api.js';

const ALL: readonly Method[] = ['GET', 'POST', 'PUT', 'DELETE'];
const WITH_BODY: readonly Method[] = ['POST', 'PUT'];
const UNKNOWN_ID = '999999999';

const { api, make } = useApi();
let targets: readonly Target[];
const tokens = { none: '', reader: '', writer: '', expired: '', revoked: '' };

beforeAll(async () => {
  await make.communication({ application: await make.application(), template_id: (await make.messageTemplate()).id });
  await make.communication({ application: await make.eventApplication() });
  await make.posting();
  await make.layout();
  await make.form();
  const first = await make.subscription();
  const { topic } = first;
  const subscription = await make.subscription({ topicId: (topic as { readonly id: number }).id });
  for (const one of [first, subscription]) {
    await make.ping(one);
    await make.redelivery(one);
  }
  await make.savedSearch();
  await make.configSearch();
  await make.selection({ members: [await make.candidate()] });
  tokens.none = await make.scopelessToken();
  tokens.reader = await make.token('*:read');
  tokens.writer = await make.token('*:write');
  tokens.expired = (await make.credential({ expires_dt: '2020-01-01T00:00:00Z' })).token;
  const revoked = await make.credential();
  tokens.revoked = revoked.token;
  await api.delete(`/credentials/${revoked.id}`);
  targets = await targetsOf(api);
});

const basic = (pair: string): string => `Basic ${Buffer.from(pair).toString('base64')}`;
const asked =
  (authorization: string | null): Case['request'] =>
  () => ({
    token: null,
    ...(authorization !== null && { headers: { authorization } }),
  });
/** Some paths need no scope: docs/reference/authentication.md, "Scopes". */
const needsScope = ({ url }: Target): boolean => !/^\/api\/v1\/(me|schemas)\b/.test(url);
const takesBody = ({ takesBody }: Target): boolean => takesBody;
const saying =
  (code: string): Case['check'] =>
  (answer) =>
    answer.violations.some((violation) => violation.startsWith(`${code} `)) ? null : `no ${code}`;

/** Builds a body with the names of the representation, so that the API checks each property. */
const bodyOf = ({ item }: Target, replace: (value: unknown) => unknown): unknown =>
  Object.fromEntries(
    Object.entries({ ...item, state: 'open', comment: 'text' }).map(([name, value]) => [name, replace(value)]),
  );
const textsAs = (target: Target, text: string): unknown =>
  bodyOf(target, (value) => (typeof value === 'string' ? text : value));

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

const NO_IDS = ['0', '-1', '1.5', '01', '1e3', '9007199254740993', 'abc', '1%20', '%D9%A1', '%00', '9'.repeat(400)];
const INVALID_PAGES = [
  'page=0',
  'page=-1',
  'page=abc',
  'page=2147483648',
  'page=1&page=2',
  'per_page=0',
  'per_page=1001',
  'per_page=1.5',
  'per_page=',
];

const CASES: readonly Case[] = [
  {
    title: 'rejects a credential without the scope of the resource, and names the scope',
    methods: ALL,
    appliesTo: needsScope,
    request: () => ({ token: tokens.none }),
    status: 403,
    check: ({ problem }) =>
      / scopes? [a-z_]+:(read|write)(, [a-z_]+:read)*$/.test(problem.message) ? null : 'no scope',
  },
  {
    title: 'rejects writes of a credential that may only read',
    methods: ['POST', 'PUT', 'DELETE'],
    request: () => ({ token: tokens.reader }),
    status: 403,
  },
  {
    title: 'rejects reads of a credential that may only write',
    methods: ['GET'],
    appliesTo: needsScope,
    request: () => ({ token: tokens.writer }),
    status: 403,
  },
  {
    title: 'answers 404 to an unknown id',
    methods: ALL,
    appliesTo: ({ pathWithId }) => pathWithId(UNKNOWN_ID) !== null,
    request: ({ pathWithId, takesBody }) => ({ path: pathWithId(UNKNOWN_ID) ?? '', ...(takesBody && { body: {} }) }),
    status: 404,
  },
  ...NO_IDS.map(
    (id): Case => ({
      title: `answers 404 to an invalid id: ${id.slice(0, 20)}`,
      methods: ALL,
      appliesTo: ({ pathWithId }) => pathWithId(id) !== null,
      request: ({ pathWithId, takesBody }) => ({ path: pathWithId(id) ?? '', ...(takesBody && { body: {} }) }),
      status: 404,
    }),
  ),
  {
    title: 'rejects an unknown parameter',
    methods: ALL,
    request: ({ path }) => ({ path: `${path}?serach=x` }),
    status: 400,
    check: saying('invalid'),
  },
  ...INVALID_PAGES.map(
    (query): Case => ({
      title: `rejects ${query} on every GET`,
      methods: ['GET'],
      request: ({ path }) => ({ path: `${path}?${query}` }),
      status: 400,
      check: ({ violations }) =>
        violations.some((violation) => violation === `invalid ?${query.split('=')[0]}`)
          ? null
          : 'another parameter named',
    }),
  ),
  {
    title: 'rejects an unknown version',
    methods: ALL,
    request: () => ({ headers: { 'api-version': '2.0' } }),
    status: 400,
  },
  {
    title: 'rejects an unsupported language',
    methods: ALL,
    request: () => ({ headers: { 'accept-language': 'ja, *;q=0' } }),
    status: 406,
  },
  ...['{', '{"a":}', 'undefined', "{'a':1}", '{"a":1}x', '\u0000'].map(
    (payload): Case => ({
      title: `rejects malformed JSON: ${JSON.stringify(payload)}`,
      methods: WITH_BODY,
      request: () => ({ payload }),
      status: 400,
    }),
  ),
  {
    title: 'rejects a __proto__ key',
    methods: WITH_BODY,
    request: () => ({ payload: '{"__proto__":{"x":1}}' }),
    status: 400,
  },
  {
    title: 'rejects a constructor with a prototype',
    methods: WITH_BODY,
    request: () => ({ payload: '{"constructor":{"prototype":{}}}' }),
    status: 400,
  },
  ...[
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/merge-patch+json',
    'json',
    '',
  ].map(
    (type): Case => ({
      title: `rejects a body of the type "${type}"`,
      methods: WITH_BODY,
      request: () => ({ payload: '{}', headers: { 'content-type': type } }),
      status: 415,
    }),
  ),
  {
    title: 'rejects a body above 1 MiB',
    methods: WITH_BODY,
    request: () => ({ payload: `{"a":"${'x'.repeat(1024 * 1024)}"}` }),
    status: 413,
  },
  {
    title: 'rejects a missing body',
    methods: WITH_BODY,
    appliesTo: takesBody,
    request: () => ({ headers: { 'content-length': '0' } }),
    status: 422,
  },
  ...['[]', '[{}]', 'null', '"text"', '1', 'true'].map(
    (payload): Case => ({
      title: `rejects a body that is not an object: ${payload}`,
      methods: WITH_BODY,
      appliesTo: takesBody,
      request: () => ({ payload }),
      status: 422,
    }),
  ),
  {
    title: 'rejects an unknown property and names its path',
    methods: WITH_BODY,
    appliesTo: takesBody,
    request: () => ({ body: { 'a/b~c': 1 } }),
    status: 422,
    check: ({ violations }) => (violations.includes('invalid /a~1b~0c') ? null : 'no pointer'),
  },
  {
    title: 'rejects the wrong type in every property',
    methods: WITH_BODY,
    appliesTo: takesBody,
    request: (target) => ({ body: bodyOf(target, () => ({ nested: [1] })) }),
    status: 422,
    check: ({ violations }, { item }) => {
      const missing = Object.keys(item).filter(
        (name) => !violations.some((violation) => violation.startsWith(`invalid /${name}`)),
      );
      return missing.length === 0 ? null : `nothing about ${missing.join(', ')}`;
    },
  },
  {
    title: 'rejects texts that are too long',
    methods: WITH_BODY,
    appliesTo: takesBody,
    request: (target) => ({ body: textsAs(target, 'x'.repeat(30_000)) }),
    status: 422,
  },
  {
    title: 'rejects null characters',
    methods: WITH_BODY,
    appliesTo: takesBody,
    request: (target) => ({ body: textsAs(target, 'a\u0000b') }),
    status: 422,
  },
  {
    title: 'rejects lone surrogates',
    methods: WITH_BODY,
    appliesTo: takesBody,
    request: (target) => ({ body: textsAs(target, 'a\ud800b') }),
    status: 422,
  },
  {
    title: 'answers 422 to read-only and unknown properties with any Unicode text',
    methods: WITH_BODY,
    appliesTo: takesBody,
    request: (target) => ({ body: textsAs(target, '𝕬👩‍👩‍👧 שלום\u202e العربية \u0301') }),
    status: 422,
  },
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

  test.each(CASES.map((row): [string, Case] => [row.title, row]))('%s', async (_, row) => {
    expect(await violations(api, targets, row)).toEqual([]);
  });

  test('follows the common rules when a GET succeeds', async () => {
    // Explanations need `event_id` and quick search needs `q`.
    const appliesTo = ({ url }: Target): boolean => !/\/(explain|quick_search)$/.test(url);
    expect(
      await violations(api, targets, { title: '', methods: ['GET'], appliesTo, request: () => ({}), status: 200 }),
    ).toEqual([]);
  });

  test('answers HEAD like GET, without the body', async () => {
    for (const { path } of targets.filter(({ method }) => method === 'GET')) {
      const comparable = ({
        headers: { date, 'x-request-id': id, ...others },
      }: {
        headers: Readonly<Record<string, string | undefined>>;
      }) => [!!date, !!id, others];
      const [get, head] = [await api.request('GET', path), await api.request('HEAD', path)];
      expect([path, head.status, head.text, ...comparable(head)]).toEqual([path, get.status, '', ...comparable(get)]);
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
    for (const [url, methods] of methodsByUrl()) {
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
    for (const [url, methods] of methodsByUrl()) {
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

describe('headers', () => {
  test('returns a valid X-Request-Id of the client', async () => {
    const answer = await api.get('/candidates/0', { headers: { 'x-request-id': 'trace-1/2:3' } });
    expect([answer.headers['x-request-id'], answer.problem.request_id]).toEqual(['trace-1/2:3', 'trace-1/2:3']);
  });

  test.each(['', 'a b', 'x'.repeat(129), '<script>', 'ü'])('replaces an invalid X-Request-Id: %s', async (given) => {
    const { headers } = await api.get('/me', { headers: { 'x-request-id': given } });
    expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });

  test.each(['1.2', '1.9'])('uses the requested version: %s', async (version) => {
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
