// @group split: npm test compares a sample of the random expressions
import { checkExpression, compileExpression, parseExpression, TopicIndex } from '@ats/datapath';
import {
  compileConditionSql,
  compileLookupsSql,
  formatSearchViolation,
  type LookupsSql,
  readCollectionQuery,
  SqlParameters,
} from '@ats/search-query';
import { compileConditionClosure } from '@ats/search-query/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Dice, drawSeed } from '../../test/dice.js';
import { familyOf, randomExpression } from '../../test/random-expressions.js';
import { makeRandomObjects, type RandomObjects } from '../../test/random-objects.js';
import { keysOf, valuesAt } from '../../test/random-queries.js';
import { evaluateReference, type Kind } from '../../test/reference-evaluator/evaluate.js';
import { parseReference } from '../../test/reference-evaluator/parse.js';
import { modelWithItems } from '../facts/form-items.js';
import { getObjectType, objectModel } from '../objects/object-model.js';
import { type MemoryContext } from '../vocabulary/attribute-options.js';
import { type ObjectType } from '../vocabulary/object-type.js';
import { sqlSettings, tableOf } from './representation-sql.js';
import { searchSubject } from './search-subject.js';

/** Run with `WHERE_SEED=…` to repeat a failed run, and with `WHERE_EXPRESSIONS=…` for another number of expressions. */
const seed = drawSeed('WHERE_SEED');
const EXPRESSIONS = Number(process.env['WHERE_EXPRESSIONS'] ?? (process.env['TEST_ALL'] === '1' ? 20_000 : 1_000));
const settings = { baseUrl: 'https://ats.example.com', language: 'en' } as const;
const ROOTS = objectModel.types.filter(({ table, attributes }) => table !== undefined && 'id' in attributes);

let objects: RandomObjects;
let context: MemoryContext;

beforeAll(async () => {
  objects = await makeRandomObjects(seed);
  context = { ...settings, now: objects.now, timeZone: 'UTC', defaultLanguage: 'en' };
});

afterAll(() => objects.close());

/**
 * Compares the objects that an expression matches in the closure, the topic index, SQL and the reference evaluator.
 * Throws when they differ. Returns the number of matches.
 */
async function compare(type: ObjectType, where: string, timeZone: string, kinds: Kinds): Promise<number> {
  const { client, graph, items, now } = objects;
  const subject = { ...searchSubject(type, modelWithItems(items)), clock: { now, timeZone } };
  const query = readCollectionQuery(subject, { where });
  if (query.violations) throw new Error(`${where}\n${query.violations.map(formatSearchViolation).join('\n')}`);
  const parameters = new SqlParameters();
  const options = { model: objectModel, alias: 't', settings: sqlSettings(settings) };
  const looked = compileLookupsSql(query.condition, options);
  const lookups = looked && looked.read(Object.values(await readRow(looked, where)));
  const { text } = compileConditionSql(query.condition, { ...options, parameters, lookups });
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
  const all = graph.all(type.name);
  const tree = parseReference(where);
  const topics = new TopicIndex<number>();
  const model = modelWithItems(items);
  topics.add(1, compileExpression(checkExpression(parseExpression(where, model), model, [type.name])));
  const found = new Set(rows.map(({ id }) => Number(id)));
  const differences: string[] = [];
  let matches = 0;
  for (const object of all) {
    const at = (path: string): readonly unknown[] =>
      valuesAt(type, object, path.slice(type.name.length + 1), context, [null]);
    const expected = evaluateReference(tree, { valuesOf: at, kindOf: (path) => kindAt(kinds, path), now, timeZone });
    const valueOf = (path: string): unknown => (kinds.many.has(withoutInstances(path)) ? at(path) : at(path)[0]);
    const results = {
      closure: test(object),
      index: topics.evaluate({ valueOf, now, timeZone }).matched.length > 0,
      SQL: found.has(Number(object['id'])),
    };
    if (expected) matches++;
    const wrong = Object.entries(results).filter(([, result]) => result !== expected);
    if (wrong.length === 0 || differences.length > 2) continue;
    const values = query.datapaths.map((path) => [path, valuesAt(type, object, path, context)]);
    const names = wrong.map(([name]) => name).join(', ');
    differences.push(`${String(object['id'])} is ${expected}, differs in ${names}: ${JSON.stringify(values)}`);
  }
  if (differences.length > 0 || found.size > all.length)
    throw new Error([`WHERE_SEED=${seed} ${timeZone}`, where, ...differences, text].join('\n'));
  return matches;
}

/** Runs the look-up statement in the same way as the page of a collection does. */
async function readRow({ text, parameters }: LookupsSql, where: string): Promise<Record<string, readonly number[]>> {
  try {
    const { rows } = await objects.client.query<Record<string, readonly number[]>>(text, [...parameters]);
    return rows[0] ?? {};
  } catch (error) {
    throw new Error([`WHERE_SEED=${seed} ${String(error)}`, where, text].join('\n'), { cause: error });
  }
}

interface Kinds {
  readonly of: ReadonlyMap<string, Kind>;
  readonly many: ReadonlySet<string>;
}

/** Removes the instances from the datapath of a form value, because the values of all instances have the same type. */
const withoutInstances = (path: string): string => path.replace(/(formdata\.\d+):.*/, '$1');

function kindAt({ of }: Kinds, path: string): Kind {
  const kind = of.get(withoutInstances(path));
  if (!kind) throw new Error(`${path} has no type`);
  return kind;
}

describe('expressions match the same objects in memory, topic index, SQL and the reference evaluator', () => {
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
      const kinds = {
        of: new Map(
          usable.flatMap(({ datapath, attribute }) =>
            attribute ? [[withoutInstances(`${name}.${datapath}`), familyOf(attribute)] as const] : [],
          ),
        ),
        many: new Set(usable.filter(({ many }) => many).map(({ datapath }) => withoutInstances(`${name}.${datapath}`))),
      };
      for (let count = Math.ceil(EXPRESSIONS / ROOTS.length); count > 0; ) {
        const keys = Array.from({ length: 12 }, () => dice.one(usable));
        const presentAt = (datapath: string): readonly unknown[] => valuesAt(type, dice.one(all), datapath, context);
        const where = randomExpression(dice, { root: name, keys, pools: objects.pools, presentAt });
        if (new Set(keys.filter(({ datapath }) => where.includes(datapath))).size > 10) continue;
        const found = await compare(type, where, dice.one(['UTC', 'Europe/Berlin', 'America/Santiago']), kinds);
        count--;
        totals.cases++;
        if (found > 0 && found < all.length) totals.telling++;
      }
      expect(all.length).toBeGreaterThan(0);
    },
    600_000,
  );

  it('for enough cases, over 20 % of which match some objects but not all', () => {
    expect(totals.cases).toBeGreaterThanOrEqual(EXPRESSIONS);
    expect(totals.telling / totals.cases).toBeGreaterThan(0.2);
  });
});
