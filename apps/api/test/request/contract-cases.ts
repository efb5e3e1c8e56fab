import { type Api, type Method } from '../support/api-harness.js';
import { NEEDS_NO_SCOPE } from '../support/openapi-calls.js';
import { isIgnored } from '../support/changed-values.js';
import { type Factories } from '../support/factories.js';
import { makeMissingItems } from '../support/missing-items.js';
import { type Case, type Target } from './request-table.js';

export const ALL: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const WITH_BODY: readonly Method[] = ['POST', 'PUT', 'PATCH'];
const WRITES: readonly Method[] = [...WITH_BODY, 'DELETE'];
const UNKNOWN_ID = '999999999';
export const tokens = { none: '', reader: '', writer: '', expired: '', revoked: '' };
/** True for `POST /<collection>/query`, which needs only the read scope. */
const readsByBody = ({ url }: Target): boolean => url.endsWith('/query');
/** False for the paths that a credential without scopes may call: docs/reference/authentication.md, "Scopes". */
const needsScope = ({ url }: Target): boolean => !NEEDS_NO_SCOPE.test(url);
export const takesBody = ({ takesBody }: Target): boolean => takesBody;
const saying =
  (code: string): Case['check'] =>
  (answer) =>
    answer.violations.some((violation) => violation.startsWith(`${code} `)) ? null : `no ${code}`;

/** Makes a body with every property of the representation, so that the API checks all of them. */
const bodyOf = ({ item }: Target, replace: (value: unknown) => unknown): unknown =>
  Object.fromEntries(
    Object.entries({ ...item, state: 'open', comment: 'text' }).map(([name, value]) => [name, replace(value)]),
  );
const textsAs = (target: Target, text: string): unknown =>
  bodyOf(target, (value) => (typeof value === 'string' ? text : value));

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

export const CASES: readonly Case[] = [
  {
    title: 'rejects a credential without the scope of the resource, and names the scope',
    methods: ALL,
    appliesTo: needsScope,
    request: () => ({ token: tokens.none }),
    status: 403,
    check: ({ problem }) =>
      / scopes? [a-z_]+:(read|write|create|move|delete)(, [a-z_]+:read)*$/.test(problem.message) ? null : 'no scope',
  },
  {
    title: 'rejects writes of a credential that may only read',
    methods: ['POST', 'PUT', 'PATCH', 'DELETE'],
    appliesTo: (target) => !readsByBody(target),
    request: () => ({ token: tokens.reader }),
    status: 403,
  },
  {
    title: 'rejects reads of a credential that may only write',
    methods: ['GET', 'POST'],
    appliesTo: (target) => (target.method === 'GET' ? needsScope(target) : readsByBody(target)),
    request: () => ({ token: tokens.writer }),
    status: 403,
  },
  {
    title: 'answers 404 to an unknown id',
    methods: ALL,
    appliesTo: ({ pathWithId }) => pathWithId(UNKNOWN_ID) !== null,
    request: (target) => ({
      path: target.pathWithId(UNKNOWN_ID) ?? '',
      ...((target.takesBody || readsByBody(target)) && { body: {} }),
    }),
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
  ...['a=%zz', 'a=%', 'b=%20&a=%E0%A4', 'a=%C0%80', 'a=1&a=%2'].map(
    (query): Case => ({
      title: `rejects a malformed percent escape: ${query}`,
      methods: ALL,
      request: ({ path }) => ({ path: `${path}?${query}` }),
      status: 400,
      check: ({ violations }) => (violations.join() === 'invalid ?a' ? null : 'another parameter named'),
    }),
  ),
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
  ...['{}', '[]', '1', 'null', '{"serach":1}', '{"page":{}}', '{"page":[[1]]}', '{"search":[{}]}', '{"page":0}'].map(
    (payload): Case => ({
      title: `rejects the parameters ${payload} of a query, or answers them like GET`,
      methods: ['POST'],
      appliesTo: readsByBody,
      request: () => ({ payload }),
      status: payload === '{}' ? 200 : 400,
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
      methods: type === 'application/merge-patch+json' ? ['POST', 'PUT'] : WITH_BODY,
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
    status: 400,
  },
  {
    title: 'rejects an empty text as JSON',
    methods: WITH_BODY,
    appliesTo: takesBody,
    request: () => ({ payload: '', headers: { 'content-length': '0' } }),
    status: 400,
  },
  ...['[]', '[{}]', 'null', '"text"', '1', 'true'].map(
    (payload): Case => ({
      title: `rejects a body that is not an object: ${payload}`,
      methods: WRITES,
      appliesTo: (target) => !readsByBody(target),
      request: () => ({ payload }),
      status: 422,
    }),
  ),
  {
    title: 'rejects an unknown property and names its path',
    methods: WRITES,
    appliesTo: (target) => !readsByBody(target),
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
    check: ({ violations }, { item, url }) => {
      const missing = Object.keys(item).filter(
        (name) =>
          !isIgnored(url, name) &&
          !violations.some((violation) => RegExp(`^(invalid|read_only) /${name}`).test(violation)),
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

/** Returns the value of an `Authorization` header for user name and password. */
export const basic = (pair: string): string => `Basic ${Buffer.from(pair).toString('base64')}`;

/** Creates items of every resource, and the tokens of the cases. */
export async function makeContractData(api: Api, make: Factories): Promise<void> {
  await make.communication({ application: await make.application(), template_id: (await make.messageTemplate()).id });
  await make.communication({ application: await make.eventApplication() });
  await make.posting();
  await make.document();
  await make.clientCertificate();
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
  await makeMissingItems(api, (resource) => make.item(resource));
  tokens.none = await make.scopelessToken();
  tokens.reader = await make.token('*:read');
  tokens.writer = await make.token('*:write');
  const expired = await make.credential();
  tokens.expired = expired.token;
  await api.database.query(`UPDATE credentials SET expires_dt = '2020-01-01T00:00:00Z' WHERE id = $1`, [expired.id]);
  const revoked = await make.credential();
  tokens.revoked = revoked.token;
  await api.delete(`/credentials/${revoked.id}`);
}
