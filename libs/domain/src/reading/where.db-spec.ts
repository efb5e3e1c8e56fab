import { randomInt } from 'node:crypto';
import { compileConditionSql, formatSearchViolation, readCollectionQuery, SqlParameters } from '@ats/search-query';
import { compileConditionClosure } from '@ats/search-query/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Dice } from '../../test/dice.js';
import { randomExpression } from '../../test/random-expressions.js';
import { makeRandomObjects, type RandomObjects } from '../../test/random-objects.js';
import { keysOf, valuesAt } from '../../test/random-queries.js';
import { modelWithItems } from '../facts/form-items.js';
import { getObjectType, objectModel } from '../objects/object-model.js';
import { type MemoryContext } from '../vocabulary/attribute-options.js';
import { type ObjectType } from '../vocabulary/object-type.js';
import { sqlSettings, tableOf } from './representation-sql.js';
import { searchSubject } from './search-subject.js';

/** Run with `WHERE_SEED=…` to repeat a failed run. */
const seed = Number(process.env['WHERE_SEED'] ?? randomInt(2 ** 31));
const EXPRESSIONS = process.env['TEST_ALL'] === '1' ? 20_000 : 1_500;
const settings = { baseUrl: 'https://ats.example.com', language: 'en' } as const;
const ROOTS = objectModel.types.filter(({ table, attributes }) => table !== undefined && 'id' in attributes);

let objects: RandomObjects;
let context: MemoryContext;

beforeAll(async () => {
  objects = await makeRandomObjects(seed);
  context = { ...settings, now: objects.now, timeZone: 'UTC', defaultLanguage: 'en' };
});

afterAll(() => objects.close());

/** Throws when the expression does not match the same objects in SQL and in memory. Returns the number of matches. */
async function compare(type: ObjectType, where: string, timeZone: string): Promise<number> {
  const { client, graph, items, now } = objects;
  const subject = { ...searchSubject(type, modelWithItems(items)), clock: { now, timeZone } };
  const query = readCollectionQuery(subject, { where });
  if (query.violations) throw new Error(`${where}\n${query.violations.map(formatSearchViolation).join('\n')}`);
  const parameters = new SqlParameters();
  const options = { model: objectModel, alias: 't', settings: sqlSettings(settings), parameters };
  const { text } = compileConditionSql(query.condition, options);
  const fixed = Object.entries(type.fixed).map(([column, value]) => `t.${column} = '${value}' AND `);
  const statement = `SELECT t.id FROM ${tableOf(type)} t WHERE ${fixed.join('')}(${text})`;
  await client.query('SAVEPOINT one');
  const { rows } = await client
    .query<{ id: number }>(statement, [...parameters.values])
    .catch(async (error: unknown) => {
      await client.query('ROLLBACK TO one');
      throw new Error([`WHERE_SEED=${seed} ${String(error)}`, where, statement].join('\n'));
    });
  const test = compileConditionClosure(query.condition, {
    model: objectModel,
    readAttribute: (owner, name, object) => getObjectType(owner).attributes[name]?.memory(object, context),
  });
  const expected = new Set(
    graph
      .all(type.name)
      .filter(test)
      .map(({ id }) => Number(id)),
  );
  const found = new Set(rows.map(({ id }) => Number(id)));
  const differences = [...expected, ...found]
    .filter((id) => expected.has(id) !== found.has(id))
    .slice(0, 3)
    .map((id) => {
      const object = graph.find(type.name, id) ?? {};
      const values = query.datapaths.map((path) => [path, valuesAt(type, object, path, context)]);
      return `${id} only in ${found.has(id) ? 'SQL' : 'memory'}: ${JSON.stringify(values)}`;
    });
  if (differences.length > 0)
    throw new Error([`WHERE_SEED=${seed} ${timeZone}`, where, ...differences, text].join('\n'));
  return found.size;
}

describe('expressions mean the same in SQL and in memory', () => {
  const totals = { cases: 0, telling: 0 };

  it.each(ROOTS.map((type) => [type.name, type] as const))(
    'for objects of the type %s',
    async (name, type) => {
      const dice = new Dice(seed ^ (name.length * 7));
      const items = [...objects.items.values()];
      const all = objects.graph.all(type.name);
      const usable = [...keysOf(type, 1, items), ...keysOf(type, 2, items)].filter(
        ({ text, attribute }) => attribute !== undefined && !text.startsWith('/'),
      );
      for (let count = Math.ceil(EXPRESSIONS / ROOTS.length); count > 0; count--) {
        const keys = Array.from({ length: 12 }, () => dice.one(usable));
        const presentAt = (datapath: string): readonly unknown[] => valuesAt(type, dice.one(all), datapath, context);
        const where = randomExpression(dice, { root: name, keys, pools: objects.pools, presentAt });
        if (new Set(keys.filter(({ datapath }) => where.includes(datapath))).size > 10) continue;
        const found = await compare(type, where, dice.one(['UTC', 'Europe/Berlin', 'America/Santiago']));
        totals.cases++;
        if (found > 0 && found < all.length) totals.telling++;
      }
      expect(all.length).toBeGreaterThan(0);
    },
    600_000,
  );

  it('in nearly all cases, of which over 20 % match some objects but not all', () => {
    expect(totals.cases).toBeGreaterThan(EXPRESSIONS * 0.9);
    expect(totals.telling / totals.cases).toBeGreaterThan(0.2);
  });
});
