import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DatapathColumns } from '@ats/search-query';
import { drawSeed } from '../../test/dice.js';
import { makeRandomObjects, type RandomObjects } from '../../test/random-objects.js';
import { modelWithItems } from './form-items.js';
import { FORM_ROOTS } from '../objects/form.model.js';
import { getObjectType } from '../objects/object-model.js';
import { formatValue, sqlSettings, tableOf } from '../reading/representation-sql.js';
import { readDatapathsOfMany } from './read-datapaths.js';

/** Seed of the random form values. To repeat a failed run, set `FORM_VALUES_SEED` to its seed. */
const seed = drawSeed('FORM_VALUES_SEED');
const settings = { baseUrl: 'https://ats.example.com', language: 'en' };

let objects: RandomObjects;
beforeAll(async () => void (objects = await makeRandomObjects(seed)));
afterAll(() => objects.close());

const run = async (text: string, parameters: readonly unknown[]): Promise<Record<string, unknown>[]> =>
  (await objects.client.query<Record<string, unknown>>(text, [...parameters])).rows;

describe('form values read by readDatapathsOfMany', () => {
  it.each(['application', 'vacancy', 'event'] as const)('equal the values that a search in %s reads', async (root) => {
    const model = modelWithItems(objects.items);
    const places = [...objects.items.values()].flatMap(({ id, resource }) =>
      FORM_ROOTS[resource] === root ? [`${id}:1:1`, `${id}:2:1`, `${id}:1:2`] : [],
    );
    const ids = objects.graph.all(root).map(({ id }) => Number(id));
    const datapaths = places.map((place) => `${root}.formdata.${place}`);
    const values = await readDatapathsOfMany(run, { type: root, ids }, { datapaths, model, settings });

    const columns = new DatapathColumns({
      model,
      root,
      alias: 't',
      settings: sqlSettings(settings),
      format: formatValue,
    });
    const select = places.map((place, index) => `${columns.column(`formdata.${place}`)} AS "c${index}"`);
    const rows = await run(
      `SELECT ${['t.id', ...select].join(', ')} FROM ${tableOf(getObjectType(root))} t ${columns.joins}
         WHERE t.id = ANY($1)`,
      [ids],
    );
    expect(rows).toHaveLength(ids.length);
    for (const row of rows) {
      const expected = Object.fromEntries(datapaths.map((datapath, index) => [datapath, row[`c${index}`] ?? null]));
      expect([seed, row['id'], values.get(Number(row['id']))]).toEqual([seed, row['id'], expected]);
    }
  });
});
