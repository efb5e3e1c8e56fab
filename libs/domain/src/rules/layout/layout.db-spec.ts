// @group sample: npm test runs a quarter of its tests
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Dice, drawSeed } from '../../../test/dice.js';
import { makeRandomObjects, type RandomObjects } from '../../../test/random-objects.js';
import { keysOf, valuesAt } from '../../../test/random-queries.js';
import { LANGUAGES } from '../../vocabulary/languages.js';
import { attributeAt } from '../../objects/attribute-at.js';
import { type MemoryContext, type ObjectData } from '../../vocabulary/attribute-options.js';
import { objectModel } from '../../objects/object-model.js';
import { type ObjectType } from '../../vocabulary/object-type.js';
import { itemStatement, type ReadSettings } from '../../reading/representation-sql.js';
import { collectionNames, findResource, type Resource } from '../../vocabulary/resource.js';
import { type LayoutColumn, readLayoutColumn } from '../../reading/layout-column.js';
import { type Layout } from '../../reading/layout-column.js';

/** Set `LAYOUT_SEED` to repeat a failed run. */
const seed = drawSeed('LAYOUT_SEED');
const COLUMNS = 20;
const ROUNDS = 3;

let objects: RandomObjects;
beforeAll(async () => void (objects = await makeRandomObjects(seed)));
afterAll(() => objects.close());

const resources = collectionNames().map((name) => [name, findResource(name)] as [string, Resource]);

/** Returns all columns that a layout can have, through at most `depth` relations. */
function columnsOf(type: ObjectType, depth: number): readonly LayoutColumn[] {
  const datapaths = keysOf(type, depth)
    .filter(({ text }) => !text.startsWith('/'))
    .map(({ datapath }) => `${type.name}.${datapath}`);
  return datapaths
    .map((datapath) => readLayoutColumn(type, datapath))
    .filter((column): column is LayoutColumn => !('violations' in column));
}

/** Computes the expected data of a layout from the attributes in memory. */
function expectedData(
  type: ObjectType,
  object: ObjectData,
  { columns }: Layout,
  context: MemoryContext,
): readonly object[] {
  const read = (path: string, isMany: boolean): unknown => {
    const { attribute } = attributeAt(type, path);
    // An element without an object stays in the list as null.
    const values = valuesAt(type, object, path, context, [null]).map((value) =>
      attribute.type === 'datetime' && typeof value === 'string' ? new Date(value).toISOString() : value,
    );
    return isMany ? values : (values[0] ?? null);
  };
  return columns.map(({ value, raw, isMany }) => ({
    value: read(value, isMany),
    ...(raw !== undefined && { value_raw: read(raw, isMany) }),
  }));
}

/** Reads the layout data of an item. If the item has an owner, the owner reads it. */
async function dataInSql(resource: Resource, settings: ReadSettings, object: ObjectData): Promise<unknown> {
  const parameters = resource.ownerColumn === undefined ? [object['id']] : [object['id'], object[resource.ownerColumn]];
  const {
    rows: [row],
  } = await objects.client.query<{ body: string }>(itemStatement(resource, settings), parameters);
  return row && (JSON.parse(row.body) as { readonly layout_data: unknown }).layout_data;
}

describe('layouts give the same values in SQL and in memory', () => {
  it.each(resources)('for the collection %s', async (name, resource) => {
    const { type } = resource;
    const dice = new Dice(seed + name.length);
    const candidates = columnsOf(type, 3);
    const itemsOfType = objects.graph
      .all(type.name)
      .filter((object) => Object.entries(resource.fixed).every(([column, value]) => object[column] === value));
    let compared = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const language = dice.one(LANGUAGES);
      const settings = { baseUrl: 'https://ats.example.com', language };
      const context = { ...settings, defaultLanguage: 'en', now: objects.now, timeZone: 'UTC' };
      const different = Array.from({ length: COLUMNS }, () => dice.one(candidates));
      // Some columns share a datapath, to test that the SQL computes their value once and uses it in each of them.
      const layout = { columns: [...different, ...dice.some(different, COLUMNS / 2)] };
      for (const object of itemsOfType) {
        const found = await dataInSql(resource, { ...settings, layout }, object);
        const what = [`LAYOUT_SEED=${seed}`, language, object['id'], layout.columns.map(({ datapath }) => datapath)];
        expect([what, found]).toEqual([what, expectedData(type, object, layout, context)]);
        compared++;
      }
    }
    expect(compared).toBeGreaterThan(0);
  });
});

describe('every object type', () => {
  it('has a single value as its label, never a list', () => {
    for (const type of objectModel.types.filter(({ label }) => label !== undefined)) {
      expect([type.name, attributeAt(type, type.label ?? '').attribute.many]).toEqual([type.name, false]);
    }
  });

  it('has a label when it has a URL', () => {
    expect(
      objectModel.types
        .filter(({ attributes, label }) => attributes['url'] && label === undefined)
        .map(({ name }) => name),
    ).toEqual([]);
  });
});
