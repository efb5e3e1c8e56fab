import { describe, expect, it } from '@jest/globals';
import { SQL_OPTIONS } from '../../../test/conditions.js';
import { orders } from '../../../test/orders.js';
import { type Condition } from '../model/condition.js';
import { readCollectionQuery } from '../reading/collection-query.js';
import { compileConditionSql } from './compile-sql.js';
import { compileLookupsSql } from './lookups.js';

const withoutFolding = (text: string): string =>
  text.replaceAll(/translate\(lower\(((?:[^()]|\([^()]*\))*?) COLLATE "und-x-icu"\), 'ς', 'σ'\)/g, '«$1»');

const filterOf = (filter: string): Condition => {
  const query = readCollectionQuery(orders, { search: [], filter, sort: [] });
  if (query.violations) throw new Error('no violation was expected');
  return query.condition;
};

describe('the SQL of the text filter', () => {
  it('compares columns of the item, and uses one subselect for each related table', () => {
    const { text, parameters } = compileConditionSql(filterOf('x'), SQL_OPTIONS);
    expect(withoutFolding(text)).toBe(
      "((«t.note» LIKE «$1::text» OR «to_char(t.due, 'YYYY-MM-DD')» LIKE «$2::text» OR EXISTS (SELECT FROM unnest(t.tags) AS t_c1(value) WHERE «t_c1.value» LIKE «$3::text»))" +
        ' OR (EXISTS (SELECT FROM customers t_c2 WHERE t_c2.id = t.customer_id AND (t_c2.name_folded LIKE «$4::text») OFFSET 0))' +
        ' OR (EXISTS (SELECT FROM lines t_c3 WHERE t_c3.order_id = t.id AND (t_c3.search_text LIKE «$5::text») OFFSET 0)))',
    );
    expect(new Set(parameters)).toEqual(new Set(['%x%']));
  });

  it('does not match a text that spans two attributes of a stored search text', () => {
    expect(compileConditionSql(filterOf('a\u001fb'), SQL_OPTIONS).text).not.toContain('search_text');
  });

  it('compares the ids of a look-up, and uses an EXISTS when the look-up finds too many ids', () => {
    const condition = filterOf('x');
    const lookups = compileLookupsSql(condition, SQL_OPTIONS);
    expect(withoutFolding(lookups?.text ?? '')).toBe(
      'SELECT ' +
        "ARRAY(SELECT t_c1.id FROM orders t_c1 WHERE («t_c1.note» LIKE «$1::text» OR «to_char(t_c1.due, 'YYYY-MM-DD')» LIKE «$2::text»" +
        ' OR EXISTS (SELECT FROM unnest(t_c1.tags) AS t_c2(value) WHERE «t_c2.value» LIKE «$3::text»)) LIMIT 1001) AS l0, ' +
        'ARRAY(SELECT t_c3.id FROM customers t_c3 WHERE (t_c3.name_folded LIKE «$4::text») LIMIT 1001) AS l1, ' +
        'ARRAY(SELECT DISTINCT t_c4.order_id FROM lines t_c4 WHERE (t_c4.search_text LIKE «$5::text») LIMIT 1001) AS l2',
    );
    const many = Array.from({ length: 1_001 }, (_, index) => index);
    const found = lookups?.read([[4, 5], many, [6]]);
    const { text, parameters } = compileConditionSql(condition, { ...SQL_OPTIONS, lookups: found });
    expect(text).toMatch(
      /^\(\(t\.id = ANY\(\$2::bigint\[\]\)\) OR \(EXISTS \(SELECT FROM customers .* OFFSET 0\)\)\)$/,
    );
    expect(parameters).toEqual(['%x%', ['4', '5', '6']]);
  });
});
