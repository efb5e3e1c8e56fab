// @group split: npm test sends a sample of the requests
import { getObjectType } from '@ats/domain';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { PATH_METADATA } from '@nestjs/common/constants.js';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { SCOPE } from '../../src/vocabulary/scopes.js';
import { isLong } from '../support/long-part.js';
import { openDocument } from '../support/openapi-document.js';
import { useApi } from '../support/use-api.js';
import { type AllowedReaders, findAllowedReaders } from './allowed-readers.js';
import { CanaryWorld } from './canary-world.js';
import { ScopeWalk } from './scope-walk.js';

const { api, make } = useApi();
let readers: AllowedReaders;
let world: CanaryWorld;
let walk: ScopeWalk;
let scopes: readonly string[];

beforeAll(async () => {
  const { document, operations } = await openDocument(api, make);
  world = new CanaryWorld(api, make, document);
  await world.fill();
  readers = await findAllowedReaders(api, document);
  const catalogue = (await api.get('/scopes')).json as readonly {
    readonly scope: string;
    readonly includes: readonly string[];
  }[];
  scopes = catalogue.map(({ scope }) => scope);
  walk = new ScopeWalk(api, make, world, operations, new Map(catalogue.map((one) => [one.scope, one.includes])));
}, 120_000);

/** In `npm test`, one in so many requests that a scope does not allow is sent. */
const SHARE = isLong ? 1 : 16;

describe('a credential', () => {
  test('sees every value that a client can write, when it has all read scopes', async () => {
    const { violations, seen } = await walk.with(['*:read', '*:admin'], readers, { others: false });
    expect(violations).toEqual([]);
    const readable = [...readers.byCanary, ...world.secrets].filter(([, sets]) => sets.length > 0);
    expect(readable.map(([value]) => value).filter((value) => !seen.has(value))).toEqual([]);
  });

  test('with a single scope sees no value without the scope', async () => {
    const violations: string[] = [];
    for (const scope of scopes) violations.push(...(await walk.with([scope], readers, { share: SHARE })).violations);
    expect(violations).toEqual([]);
  }, 900_000);

  test.each(['history:read', 'notifications:read'])(
    'with %s and another read scope sees no value of a third',
    async (scope) => {
      const violations: string[] = [];
      for (const other of scopes.filter((one) => /^[a-z_]+:read$/.test(one)))
        violations.push(...(await walk.with([scope, other], readers, { others: isLong })).violations);
      expect(violations).toEqual([]);
    },
    900_000,
  );
});

describe('the walk', () => {
  test('has readers for every column with a value of a client', () => {
    expect(readers.unknown).toEqual([]);
  });

  test('finds an attribute that is shown with another scope than the declared one', async () => {
    const [canary = ''] = readers.inColumn.get('users.date_of_birth') ?? [];
    const byCanary = new Map([...readers.byCanary, [canary, [['users:read']]] as const]);
    const { violations } = await walk.with(['candidates:read'], { byCanary }, { others: false });
    expect(violations).toContain(
      `candidates:read: GET /api/v1/candidates?per_page=1000: 200 shows ${canary}, which needs users:read`,
    );
    expect(violations.filter((violation) => !violation.includes(canary))).toEqual([]);
  });

  test('finds an attribute whose further scopes are removed', async () => {
    const { attributes } = getObjectType('notification_topic');
    const expression = attributes['expression'] ?? {};
    const kept = { ...expression };
    Object.assign(expression, { sql: (alias: string) => `${alias}.expression` });
    const { violations } = await walk.with(['notifications:read'], readers, { others: false });
    Object.assign(expression, kept);
    const canaries = readers.inColumn.get('notification_topics.expression') ?? [];
    expect(canaries.filter((canary) => !violations.some((text) => text.includes(canary)))).toEqual([]);
    expect(violations.filter((text) => !canaries.some((canary) => text.includes(canary)))).toEqual([]);
    expect((await walk.with(['notifications:read'], readers, { others: false })).violations).toEqual([]);
  });

  test('finds a route whose scope is removed', async () => {
    const restore = removeScope('api/v1/job_boards', 'job_boards:read');
    const { violations } = await walk.with(['candidates:read'], readers);
    restore();
    const found = new Set(violations.map((text) => /GET [^?:]+|POST [^?:]+/.exec(text)?.[0]));
    expect([...found].sort()).toEqual([
      'GET /api/v1/job_boards',
      'GET /api/v1/job_boards/1',
      'POST /api/v1/job_boards/query',
    ]);
    expect((await walk.with(['candidates:read'], readers)).violations).toEqual([]);
  });
});

type Handlers = Readonly<Record<string, object>>;

/** Removes a scope from all routes of the controllers with a path. @returns a function that restores it */
function removeScope(path: string, scope: string): () => void {
  const scanner = new MetadataScanner();
  const handlers = api.app
    .get(DiscoveryService, { strict: false })
    .getControllers()
    .flatMap(({ metatype }) => (metatype && pathsOf(metatype).includes(path) ? [metatype.prototype as Handlers] : []))
    .flatMap((prototype) => scanner.getAllMethodNames(prototype).flatMap((name) => prototype[name] ?? []))
    .filter((handler) => [Reflect.getMetadata(SCOPE, handler) ?? []].flat().includes(scope));
  if (handlers.length === 0) throw new Error(`no route of ${path} needs ${scope}`);
  const kept = handlers.map((handler) => [handler, Reflect.getMetadata(SCOPE, handler) as unknown] as const);
  for (const handler of handlers) Reflect.deleteMetadata(SCOPE, handler);
  return () => {
    for (const [handler, value] of kept) Reflect.defineMetadata(SCOPE, value, handler);
  };
}

const pathsOf = (controller: object): readonly unknown[] => [Reflect.getMetadata(PATH_METADATA, controller)].flat();
