import { type Path, type TextFilter } from './condition.js';
import { getAttribute, getRelation, getSearchObject } from './search-model.js';
import { type SqlCondition, type SqlScope } from './sql-scope.js';
import { containsSql } from './value-sql.js';

/**
 * The text in any of the fields. Fields of the collection's own row are ORed; those of other tables are gathered as sets of
 * ids, one for each table, for an OR across tables keeps PostgreSQL from every index.
 */
export function filterSql(filter: TextFilter, scope: SqlScope): SqlCondition {
  const groups = new Map<string, Path[]>();
  for (const path of filter.fields) {
    const key = path.steps.map(({ relation }) => relation).join('.');
    groups.set(key, [...(groups.get(key) ?? []), path]);
  }
  if (groups.size === 0) return { text: 'false', canBeNull: false };
  const { alias } = scope.options;
  if (groups.size === 1 && groups.has('')) return { text: anyContains(groups.get('') ?? [], filter, { scope, alias }), canBeNull: true };
  const sets = [...groups.values()].map((fields) => idsOf(fields, filter, scope));
  return { text: `${idSql(filter.root, scope, alias)} IN (${sets.join(' UNION ')})`, canBeNull: false };
}

interface At {
  readonly scope: SqlScope;
  readonly alias: string;
}

function anyContains(fields: readonly Path[], { text }: TextFilter, { scope, alias }: At): string {
  const { model, settings } = scope.options;
  const contains = fields.map(({ end }) => {
    if (end.kind !== 'attribute') throw new Error('a field that the filter searches is a value');
    const { sql, type, many, sqlType } = getAttribute(model, end.owner, end.name);
    const value = { sql: sql(alias, settings), type, ...(sqlType && { sqlType }) };
    if (many !== true) return containsSql(value, text, scope);
    const element = scope.alias();
    return `EXISTS (SELECT FROM unnest(${value.sql}) AS ${element}(value) WHERE ${containsSql({ ...value, sql: `${element}.value` }, text, scope)})`;
  });
  return contains.join(' OR ');
}

function idsOf(fields: readonly Path[], filter: TextFilter, scope: SqlScope): string {
  const { model } = scope.options;
  const first = scope.alias();
  let alias = first;
  const joins: string[] = [];
  for (const { owner, relation, target } of fields[0]?.steps ?? []) {
    const { join } = getRelation(model, owner, relation);
    if (!join) continue;
    const to = scope.alias();
    joins.push(` JOIN ${tableOf(scope, target)} ${to} ON ${join(alias, to)}`);
    alias = to;
  }
  const where = anyContains(fields, filter, { scope, alias });
  return `SELECT ${idSql(filter.root, scope, first)} FROM ${tableOf(scope, filter.root)} ${first}${joins.join('')} WHERE ${where}`;
}

const idSql = (root: string, { options }: SqlScope, alias: string): string => getAttribute(options.model, root, 'id').sql(alias, options.settings);

function tableOf({ options }: SqlScope, name: string): string {
  const { table } = getSearchObject(options.model, name);
  if (!table) throw new Error(`the object type ${name} has no table of its own`);
  return table;
}
