import { describe, expect, it } from '@jest/globals';
import { SQL_OPTIONS } from '../../../test/conditions.js';
import { model, orders } from '../../../test/orders.js';
import { readCollectionQuery } from '../reading/collection-query.js';
import { compileConditionSql, type SqlText } from './compile-sql.js';
import { type SqlObjectModel } from './sql-model.js';

/** The model in which `order.total` has at most 15 digits. */
const short: SqlObjectModel = {
  ...model,
  type(name) {
    const type = model.type(name);
    const total = type?.attributes['total'];
    return type && total
      ? { ...type, attributes: { ...type.attributes, total: { ...total, fitsDouble: true } } }
      : type;
  },
};

const sqlOf = (where: string, of: SqlObjectModel): SqlText => {
  const query = readCollectionQuery({ ...orders, model: of }, { where });
  if (query.violations) throw new Error(JSON.stringify(query.violations));
  return compileConditionSql(query.condition, { ...SQL_OPTIONS, model: of });
};

describe('a comparison of a decimal with a number', () => {
  it.each([
    ['order.total > 3.5', 't.total > $1::numeric', 3.5],
    ['order.total == 3', 't.total = $1::numeric', 3],
  ])('needs no conversion when the decimal has at most 15 digits: %s', (where, text, value) => {
    expect(sqlOf(where, short)).toEqual({ text: `(${text})`, parameters: [value] });
  });

  it.each([
    ['order.total > 3.5', 't.total::float8 > $1::float8'],
    ['order.total + 1 > 3', '+ $1::float8) > $2::float8'],
  ])('compares doubles otherwise: %s', (where, text) => {
    expect(sqlOf(where, model).text).toContain(text);
  });
});
