import { describe, expect, it } from '@jest/globals';
import { formData } from '../../../test/form-data.js';
import { DatapathColumns } from './datapath-columns.js';
import { quoteLiteral, type SqlAttribute, type SqlObject, type SqlObjectModel } from './sql-model.js';

const column = (name: string, type: SqlAttribute['type'] = 'text'): SqlAttribute => ({
  type,
  sql: (alias) => `${alias}.${name}`,
});

const types: Readonly<Record<string, SqlObject>> = {
  order: {
    name: 'order',
    table: 'orders',
    attributes: {
      id: column('id', 'integer'),
      total_eur: { type: 'decimal', sql: (alias, { rate }) => `${alias}.total * ${rate}` },
    },
    relations: {
      customer: { target: 'customer', join: (from, to) => `${to}.id = ${from}.customer_id` },
      delivery: { target: 'delivery' },
      lines: {
        target: 'line',
        many: true,
        join: (from, to) => `${to}.order_id = ${from}.id`,
        orderBy: (to) => `${to}.position`,
      },
    },
  },
  customer: {
    name: 'customer',
    table: 'customers',
    attributes: {
      name: column('name'),
      rank: { type: 'text', sql: (alias) => `CASE ${alias}.rank WHEN 1 THEN 'gold' ELSE 'none' END` },
    },
    relations: { country: { target: 'country', join: (from, to) => `${to}.code = ${from}.country_code` } },
  },
  country: { name: 'country', table: 'countries', attributes: { name: column('name') }, relations: {} },
  delivery: { name: 'delivery', attributes: { sent_dt: column('delivery_sent_dt', 'datetime') }, relations: {} },
  line: {
    name: 'line',
    table: 'lines',
    attributes: { text: column('text'), tags: { ...column('tags'), many: true } },
    relations: {
      product: { target: 'product', join: (from, to) => `${to}.id = ${from}.product_id` },
      parcels: {
        target: 'parcel',
        many: true,
        join: (from, to) => `${to}.line_id = ${from}.id`,
        orderBy: (to) => `${to}.place`,
      },
    },
  },
  parcel: { name: 'parcel', table: 'parcels', attributes: { weight: column('weight', 'decimal') }, relations: {} },
  product: { name: 'product', table: 'products', attributes: { name: column('name') }, relations: {} },
  answer: { name: 'answer', table: 'answers', attributes: { value: column('text_value') }, relations: {} },
};
const model: SqlObjectModel = {
  type: (name) => types[name],
  collections: [formData],
  keyedRelation: (_owner, { parts }) => ({
    target: 'answer',
    join: (from, to) => `${to}.order_id = ${from}.id AND ${to}.place = '${parts.join(':')}'`,
  }),
};
const columnsOfOrders = (format?: (sql: string, attribute: SqlAttribute) => string): DatapathColumns =>
  new DatapathColumns({ model, root: 'order', alias: 't', settings: { rate: '1.1' }, ...(format && { format }) });

describe('DatapathColumns', () => {
  it('reads an attribute of the root from its row, without a join', () => {
    const columns = columnsOfOrders();
    expect(columns.column('id')).toBe('t.id');
    expect(columns.joins).toBe('');
  });

  it('passes settings to a computed attribute', () => {
    expect(columnsOfOrders().column('total_eur')).toBe('t.total * 1.1');
  });

  it('joins each to-one relation once for all datapaths', () => {
    const columns = columnsOfOrders();
    expect(columns.column('customer.name')).toBe('t_1.name');
    expect(columns.column('customer.country.name')).toBe('t_2.name');
    expect(columns.column('customer.name')).toBe('t_1.name');
    expect(columns.joins).toBe(
      'LEFT JOIN customers t_1 ON t_1.id = t.customer_id\nLEFT JOIN countries t_2 ON t_2.code = t_1.country_code AND t_1.ctid IS NOT NULL',
    );
  });

  it('returns null for a value that is computed from a missing row', () => {
    const columns = columnsOfOrders();
    expect(columns.column('customer.rank')).toBe(
      "CASE WHEN t_1.ctid IS NOT NULL THEN CASE t_1.rank WHEN 1 THEN 'gold' ELSE 'none' END END",
    );
    expect(columns.column('total_eur')).toBe('t.total * 1.1');
  });

  it('uses an inner join for a required relation', () => {
    const types: Readonly<Record<string, SqlObject>> = {
      a: {
        name: 'a',
        table: 'a',
        attributes: {},
        relations: { must: { target: 'b', isRequired: true, join: () => 'b' }, may: { target: 'b', join: () => 'c' } },
      },
      b: {
        name: 'b',
        table: 'b',
        attributes: { id: column('id') },
        relations: { must: { target: 'b', isRequired: true, join: () => 'd' } },
      },
    };
    const columns = new DatapathColumns({
      model: { type: (name) => types[name] },
      root: 'a',
      alias: 't',
      settings: {},
    });
    expect(['must.id', 'must.must.id', 'may.id', 'may.must.id'].map((path) => columns.column(path))).toEqual([
      't_1.id',
      't_2.id',
      't_3.id',
      't_4.id',
    ]);
    expect(columns.joins.split('\n').map((join) => join.replace(/ ON.*/, ''))).toEqual([
      'JOIN b t_1',
      'JOIN b t_2',
      'LEFT JOIN b t_3',
      'LEFT JOIN b t_4',
    ]);
  });

  it('reads an object in the row of its owner without a join', () => {
    const columns = columnsOfOrders();
    expect(columns.column('delivery.sent_dt')).toBe('t.delivery_sent_dt');
    expect(columns.joins).toBe('');
  });

  it('aggregates a to-many path to one ordered array, without duplicate rows', () => {
    const columns = columnsOfOrders();
    expect(columns.column('lines.product.name')).toBe(
      "(SELECT coalesce(json_agg(t_m_1.name ORDER BY t_m.position), '[]') FROM lines t_m LEFT JOIN products t_m_1 ON t_m_1.id = t_m.product_id WHERE t_m.order_id = t.id)",
    );
    expect(columns.joins).toBe('');
  });

  it('aggregates a path through several lists to one list, in the order of each', () => {
    expect(columnsOfOrders().column('lines.parcels.weight')).toBe(
      "(SELECT coalesce(json_agg(t_m_1.weight ORDER BY t_m.position, t_m_1.place), '[]') FROM lines t_m JOIN parcels t_m_1 ON t_m_1.line_id = t_m.id WHERE t_m.order_id = t.id)",
    );
  });

  it('aggregates lists of the elements to one list', () => {
    expect(columnsOfOrders().column('lines.tags')).toBe(
      "(SELECT coalesce(json_agg(t_m_1.value ORDER BY t_m.position, t_m_1.place), '[]') FROM lines t_m CROSS JOIN LATERAL unnest(t_m.tags) WITH ORDINALITY t_m_1 (value, place) WHERE t_m.order_id = t.id)",
    );
  });

  it('computes one value for each element of a to-many relation', () => {
    expect(columnsOfOrders().elements('lines', (line) => `upper(${line.column('text')})`)).toContain(
      'json_agg(upper(t_m.text)',
    );
  });

  it('uses a left join for a form value, which may be missing', () => {
    const columns = columnsOfOrders();
    expect([columns.column('formdata.5'), columns.column('formdata.5:1:1'), columns.column('formdata.5:2')]).toEqual([
      't_1.text_value',
      't_1.text_value',
      't_2.text_value',
    ]);
    expect(columns.joins).toBe(
      "LEFT JOIN answers t_1 ON t_1.order_id = t.id AND t_1.place = '5:1:1'\nLEFT JOIN answers t_2 ON t_2.order_id = t.id AND t_2.place = '5:2:1'",
    );
  });

  it('formats every value, also those of list elements', () => {
    const columns = columnsOfOrders((sql, { type }) => `${type}(${sql})`);
    expect(columns.column('id')).toBe('integer(t.id)');
    expect(columns.column('lines.text')).toContain('json_agg(text(t_m.text)');
  });

  it('can format one value differently, with the joins of the other values', () => {
    const columns = columnsOfOrders((sql) => `usual(${sql})`);
    const other = (sql: string, { type }: SqlAttribute): string => `${type}(${sql})`;
    expect([columns.column('customer.name'), columns.column('customer.name', other)]).toEqual([
      'usual(t_1.name)',
      'text(t_1.name)',
    ]);
    expect(columns.column('lines.text', other)).toContain('json_agg(text(t_m.text)');
    const end = { kind: 'attribute', owner: 'answer', name: 'value', type: 'text', many: false } as const;
    expect(columns.columnOf({ datapath: 'formdata.5', end }, other)).toBe('text(t_2.text_value)');
  });

  it.each([
    'nothing',
    'customer',
    'customer.nothing',
    'nothing.name',
    'constructor',
    '__proto__.name',
    'lines.toString',
    '',
  ])('rejects %j, which the model does not know', (path) => {
    expect(() => columnsOfOrders().column(path)).toThrow(/has no (attribute|relation)/);
  });
});

describe('quoteLiteral', () => {
  it('doubles quotes', () => {
    expect(quoteLiteral("O'Hara")).toBe("'O''Hara'");
  });
});
