// @group split: npm test sends a sample of the requests. npm run test:all also checks that these tests find faults
import { getObjectType, objectModel } from '@ats/domain';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { PATH_METADATA } from '@nestjs/common/constants.js';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { SCOPE } from '../../src/vocabulary/scopes.js';
import { isLong, sampleOf, testIf } from '../support/long-part.js';
import { openDocument } from '../support/answer-checker.js';
import { useApi } from '../support/use-api.js';
import { type AllowedReaders, findAllowedReaders } from './allowed-readers.js';
import { CanaryWorld } from './canary-world.js';
import { findLeaks, probesOf } from './datapath-probes.js';
import { ScopeWalk } from './scope-walk.js';

const { api, make } = useApi();
let readers: AllowedReaders;
let world: CanaryWorld;
let walk: ScopeWalk;
/** The scope walk (`scope-walk.ts`) over the operations of a single resource. */
let jobBoards: ScopeWalk;
let scopes: readonly string[];

beforeAll(async () => {
  const { document, operations } = await openDocument(api, make);
  world = new CanaryWorld(api, make, document);
  await world.fill();
  readers = await findAllowedReaders(api);
  const catalogue = (await api.get('/scopes')).json as readonly {
    readonly scope: string;
    readonly includes: readonly string[];
  }[];
  scopes = catalogue.map(({ scope }) => scope);
  const includes = new Map(catalogue.map((one) => [one.scope, one.includes]));
  walk = new ScopeWalk(api, make, world, { operations, includes });
  const ofJobBoards = operations.filter(({ path }) => path.startsWith('/api/v1/job_boards'));
  jobBoards = new ScopeWalk(api, make, world, { operations: ofJobBoards, includes });
}, 400_000);

/** The shares of requests that the walk sends, inside and outside the scopes of a credential. */
const SHARES = isLong ? { namedShare: 1, refusedShare: 1 } : { namedShare: 1 / 24, refusedShare: 1 / 400 };

describe('a credential', () => {
  test('sees every value that a client can write, when it has all read scopes', async () => {
    const { violations, seen } = await walk.with(['*:read', '*:admin'], readers);
    expect(violations).toEqual([]);
    const readable = [...readers.byCanary, ...world.secrets].filter(([, sets]) => sets.length > 0);
    expect(readable.map(([value]) => value).filter((value) => !seen.has(value))).toEqual([]);
  });

  test('with a single scope sees only values that this scope allows', async () => {
    const violations: string[] = [];
    for (const scope of scopes) violations.push(...(await walk.with([scope], readers, SHARES)).violations);
    expect(violations).toEqual([]);
  }, 900_000);

  test.each(['history:read', 'notifications:read'])(
    'with %s and another read scope sees no value that needs a third scope',
    async (scope) => {
      const violations: string[] = [];
      for (const other of sampleOf(
        scopes.filter((one) => /^[a-z_]+:read$/.test(one)),
        8,
      ))
        violations.push(...(await walk.with([scope, other], readers, { naming: scope })).violations);
      expect(violations).toEqual([]);
    },
    900_000,
  );
});

describe('a datapath to a value that needs another scope', () => {
  const tokens = new Map<string, Promise<string>>();
  const tokenOf = (...scopes: readonly string[]): Promise<string> => {
    const key = scopes.join(' ');
    const token = tokens.get(key) ?? make.token(...scopes);
    tokens.set(key, token);
    return token;
  };

  test('cannot be searched, sorted by, compared in `where` or a preview, counted by or shown in a layout', async () => {
    const probes = probesOf(readers);
    expect(probes.length).toBeGreaterThan(100);
    expect(await findLeaks(api, sampleOf(probes, 24), tokenOf)).toEqual([]);
  }, 300_000);

  testIf(isLong)('is detected by this test when the scope of its object type is removed', async () => {
    const candidate = getObjectType('candidate');
    const kept = candidate.scopes;
    Object.assign(candidate, { scopes: [] });
    const probes = probesOf(readers).filter(({ datapath }) => datapath === 'application.candidate.title');
    const leaks = await findLeaks(api, probes, tokenOf);
    Object.assign(candidate, { scopes: kept });
    expect([...new Set(leaks)].sort()).toEqual(
      ['condition', 'counts', 'layout', 'rule', 'search', 'sort', 'topic', 'where'].map(
        (name) => `${name} application.candidate.title`,
      ),
    );
    expect(await findLeaks(api, probes, tokenOf)).toEqual([]);
  });
});

describe('the test of all operations', () => {
  test('knows who may read every column that stores a value of a client', () => {
    expect(readers.unknown).toEqual([]);
  });

  test('has a value in every attribute that a client can write, unless the values are limited', () => {
    const writable = objectModel.types.flatMap(({ name, table = '', attributes }) =>
      Object.entries(attributes)
        .filter(
          ([, { write, values, listed, column }]) => write && !values && !listed && column && column.type !== 'boolean',
        )
        .map(([attribute, { column }]) => ({ attribute: `${name}.${attribute}`, column: `${table}.${column?.name}` })),
    );
    const missing = writable.filter(({ column }) => !readers.inColumn.has(column)).map(({ attribute }) => attribute);
    expect(missing.sort()).toEqual(LIMITED);
  });

  testIf(isLong)('detects an attribute that is shown with another scope than the declared one', async () => {
    const [canary = ''] = readers.inColumn.get('users.date_of_birth') ?? [];
    const byCanary = new Map([...readers.byCanary, [canary, [['users:read']]] as const]);
    const { violations } = await walk.with(['candidates:read'], { byCanary });
    expect(violations).toContain(
      `candidates:read: GET /api/v1/candidates?per_page=1000: 200 shows ${canary}, which needs users:read`,
    );
    expect(violations.filter((violation) => !violation.includes(canary))).toEqual([]);
  });

  testIf(isLong)('detects an attribute whose further scopes are removed', async () => {
    const { attributes } = getObjectType('notification_topic');
    const expression = attributes['expression'] ?? {};
    const kept = { ...expression };
    Object.assign(expression, { sql: (alias: string) => `${alias}.expression` });
    // The API keeps the SQL for each set of scopes. So both walks have sets that no other test has.
    const { violations } = await walk.with(['notifications:read', 'job_boards:read', 'layouts:read'], readers);
    Object.assign(expression, kept);
    const canaries = readers.inColumn.get('notification_topics.expression') ?? [];
    expect(canaries.filter((canary) => !violations.some((text) => text.includes(canary)))).toEqual([]);
    expect(violations.filter((text) => !canaries.some((canary) => text.includes(canary)))).toEqual([]);
    expect((await walk.with(['notifications:read', 'job_boards:read', 'forms:read'], readers)).violations).toEqual([]);
  });

  testIf(isLong)('detects a route whose scope is removed', async () => {
    const restore = removeScope('api/v1/job_boards', 'job_boards:read');
    const { violations } = await jobBoards.with(['candidates:read'], readers, { refusedShare: 1 });
    restore();
    const found = new Set(violations.map((text) => /GET [^?:]+|POST [^?:]+/.exec(text)?.[0]));
    expect([...found].sort()).toEqual([
      'GET /api/v1/job_boards',
      'GET /api/v1/job_boards/1',
      'POST /api/v1/job_boards/query',
    ]);
    expect((await jobBoards.with(['candidates:read'], readers, { refusedShare: 1 })).violations).toEqual([]);
  });
});

/** Attributes that cannot have a canary, because they have ids, short numbers or texts of a certain syntax. */
const LIMITED = [
  'application.rating',
  'client_certificate.certificate',
  'config_search.sort',
  'credential.allowed_cidrs',
  'form.opportunity_ids',
  'layout_column.datapath',
  'opportunity.salary_currency',
  'saved_search.sort',
  'system.candidate_retention_days',
  'system.retention_notice_days',
  'system.timezone',
  'vacancy.salary_currency',
];

type Handlers = Readonly<Record<string, object>>;

/**
 * Removes a scope from all routes of the controllers with this path.
 * @returns a function that restores it
 */
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
