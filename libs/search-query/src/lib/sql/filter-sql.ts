import { type Path, type PathStep, type TextFilter } from '../model/condition.js';
import { getAttribute, getRelation, getSearchObject, idNameOf } from '../model/search-model.js';
import { SEARCH_TEXT_SEPARATOR, type SqlObject, type SqlRelation } from './sql-model.js';
import { type Lookup, type SqlCondition, type SqlScope } from './sql-scope.js';
import { containsSql, isInFolded, isOneOf, readValue } from './value-sql.js';

/**
 * Compiles the filter, which is true when any of the fields contains the text. Fields in the same table form a group.
 *
 * PostgreSQL uses no index for an OR of subselects. So a look-up first finds the rows of each table that contain the
 * text, and the filter compares their ids. When a look-up finds too many ids, matches are frequent. The group then
 * becomes an EXISTS, which PostgreSQL evaluates row by row until the page is full.
 */
export function filterSql(filter: TextFilter, scope: SqlScope): SqlCondition {
  const idsByColumn = new Map<string, string[]>();
  const subselects: string[] = [];
  for (const group of groupsOf(filter, scope)) {
    const ids = scope.options.lookups?.get(group.key);
    const column = keyColumnOf(group, scope);
    if (ids && column !== undefined) idsByColumn.set(column, [...(idsByColumn.get(column) ?? []), ...ids]);
    else subselects.push(existsSql(group, group.steps, scope.options.alias, scope));
  }
  const comparisons = [...idsByColumn].map(([column, ids]) => isOneOf(column, [...new Set(ids)], scope).text);
  return { text: [...comparisons, ...subselects].map((text) => `(${text})`).join(' OR ') || 'false', canBeNull: true };
}

/** Returns the look-ups that must run before the filter is compiled. */
export const filterLookups = (filter: TextFilter, scope: SqlScope): readonly Lookup[] =>
  groupsOf(filter, scope)
    .filter((group) => keyColumnOf(group, scope) !== undefined)
    .map((group) => ({ key: group.key, select: keysOf(group, scope) }));

/** A group of fields of the filter: all fields in the same table, reached by the same relations. */
interface Group {
  readonly filter: TextFilter;
  readonly fields: readonly Path[];
  /** The first field. It identifies the group in `Lookups`. */
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

/**
 * Makes the EXISTS of a group. Without `OFFSET 0`, PostgreSQL might collect all rows that contain the text although
 * only few are needed.
 */
function existsSql(group: Group, [step, ...rest]: readonly Step[], from: string, scope: SqlScope): string {
  if (!step) return anyContains(group, from, scope);
  const to = scope.alias();
  const condition = `${step.join(from, to)} AND (${existsSql(group, rest, to, scope)})`;
  return `EXISTS (SELECT FROM ${tableOf(scope, step.target)} ${to} WHERE ${condition} OFFSET 0)`;
}

/**
 * Returns the column of the collection that is compared with the ids of a look-up. Undefined for a group that cannot be
 * looked up.
 */
function keyColumnOf({ steps: [step, ...more], filter }: Group, scope: SqlScope): string | undefined {
  const { alias } = scope.options;
  if (more.length > 0) return undefined;
  if (!step || step.sql.ownerColumn !== undefined) return idSql(filter.root, scope, alias);
  return step.sql.keyColumn === undefined ? undefined : `${alias}.${step.sql.keyColumn}`;
}

/**
 * Makes the SELECT of a look-up. It finds the rows in which at least one field of the group contains the filter text.
 * The filter then compares the column of {@link keyColumnOf} with the found ids.
 */
function keysOf(group: Group, scope: SqlScope): string {
  const [step] = group.steps;
  const alias = scope.alias();
  const contains = `(${anyContains(group, alias, scope)})`;
  const target = step?.target ?? group.filter.root;
  const conditions = [...(step?.sql.where ? [step.sql.where(alias)] : []), contains];
  const rows = `FROM ${tableOf(scope, target)} ${alias} WHERE ${conditions.join(' AND ')}`;
  return step?.sql.ownerColumn === undefined
    ? `SELECT ${idSql(target, scope, alias)} ${rows}`
    : `SELECT DISTINCT ${alias}.${step.sql.ownerColumn} ${rows}`;
}

/** Makes the SQL condition that at least one field of the group contains the text. `alias` is the alias of the row. */
function anyContains({ fields, filter, steps }: Group, alias: string, scope: SqlScope): string {
  const { searchText } = objectOf(scope, steps.at(-1)?.target ?? filter.root);
  const isUsable = searchText !== undefined && !filter.text.includes(SEARCH_TEXT_SEPARATOR);
  const stored = isUsable
    ? fields.filter(({ end }) => end.kind === 'attribute' && searchText.attributes.includes(end.name))
    : [];
  const covers = isUsable && stored.length === searchText.attributes.length;
  const single = (covers ? fields.filter((field) => !stored.includes(field)) : fields).map((field) =>
    fieldContains(field, filter.text, { alias, scope }),
  );
  return [...(covers ? [isInFolded(searchText.sql(alias), filter.text, scope)] : []), ...single].join(' OR ');
}

function fieldContains(
  { end }: Path,
  text: string,
  { alias, scope }: { readonly alias: string; readonly scope: SqlScope },
): string {
  if (end.kind !== 'attribute') throw new Error('expected a filterable field to be a value');
  const { model, settings = {} } = scope.options;
  const attribute = getAttribute(model, end.owner, end.name);
  const value = readValue(attribute, alias, settings);
  if (attribute.many !== true) return containsSql(value, text, scope);
  const element = scope.alias();
  const contains = containsSql({ ...value, sql: `${element}.value` }, text, scope);
  return `EXISTS (SELECT FROM unnest(${value.sql}) AS ${element}(value) WHERE ${contains})`;
}

const idSql = (root: string, scope: SqlScope, alias: string): string =>
  getAttribute(scope.options.model, root, idNameOf(scope.options.model)).sql(alias, scope.options.settings ?? {});

const objectOf = ({ options }: SqlScope, name: string): SqlObject => getSearchObject(options.model, name);

function tableOf(scope: SqlScope, name: string): string {
  const { table } = objectOf(scope, name);
  if (!table) throw new Error(`the object type ${name} has no table of its own`);
  return table;
}
