import { compileConditionSql, formatSearchViolation, readCollectionQuery, type SqlFunction } from '@ats/search-query';
import { compileConditionClosure } from '@ats/search-query/testing';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Dice, drawSeed } from '../../test/dice.js';
import { familyOf } from '../../test/random-expressions.js';
import { makeRandomObjects, type RandomObjects } from '../../test/random-objects.js';
import { keysOf } from '../../test/random-queries.js';
import { getObjectType, objectModel } from '../objects/object-model.js';
import { sqlSettings, tableOf } from './representation-sql.js';
import { searchSubject } from './search-subject.js';

/** Run with `FUNCTIONS_SEED=…` to repeat a failed run. */
const seed = drawSeed('FUNCTIONS_SEED');
const settings = { baseUrl: 'https://ats.example.com', language: 'en' } as const;

const functions: readonly SqlFunction[] = [
  {
    name: 'MIRROR',
    parameters: ['text'],
    result: 'text',
    call: (text: string) => [...text].reverse().join(''),
    sql: (text) => `reverse(${text})`,
  },
  {
    name: 'SIZE',
    parameters: ['text', 'integer'],
    result: 'integer',
    call: (text: string, more: number) => [...text].length + more,
    sql: (text, more) => `length(${text}) + ${more}`,
  },
  { name: 'HALF', parameters: ['decimal'], result: 'decimal', call: (n: number) => n / 2, sql: (n) => `${n} / 2` },
  {
    name: 'YEAR',
    parameters: ['date'],
    result: 'integer',
    call: (day: string) => new Date(day).getUTCFullYear(),
    sql: (day) => `extract(year FROM ${day})`,
  },
  {
    name: 'NOON',
    parameters: ['datetime'],
    result: 'boolean',
    call: (moment: Date) => moment.getUTCHours() === 12,
    sql: (moment) => `extract(hour FROM ${moment} AT TIME ZONE 'UTC') = 12`,
  },
];
const model = { ...objectModel, functions };

let objects: RandomObjects;

beforeAll(async () => {
  objects = await makeRandomObjects(seed);
});
afterAll(() => objects.close());

/** A random comparison of the result of a function. */
function randomCall(dice: Dice, path: string, family: ReturnType<typeof familyOf>): string {
  const texts = objects.pools.texts
    .map((text) => [...text].reverse().join(''))
    .filter((text) => !/\p{Surrogate}/u.test(text));
  switch (family) {
    case 'text': {
      const literal = JSON.stringify((dice.one(texts) || 'a').replaceAll(/[\b\f]/g, ' '));
      return dice.one([
        `MIRROR(${path}) ${dice.one(['==', '!=', '<', '>=', '=~', '!~'])} ${literal}`,
        `MIRROR(${path}) IN {${literal}, NULL}`,
        `MIRROR(${path}) ${dice.one(['==', '!='])} NULL`,
        `MIRROR(MIRROR(${path})) ${dice.one(['==', '!='])} ${path}`,
        `SIZE(${path}, ${dice.below(3)}) ${dice.one(['==', '<', '>'])} ${dice.below(12)}`,
        `${dice.below(12)} <= SIZE(MIRROR(${path}), 1) + 1`,
      ]);
    }
    case 'number':
      return `HALF(${path}) ${dice.one(['==', '!=', '<', '>='])} ${dice.below(20) / 2}`;
    case 'temporal':
      return dice.one([
        `YEAR(${path}) ${dice.one(['==', '!=', '<', '>='])} ${2015 + dice.below(12)}`,
        `YEAR(${path} + DTDURATION(${dice.below(400)},0,0,0)) - 1 IN {2020, 2024, 2025, NULL}`,
      ]);
    case 'boolean':
      return path;
  }
}

it.each(['application', 'candidate', 'vacancy'])(
  'functions of the host give the same results in memory and in SQL for objects of the type %s',
  async (name) => {
    const type = getObjectType(name);
    const dice = new Dice(seed ^ name.length);
    const keys = [...keysOf(type, 1, []), ...keysOf(type, 2, [])].filter(
      ({ text, attribute }) => attribute !== undefined && !text.startsWith('/'),
    );
    const { client, graph, now } = objects;
    const context = { ...settings, now, timeZone: 'UTC', defaultLanguage: 'en' };
    const all = graph.all(name);
    let telling = 0;
    for (let count = 0; count < 100; count++) {
      const calls = [dice.one(keys), dice.one(keys)].map(({ datapath, attribute }) =>
        attribute ? randomCall(dice, `${name}.${datapath}`, familyOf(attribute)) : 'TRUE',
      );
      const where = calls.join(dice.one([' AND ', ' OR ', ' AND NOT ']));
      const query = readCollectionQuery(
        { ...searchSubject(type, model), clock: { now, timeZone: 'Europe/Berlin' } },
        { where },
      );
      if (query.violations) throw new Error(`${where}\n${query.violations.map(formatSearchViolation).join('\n')}`);
      const { text, parameters } = compileConditionSql(query.condition, {
        ...{ model, alias: 't', settings: sqlSettings(settings) },
      });
      const fixed = Object.entries(type.fixed).map(([column, value]) => `t.${column} = '${value}' AND `);
      const statement = `SELECT t.id FROM ${tableOf(type)} t WHERE ${fixed.join('')}(${text})`;
      const { rows } = await client.query<{ id: number }>(statement, [...parameters]).catch((error: unknown) => {
        throw new Error([`FUNCTIONS_SEED=${seed} ${String(error)}`, where, statement].join('\n'));
      });
      const test = compileConditionClosure(query.condition, {
        model,
        readAttribute: (owner, attribute, object) =>
          getObjectType(owner).attributes[attribute]?.memory(object, context),
      });
      const matches = all.filter((object) => test(object)).map((object) => Number(object['id']));
      const found = rows.map(({ id }) => Number(id));
      expect({ seed, where, ids: found.sort((a, b) => a - b) }).toEqual({
        ...{ seed, where, ids: matches.sort((a, b) => a - b) },
      });
      if (matches.length > 0 && matches.length < all.length) telling++;
    }
    expect(telling).toBeGreaterThan(10);
  },
  120_000,
);
