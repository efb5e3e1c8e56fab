// @group sample: npm test runs a quarter of its tests
// @group split: npm test compares a part of the random conditions
import {
  compileConditionSql,
  compileSortSql,
  type CollectionParameters,
  type CollectionQuery,
  formatSearchViolation,
  readCollectionQuery,
  SqlParameters,
} from '@ats/search-query';
import { type ClosureOptions, compileConditionClosure, compileSortComparator } from '@ats/search-query/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type PoolClient } from 'pg';
import { Dice, drawSeed } from '../../test/dice.js';
import { type ObjectGraph } from '../../test/object-graph.js';
import { makeRandomObjects, type RandomObjects } from '../../test/random-objects.js';
import { keysOf, randomSearch, valuesAt } from '../../test/random-queries.js';
import { type Pools } from '../../test/random-row.js';
import { type ReadStatement } from '@ats/postgres';
import { type KnownItem, modelWithItems } from '../facts/form-items.js';
import { LANGUAGES } from '../vocabulary/languages.js';
import { type MemoryContext, type ObjectData } from '../vocabulary/attribute-options.js';
import { getObjectType, objectModel } from '../objects/object-model.js';
import { type ObjectType } from '../vocabulary/object-type.js';
import { allResources } from '../vocabulary/resource.js';
import { sqlSettings, tableOf } from './representation-sql.js';
import { collectionStatements, type KeysRequest } from './collection-statement.js';
import { PlanChoice } from './plan-choice.js';
import { type Reads } from './collection-statement.js';
import { readPage, type Page, type PageReading } from './read-page.js';
import { searchSubject } from './search-subject.js';

/** Run with `SEARCH_SEED=…` to repeat a failed run. */
const seed = drawSeed('SEARCH_SEED');
const CONDITIONS_PER_STATEMENT = 40;
const isLong = process.env['TEST_ALL'] === '1';
/** The number of random conditions for each object type, and the minimum number of conditions in total. */
const [RANDOM_CONDITIONS, MIN_CASES] = isLong ? [300, 4_000] : [80, 1_000];
const settings = { baseUrl: 'https://ats.example.com', language: new Dice(seed).one(LANGUAGES) };
const ROOTS = objectModel.types.filter(({ table, attributes }) => table !== undefined && 'id' in attributes);

let objects: RandomObjects;
let client: PoolClient;
/** Reads pages through one connection. */
const reads: Reads = {
  async query<Row extends object>({ text, parameters }: ReadStatement): Promise<Row[]> {
    return (await client.query<Row>(text, [...parameters])).rows;
  },
};
let graph: ObjectGraph;
let pools: Pools;
let context: MemoryContext;

beforeAll(async () => {
  objects = await makeRandomObjects(seed);
  ({ client, graph, pools } = objects);
  context = { ...settings, now: objects.now, timeZone: 'UTC', defaultLanguage: 'en' };
});

afterAll(() => objects.close());

const items = (): readonly KnownItem[] => [...objects.items.values()];

function understood(type: ObjectType, parameters: Partial<CollectionParameters>): CollectionQuery {
  const query = readCollectionQuery(searchSubject(type, modelWithItems(objects.items)), {
    search: [],
    sort: [],
    ...parameters,
  });
  if (query.violations) throw new Error(`seed ${seed}, ${type.name}: ${formatSearchViolation(query.violations[0])}`);
  return query;
}

const fixedOf = (type: ObjectType): string =>
  ['true', ...Object.entries(type.fixed).map(([column, value]) => `t.${column} = '${value}'`)].join(' AND ');

/** Returns the ids of the objects that each query matches in SQL. One statement evaluates all queries. */
async function matchesInSql(
  type: ObjectType,
  queries: readonly CollectionQuery[],
): Promise<readonly ReadonlySet<number>[]> {
  const parameters = new SqlParameters();
  const options = { model: objectModel, alias: 't', settings: sqlSettings(settings), parameters };
  const columns = queries.map(({ condition }) => `(${compileConditionSql(condition, options).text}) IS TRUE`);
  const text = `SELECT t.id, ARRAY[${columns.join(', ')}] AS matches FROM ${tableOf(type)} t WHERE ${fixedOf(type)}`;
  const { rows } = await client.query<{ id: number; matches: boolean[] }>(text, [...parameters.values]);
  return queries.map((_, index) => new Set(rows.filter(({ matches }) => matches[index]).map(({ id }) => id)));
}

/** Options that let conditions in memory read attributes through the object model. */
const memoryReading = (memory: MemoryContext): ClosureOptions => ({
  model: objectModel,
  readAttribute: (owner, name, object) => getObjectType(owner).attributes[name]?.memory(object, memory),
});

function matchesInMemory(type: ObjectType, { condition }: CollectionQuery): ReadonlySet<number> {
  const test = compileConditionClosure(condition, memoryReading(context));
  return new Set(
    graph
      .all(type.name)
      .filter(test)
      .map(({ id }) => Number(id)),
  );
}

interface Tally {
  cases: number;
  /** The number of conditions that match some objects but not all. */
  telling: number;
}

async function compare(type: ObjectType, given: readonly Partial<CollectionParameters>[]): Promise<Tally> {
  const tally = { cases: 0, telling: 0 };
  for (let start = 0; start < given.length; start += CONDITIONS_PER_STATEMENT) {
    const batch = given.slice(start, start + CONDITIONS_PER_STATEMENT);
    const queries = batch.map((parameters) => understood(type, parameters));
    const inSql = await matchesInSql(type, queries);
    for (const [index, query] of queries.entries()) {
      const expected = matchesInMemory(type, query);
      const found = inSql[index] ?? new Set();
      const difference = [...expected]
        .filter((id) => !found.has(id))
        .concat([...found].filter((id) => !expected.has(id)));
      if (difference.length > 0) throw new Error(disagreement(type, batch[index] ?? {}, { difference, found }));
      tally.cases++;
      if (found.size > 0 && found.size < graph.all(type.name).length) tally.telling++;
    }
  }
  return tally;
}

function disagreement(
  type: ObjectType,
  parameters: Partial<CollectionParameters>,
  { difference, found }: { difference: number[]; found: ReadonlySet<number> },
): string {
  const datapaths = understood(type, parameters).datapaths;
  const values = difference.slice(0, 3).map((id) => {
    const object = graph.find(type.name, id) ?? {};
    const place = found.has(id) ? 'only in SQL' : 'only in memory';
    const shown = JSON.stringify(datapaths.map((path) => valuesAt(type, object, path, context)));
    return `${type.name} ${id} ${place}: ${shown}`;
  });
  return [`SEARCH_SEED=${seed}`, `${type.name} ${JSON.stringify(parameters)}`, ...values].join('\n');
}

/** Returns values of two random objects of the type at a datapath. */
function presentAt(type: ObjectType, dice: Dice, datapath: string): readonly unknown[] {
  const objects = graph.all(type.name);
  return Array.from({ length: 2 }, () => dice.one(objects)).flatMap((object: ObjectData) =>
    valuesAt(type, object, datapath, context),
  );
}

describe('conditions mean the same in SQL and in memory', () => {
  const totals: Tally = { cases: 0, telling: 0 };

  it.each(ROOTS.map((type) => [type.name, type] as const))('for objects of the type %s', async (name, type) => {
    const dice = new Dice(seed ^ name.length);
    const near = keysOf(type, 1, items());
    const deep = keysOf(type, 3, items());
    const keys = [...near, ...Array.from({ length: RANDOM_CONDITIONS }, () => dice.one(deep))];
    const given = keys.map((key) => ({
      search: [randomSearch(dice, pools, key, presentAt(type, dice, key.datapath))],
    }));
    const { cases, telling } = await compare(type, given);
    totals.cases += cases;
    totals.telling += telling;
  });

  it(`for over ${MIN_CASES.toLocaleString('en')} cases, over 20 % of which match some objects but not all`, () => {
    expect(totals.cases).toBeGreaterThan(MIN_CASES);
    expect(totals.telling / totals.cases).toBeGreaterThan(0.2);
  });
});

describe('filters mean the same in SQL and in memory', () => {
  it.each(ROOTS.map((type) => [type.name, type] as const))('for objects of the type %s', async (name, type) => {
    const dice = new Dice(seed + name.length);
    const texts = Array.from({ length: 30 }, () =>
      [...dice.one(pools.texts)].slice(0, 1 + dice.below(3)).join(''),
    ).filter((text) => text !== '');
    await compare(
      type,
      texts.map((text) => ({ filter: text, search: dice.chance(0.3) ? ['id>3'] : [] })),
    );
  });
});

describe('orders are the same in SQL and in memory', () => {
  it.each(ROOTS.map((type) => [type.name, type] as const))('for objects of the type %s', async (name, type) => {
    const dice = new Dice(seed * 3 + name.length);
    const keys = keysOf(type, 2, items()).filter(
      ({ text, attribute, many }) => attribute !== undefined && !many && !text.startsWith('/'),
    );
    const objects = graph.all(type.name);
    for (let round = 0; round < 25; round++) {
      const sort = Array.from(
        { length: 1 + dice.below(3) },
        () => `${dice.one(keys).text}!${dice.one(['asc', 'desc'])}`,
      );
      const query = understood(type, { sort });
      const { orderBy, joins } = compileSortSql(query.sort, {
        model: objectModel,
        root: name,
        alias: 't',
        settings: sqlSettings(settings),
      });
      const { rows } = await client.query<{ id: number }>(
        `SELECT t.id FROM ${tableOf(type)} t ${joins} WHERE ${fixedOf(type)} ORDER BY ${orderBy}`,
      );
      const expected = [...objects].sort(compileSortComparator(query.sort, memoryReading(context))).map(({ id }) => id);
      expect([`SEARCH_SEED=${seed}`, sort, rows.map(({ id }) => id)]).toEqual([`SEARCH_SEED=${seed}`, sort, expected]);
    }
  });
});

/** Chooses one of the two ways to find a page at random, because both ways must give the same page. */
class AnyChoice extends PlanChoice {
  readonly #dice = new Dice(seed);

  override async matchesFirst(...asked: Parameters<PlanChoice['matchesFirst']>): Promise<boolean> {
    const choice = await super.matchesFirst(...asked);
    return this.#dice.chance(0.5) || choice;
  }
}

/** Reads all pages of a collection, one after the other. */
async function readThrough(reading: PageReading, request: KeysRequest): Promise<readonly Page[]> {
  const pages = [await readPage(reads, reading, request)];
  for (let last = pages[0]; last?.hasMore === true; last = pages.at(-1)) {
    pages.push(await readPage(reads, reading, { ...request, after: last.end ?? undefined }));
  }
  return pages;
}

const idsOf = ({ body }: Page): readonly number[] =>
  (JSON.parse(body.toString()) as { id: number }[]).map(({ id }) => id);

describe('pages have exactly the matches, in the requested order', () => {
  it.each(allResources().map((resource) => [resource.name, resource] as const))(
    'for the collection %s',
    async (name, resource) => {
      const { type } = resource;
      const dice = new Dice(seed * 5 + name.length);
      const reading = { statements: collectionStatements(resource, settings), choice: new AnyChoice() };
      const sortable = keysOf(type, 2, items()).filter(
        ({ text, attribute, many }) => attribute !== undefined && !many && !text.startsWith('/'),
      );
      const ownerId = resource.ownerColumn === undefined ? undefined : 1;
      const belongs = (object: ObjectData): boolean =>
        Object.entries(resource.fixed).every(([column, value]) => object[column] === value) &&
        (ownerId === undefined ||
          object[resource.ownerColumn ?? ''] === ownerId ||
          object[resource.sharedColumn ?? ''] === true);
      for (let round = 0; round < 20; round++) {
        const search = dice
          .some(keysOf(type, dice.one([1, 3]), items()), 2)
          .map((key) => randomSearch(dice, pools, key, presentAt(type, dice, key.datapath)));
        const filter = dice.chance(0.2) ? [...dice.one(pools.texts)].slice(0, 2).join('') || 'a' : undefined;
        const sort = dice.some(sortable, 2).map(({ text }) => `${text}!${dice.one(['asc', 'desc'])}`);
        const query = understood(type, { search, filter, sort });
        const found = graph
          .all(type.name)
          .filter(compileConditionClosure(query.condition, memoryReading(context)))
          .filter(belongs);
        const expected = found.sort(compileSortComparator(query.sort, memoryReading(context))).map(({ id }) => id);
        const [limit, offset] = [1 + dice.below(20), dice.below(10)];
        const which = { query, limit, ...(ownerId !== undefined && { ownerId }) };
        const page = await readPage(reads, reading, { ...which, offset });
        const { total } = await page.count(reads);
        const through = await readThrough(reading, which);
        const what = [`SEARCH_SEED=${seed}`, search, filter, sort, limit, offset];
        expect([what, idsOf(page), page.hasMore, total]).toEqual([
          what,
          expected.slice(offset, offset + limit),
          expected.length > offset + limit,
          expected.length,
        ]);
        expect([what, through.flatMap(idsOf)]).toEqual([what, expected]);
      }
    },
  );
});
