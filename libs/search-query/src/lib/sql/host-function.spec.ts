import { compile } from '@ats/datapath';
import { expect, it } from '@jest/globals';
import {
  compileConditionSql,
  defineSqlModel,
  expressionTexts,
  formatSearchViolation,
  readCollectionQuery,
  searchViolationFormatter,
  sqlColumn,
  type SearchSubject,
} from '../../index.js';
import { compileConditionClosure } from '../../testing.js';

const model = defineSqlModel(
  {
    order: {
      table: 'orders',
      attributes: { id: sqlColumn('id', 'integer'), note: sqlColumn('note', 'text'), due: sqlColumn('due', 'date') },
      relations: {
        customer: { target: 'customer', column: 'customer_id', join: (from, to) => `${to}.id = ${from}.customer_id` },
      },
    },
    customer: { table: 'customers', attributes: { id: sqlColumn('id', 'integer'), name: sqlColumn('name', 'text') } },
  },
  {
    functions: [
      {
        name: 'UPPER',
        parameters: ['text'],
        result: 'text',
        call: (text: string) => text.toUpperCase(),
        sql: (text) => `upper(${text})`,
      },
      {
        name: 'YEAR',
        parameters: ['date'],
        result: 'integer',
        call: (day: string) => Number(day.slice(0, 4)),
        sql: (day) => `extract(year FROM ${day})`,
      },
    ],
  },
);
const subject: SearchSubject = {
  ...{ model, root: 'order' },
  clock: { now: new Date('2026-11-21T09:30:00Z'), timeZone: 'Europe/Vienna' },
};

function read(where: string) {
  const query = readCollectionQuery(subject, { where });
  if (query.violations) throw new Error(query.violations.map(formatSearchViolation).join('\n'));
  return query;
}
const sqlOf = (where: string) => compileConditionSql(read(where).condition, { model, alias: 't' });

it.each([
  ['UPPER(order.note) == "A"', '(upper(t.note))::text = $1::text', ['A']],
  [
    'UPPER(order.customer.name) == "A"',
    'EXISTS (SELECT FROM customers t_c1 WHERE t_c1.id = t.customer_id AND ((upper(t_c1.name))::text = $1::text))',
    ['A'],
  ],
  ['UPPER(order.note) == NULL', '(upper(t.note))::text IS NULL', []],
  ['YEAR(order.due) >= 2025', '(extract(year FROM t.due))::float8 >= $1::float8', [2025]],
  ['YEAR("2020-01-01") == 2020', '(extract(year FROM $1::date))::float8 = $2::float8', ['2020-01-01', 2020]],
  ['UPPER(order.note) IN {"A", "B"}', '(upper(t.note))::text = ANY($1::text[])', [['A', 'B']]],
  [
    'UPPER(order.note) =~ "a"',
    `translate(lower((upper(t.note))::text COLLATE "und-x-icu"), 'ς', 'σ') LIKE translate(lower($1::text COLLATE "und-x-icu"), 'ς', 'σ')`,
    ['%a%'],
  ],
])('a call of a function of the host is compiled to SQL in %s', (where, text, parameters) => {
  expect(sqlOf(where)).toEqual({ text: `(${text})`, parameters });
});

it('calls of functions of the host are evaluated in memory, too', () => {
  const test = compileConditionClosure(
    read('UPPER(order.customer.name) == "ADA" AND YEAR(order.due) == 2026').condition,
    {
      model,
    },
  );
  expect(test({ id: 1, due: '2026-12-24', customer: { name: 'Ada' } })).toBe(true);
  expect(test({ id: 1, due: '2025-12-24', customer: { name: 'Ada' } })).toBe(false);
});

it('a function of the host without SQL is not compiled', () => {
  const { condition } = read('UPPER(order.note) == "A"');
  expect(() => compileConditionSql(condition, { model: { ...model, functions: [] }, alias: 't' })).toThrow(
    'the object model has no function UPPER',
  );
});

it('a query lists the texts and the datapaths inside of calls', () => {
  const query = read('UPPER(order.customer.name) == UPPER("a") OR YEAR(order.due) + 1 == 2027');
  expect(query.datapaths).toEqual(['customer.name', 'due']);
  const where = compile('UPPER(order.note) == UPPER("a")', model, ['order']).checked.condition;
  expect(where && expressionTexts(where)).toEqual(['a']);
});

it('searchViolationFormatter formats violations with texts of the caller', () => {
  const { violations = [] } = readCollectionQuery(subject, { search: ['nte=1', 'id=x'] });
  const format = searchViolationFormatter(({ code, message }) =>
    code === 'invalid_value' ? `${String(message.values[0])} wanted` : undefined,
  );
  expect(violations.map(format)).toEqual([violations.map(formatSearchViolation)[0], expect.stringContaining('wanted')]);

  const [violation] = readCollectionQuery(subject, { where: 'order.nte == 1' }).violations ?? [];
  expect(violation && searchViolationFormatter(() => 'No')(violation)).toMatch(/^No \(at \d+ of /);
});
