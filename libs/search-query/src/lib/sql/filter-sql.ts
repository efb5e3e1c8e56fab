import { type Path, type PathStep, type TextFilter } from '../model/condition.js';
import { getAttribute, getRelation, getSearchObject } from '../model/search-model.js';
import { SEARCH_TEXT_SEPARATOR, type SqlObject, type SqlRelation } from './sql-model.js';
import { type Lookup, type SqlCondition, type SqlScope } from './sql-scope.js';
import { containsSql, isInFolded, isOneOf, readValue } from './value-sql.js';

/**
 * The text in any of the fields, table by table: an OR of subselects keeps PostgreSQL from every index, so the rows in which a
 * table holds the text are looked up beforehand and named by id. Where they are too many to be named they are plenty, too, and
 * the rows of the collection are asked one after the other until there are enough.
 */
export function filterSql(filter: TextFilter, scope: SqlScope): SqlCondition {
  const named = new Map<string, string[]>();
  const asked: string[] = [];
  for (const group of groupsOf(filter, scope)) {
    const ids = scope.options.lookups?.get(group.key);
    const column = keyColumnOf(group, scope);
    if (ids && column !== undefined) named.set(column, [...(named.get(column) ?? []), ...ids]);
    else asked.push(existsSql(group, group.steps, scope.options.alias, scope));
  }
  const found = [...named].map(([column, ids]) => isOneOf(column, [...new Set(ids)], scope).text);
  return { text: [...found, ...asked].map((text) => `(${text})`).join(' OR ') || 'false', canBeNull: true };
}

/** What to look up before the filter is compiled. */
export const filterLookups = (filter: TextFilter, scope: SqlScope): readonly Lookup[] =>
  groupsOf(filter, scope)
    .filter((group) => keyColumnOf(group, scope) !== undefined)
    .map((group) => ({ key: group.key, select: keysOf(group, scope) }));

/** Fields in rows of one table. */
interface Group {
  readonly filter: TextFilter;
  readonly fields: readonly Path[];
  /** The first of them stands for all. */
  readonly key: Path;
  readonly steps: readonly Step[];
}

interface Step extends PathStep {
  readonly join: NonNullable<SqlRelation['join']>;
  readonly sql: SqlRelation;
}

function groupsOf(filter: TextFilter, scope: SqlScope): readonly Group[] {
  const groups = new Map<string, Group>();
  for (const path of filter.fields) {
    const steps = path.steps.flatMap((step): Step[] => {
      const sql = getRelation(scope.options.model, step.owner, step.relation);
      return sql.join ? [{ ...step, sql, join: sql.join }] : [];
    });
    const name = steps.map(({ relation }) => relation).join('.');
    const known = groups.get(name);
    groups.set(
      name,
      known ? { ...known, fields: [...known.fields, path] } : { filter, fields: [path], key: path, steps },
    );
  }
  return [...groups.values()];
}

/** `OFFSET 0` keeps PostgreSQL from gathering all rows that have the text, of which few are needed. */
function existsSql(group: Group, [step, ...rest]: readonly Step[], from: string, scope: SqlScope): string {
  if (!step) return anyContains(group, from, scope);
  const to = scope.alias();
  return `EXISTS (SELECT FROM ${tableOf(scope, step.target)} ${to} WHERE ${step.join(from, to)} AND (${existsSql(group, rest, to, scope)}) OFFSET 0)`;
}

/** The column of the collection's row by which rows at most one step away are named; undefined when there is none. */
function keyColumnOf({ steps: [step, ...more], filter }: Group, scope: SqlScope): string | undefined {
  const { alias } = scope.options;
  if (more.length > 0) return undefined;
  if (!step || step.sql.ownerColumn !== undefined) return idSql(filter.root, scope, alias);
  return step.sql.keyColumn === undefined ? undefined : `${alias}.${step.sql.keyColumn}`;
}

/** What that column holds for the rows in which the group has the text. */
function keysOf(group: Group, scope: SqlScope): string {
  const [step] = group.steps;
  const alias = scope.alias();
  const contains = `(${anyContains(group, alias, scope)})`;
  const target = step?.target ?? group.filter.root;
  const rows = `FROM ${tableOf(scope, target)} ${alias} WHERE ${[...(step?.sql.where ? [step.sql.where(alias)] : []), contains].join(' AND ')}`;
  return step?.sql.ownerColumn === undefined
    ? `SELECT ${idSql(target, scope, alias)} ${rows}`
    : `SELECT DISTINCT ${alias}.${step.sql.ownerColumn} ${rows}`;
}

/** The text in any of the group's fields, in the row called `alias`. */
function anyContains({ fields, filter, steps }: Group, alias: string, scope: SqlScope): string {
  const { searchText } = objectOf(scope, steps.at(-1)?.target ?? filter.root);
  const isUsable = searchText !== undefined && !filter.text.includes(SEARCH_TEXT_SEPARATOR);
  const held = isUsable
    ? fields.filter(({ end }) => end.kind === 'attribute' && searchText.attributes.includes(end.name))
    : [];
  const covers = isUsable && held.length === searchText.attributes.length;
  const apart = (covers ? fields.filter((field) => !held.includes(field)) : fields).map((field) =>
    fieldContains(field, filter.text, { alias, scope }),
  );
  return [...(covers ? [isInFolded(searchText.sql(alias), filter.text, scope)] : []), ...apart].join(' OR ');
}

function fieldContains(
  { end }: Path,
  text: string,
  { alias, scope }: { readonly alias: string; readonly scope: SqlScope },
): string {
  if (end.kind !== 'attribute') throw new Error('a field that the filter searches is a value');
  const { model, settings } = scope.options;
  const attribute = getAttribute(model, end.owner, end.name);
  const value = readValue(attribute, alias, settings);
  if (attribute.many !== true) return containsSql(value, text, scope);
  const element = scope.alias();
  return `EXISTS (SELECT FROM unnest(${value.sql}) AS ${element}(value) WHERE ${containsSql({ ...value, sql: `${element}.value` }, text, scope)})`;
}

const idSql = (root: string, scope: SqlScope, alias: string): string =>
  getAttribute(scope.options.model, root, 'id').sql(alias, scope.options.settings);

const objectOf = ({ options }: SqlScope, name: string): SqlObject => getSearchObject(options.model, name);

function tableOf(scope: SqlScope, name: string): string {
  const { table } = objectOf(scope, name);
  if (!table) throw new Error(`the object type ${name} has no table of its own`);
  return table;
}
