// @group sample: npm test runs a quarter of its tests
// @group split: npm test sends a sample of the requests
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Answer } from '../support/answer.js';
import { isRead } from '../support/collection-calls.js';
import { below } from '../support/factories.js';
import { sampleOf } from '../support/long-part.js';
import { addressOf } from '../support/openapi-calls.js';
import { type AnswerChecker, openDocument } from '../support/answer-checker.js';
import {
  eachOperation,
  expanded,
  isPublic,
  type OpenApiDocument,
  type Operation,
  successOf,
} from '../support/openapi-document.js';
import { senders } from '../support/send-operation.js';
import { useApi } from '../support/use-api.js';

const { api, make } = useApi();
const { callOf, send } = senders(api, make);
let operations: readonly Operation[];
let checker: AnswerChecker;
let catalogue: readonly CataloguedScope[];

interface CataloguedScope {
  readonly scope: string;
  readonly description: string;
  readonly includes: readonly string[];
  readonly operations: readonly string[];
}

beforeAll(async () => {
  ({ operations, checker } = await openDocument(api, make));
  catalogue = (await api.get('/scopes')).json as readonly CataloguedScope[];
});

/** Returns the scopes that the description of an operation names. Any one of them is enough. */
const scopesOf = ({ description = '' }: Operation): readonly string[] =>
  [...(/Needs (`.+?)[.,](?: |$)/m.exec(description)?.[1] ?? '').matchAll(/`(.+?)`/g)].map(([, scope = '']) => scope);
/** Returns the scopes that the answer of an operation needs in addition to one of `scopesOf`. */
const furtherScopesOf = ({ description = '' }: Operation): readonly string[] =>
  [...(/which also need (.+?)\./.exec(description)?.[1] ?? '').matchAll(/`(.+?)`/g)].map(([, scope = '']) => scope);
const isWrite = (operation: Operation): boolean => !isRead(operation.name) && scopesOf(operation).length > 0;
const isNarrow = (scope: string): boolean => /:(create|move|delete)$/.test(scope);
const resourceOf = (scope: string): string => scope.split(':')[0] ?? '';

const tokens = new Map<string, string>();
/** Returns the token of a credential with these scopes. The same scopes always give the same credential. */
async function tokenWith(...scopes: readonly string[]): Promise<string> {
  const token = tokens.get(scopes.join()) ?? (await make.token(...scopes));
  tokens.set(scopes.join(), token);
  return token;
}

/**
 * Returns the token of a credential that may do what the operation needs, and may read everything except the resource
 * that it writes.
 */
function tokenOfWriter(operation: Operation): Promise<string> {
  const [scope = ''] = scopesOf(operation);
  const others = catalogue.filter(
    (one) => /^[a-z_]+:read$/.test(one.scope) && resourceOf(one.scope) !== resourceOf(scope),
  );
  // The example of a new credential grants this scope, and a credential can grant only scopes that it has.
  const granted = operation.name === 'POST /api/v1/credentials' ? ['applications:write'] : [];
  // The items belong to another credential, so a change needs the administrator's scope.
  const admin = resourceOf(scope) === 'notifications' ? ['notifications:admin'] : [];
  return tokenWith(scope, ...others.map((one) => one.scope), ...granted, ...admin);
}

/** The operations that each narrow scope allows. */
const SHAPES: Readonly<Record<string, RegExp>> = {
  create: /^POST (\/api\/v1\/[a-z_]+|\S+\/subscriptions|\S+\/comms)$/,
  move: /^PUT \S+\/(process_)?state$/,
  delete: /^DELETE \S+\/\{id\}$/,
};
const actionsOf = ({ name }: Operation): readonly string[] =>
  Object.keys(SHAPES).filter((action) => SHAPES[action]?.test(name));

describe('narrow scopes', () => {
  test('exist for the resources whose routes need them', () => {
    const narrow = catalogue.map(({ scope }) => scope).filter(isNarrow);
    const needed = operations
      .filter(isWrite)
      .flatMap((operation) =>
        actionsOf(operation).map((action) => `${resourceOf(scopesOf(operation)[0] ?? '')}:${action}`),
      );
    expect(narrow.sort()).toEqual([...new Set(needed)].sort());
    expect(narrow).toEqual(expect.arrayContaining(['applications:create', 'events:move', 'vacancies:delete']));
  });

  test('allow POST on a collection, DELETE of an item, and state moves alone', () => {
    const writes = operations.filter(isWrite);
    const misplaced = writes.filter((operation) => {
      const action = scopesOf(operation)[0]?.split(':')[1] ?? '';
      const fitting = actionsOf(operation);
      return fitting.length === 0 ? action !== 'write' : !fitting.includes(action);
    });
    expect(misplaced.map(({ name, description }) => `${name}: ${description}`)).toEqual([]);
  });

  test('allow no other operation', async () => {
    const narrow = sampleOf(catalogue.map(({ scope }) => scope).filter(isNarrow));
    const found: string[] = [];
    for (const scope of narrow) {
      const token = await tokenWith(scope);
      const others = operations.filter(
        (operation) => !isPublic(operation) && scopesOf(operation).length > 0 && !scopesOf(operation).includes(scope),
      );
      for (const operation of sampleOf(others)) {
        const ids = Object.fromEntries([...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, 1]));
        const { status } = await api.request(operation.method, addressOf(operation.path, { path: ids }), { token });
        if (status !== 403) found.push(`${scope} ${operation.name}: ${status}`);
      }
    }
    expect(found).toEqual([]);
  });

  test('can be granted by a credential that has the wide scope, and not the reverse', async () => {
    const grant = async (from: string, to: string): Promise<number> => {
      const token = await tokenWith('credentials:create', from);
      return (await api.post('/credentials', { name: 'x', scopes: [to] }, { token })).status;
    };
    for (const { scope } of sampleOf(catalogue.filter((one) => isNarrow(one.scope)))) {
      const wide = `${resourceOf(scope)}:write`;
      expect([scope, await grant(wide, scope), await grant(scope, scope)]).toEqual([scope, 201, 201]);
      expect([scope, await grant(scope, wide)]).toEqual([scope, 422]);
    }
    expect(await grant('*:write', 'applications:create')).toBe(201);
    expect(await grant('applications:create', 'applications:move')).toBe(422);
    expect(await grant('applications:create', 'candidates:create')).toBe(422);
  });
});

describe('a write by a credential without the read scope', () => {
  /** Returns the values in an item, as they would appear in the text of an answer. */
  const valuesIn = (value: unknown): readonly string[] =>
    typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(valuesIn)
      : typeof value === 'string' && value.length > 3
        ? [value]
        : [];
  const SHOWN = ['id', 'uuid', 'url', 'created_dt', 'updated_dt'];

  /** Lists the values of the item that an answer shows although the scopes of its credential do not allow it. */
  async function leaksIn(answer: Answer, allowed: readonly string[]): Promise<readonly string[]> {
    if (answer.text === '' || !('url' in answer.item)) return [];
    const { item } = await api.get(below(answer.item.url));
    const isShown = ([name]: readonly [string, unknown]): boolean => allowed.includes(name);
    const hidden = Object.entries(item).filter((property) => !isShown(property));
    const shown = JSON.stringify(Object.entries(answer.item).filter(isShown));
    return valuesIn(hidden.map(([, value]) => value)).filter(
      (value) => answer.text.includes(value) && !shown.includes(value),
    );
  }

  test('gets no value of the object, and no ETag, as documented', async () => {
    const violations = await eachOperation(sampleOf(operations.filter(isWrite), 8), isWrite, async (operation) => {
      const call = await callOf(operation);
      const answer = await send(operation, call, { token: await tokenOfWriter(operation) });
      if (answer.status !== successOf(operation)) return [`${answer.status} ${answer.text}`];
      const allowed = [...SHOWN, ...(ALWAYS_SHOWN[operation.name] ?? [])];
      const names = answer.text === '' ? [] : Object.keys(answer.json as object);
      return [
        ...checker.violationsOf(operation, answer),
        ...names.filter((name) => !allowed.includes(name)),
        ...(answer.headers['etag'] === undefined ? [] : ['an ETag']),
        ...(await leaksIn(answer, allowed)),
        ...valuesIn(call.body).filter((value) => answer.text.includes(value)),
      ];
    });
    expect(violations).toEqual([]);
  }, 400_000);

  test('gets no value from a repeated request with an Idempotency-Key and in an older version', async () => {
    const token = await make.token('candidates:create');
    const body = { firstname: 'Ada', lastname: 'Marker', email: 'marker@example.com' };
    const headers = { 'idempotency-key': 'limited', 'api-version': '1.2' };
    const [first, again] = [
      await api.post('/candidates', body, { token, headers }),
      await api.post('/candidates', body, { token, headers }),
    ];
    expect([first.status, again.status, again.headers['idempotency-replayed']]).toEqual([201, 201, 'true']);
    expect(again.text).toBe(first.text);
    expect(Object.keys(first.item)).toEqual(SHOWN);
    expect([first.headers['etag'], again.headers['etag']]).toEqual([undefined, undefined]);
    expect(first.headers['location']).toBe(first.item.url);
  });

  test('shows a new application without the candidate that it names', async () => {
    const [candidate, vacancy] = [await make.candidate(), await make.vacancy()];
    const { status, item } = await api.post(
      '/applications',
      { opportunity_id: vacancy.id, user_id: candidate.id },
      { token: await make.token('applications:create') },
    );
    expect([status, Object.keys(item)]).toEqual([201, SHOWN]);
  });
});

describe('GET /scopes', () => {
  test('lists every scope with a description, the scopes that it includes, and its operations', () => {
    const byScope = new Map(catalogue.map((one) => [one.scope, one]));
    expect(byScope.get('applications:write')?.includes).toEqual([
      'applications:create',
      'applications:move',
      'applications:delete',
    ]);
    expect(byScope.get('applications:move')?.operations).toEqual([
      'PUT /api/v1/vacancy_applications/{id}/process_state',
      'PUT /api/v1/event_applications/{id}/process_state',
    ]);
    const documented = operations
      .filter(({ aliasOf }) => aliasOf === undefined)
      .flatMap((operation) =>
        [...scopesOf(operation), ...furtherScopesOf(operation)].map((scope) => `${scope} ${operation.name}`),
      );
    const listed = catalogue.flatMap(({ scope, operations: names }) => names.map((name) => `${scope} ${name}`));
    expect([...listed].sort()).toEqual([...documented].sort());
    expect(catalogue.filter(({ description }) => description === '')).toEqual([]);
  });

  test('lists admin scopes, which *:admin includes and no write scope does', () => {
    const includes = (wide: string, scope: string): boolean =>
      catalogue.find((one) => one.scope === wide)?.includes.includes(scope) === true;
    const admin = catalogue.map(({ scope }) => scope).filter((scope) => /:(admin|impersonate)$/.test(scope));
    expect(admin).toEqual(['credentials:impersonate', 'credentials:admin', 'notifications:admin', '*:admin']);
    for (const scope of admin.slice(0, -1)) {
      expect([scope, includes('*:admin', scope)]).toEqual([scope, true]);
      for (const wide of ['*:write', `${resourceOf(scope)}:write`, 'credentials:admin'])
        expect([scope, wide, includes(wide, scope)]).toEqual([scope, wide, false]);
    }
    expect(includes('*:admin', 'credentials:write')).toBe(false);
  });

  test('has exactly the scopes that a credential can have', async () => {
    const scopes = catalogue.map(({ scope }) => scope);
    const { status, item } = await api.post('/credentials', { name: 'all', scopes });
    expect([status, item['scopes']]).toEqual([201, scopes]);
    const document = (await api.request('GET', '/openapi.json')).json as OpenApiDocument;
    const body = expanded(document, document.components.schemas['credentials_write']);
    expect(JSON.stringify(body)).toContain(JSON.stringify(scopes));
  });

  test('can be read by every valid credential', async () => {
    expect((await api.get('/scopes', { token: await make.scopelessToken() })).status).toBe(200);
    expect((await api.get('/scopes', { token: null })).status).toBe(401);
  });
});

const KEYS = ['signing_key', 'standard_webhooks_secret', 'next_signing_key', 'next_key_from_dt'];
const SUBSCRIPTIONS = '/api/v1/notification_topics/{topicId}/subscriptions';
const PART = ['scored', 'changed', 'next_after_id'];
/**
 * Maps an operation to the properties that its answer shows with every scope: secrets that are shown once, and results
 * that are not values of an object.
 */
const ALWAYS_SHOWN: Readonly<Record<string, readonly string[]>> = {
  'POST /api/v1/credentials': ['token'],
  [`POST ${SUBSCRIPTIONS}`]: KEYS,
  [`POST ${SUBSCRIPTIONS}/{id}/rotate_key`]: KEYS,
  'POST /api/v1/notification_endpoints': KEYS,
  'POST /api/v1/notification_endpoints/{id}/rotate_key': KEYS,
  'POST /api/v1/vacancies/{id}/score': PART,
  'POST /api/v1/events/{id}/score': PART,
  // These properties list texts of other resources that mention the person. The credential may read these resources.
  'POST /api/v1/candidates/{id}/anonymise': ['remaining', 'too_many_in'],
  'POST /api/v1/recruiters/{id}/anonymise': ['remaining', 'too_many_in'],
};
