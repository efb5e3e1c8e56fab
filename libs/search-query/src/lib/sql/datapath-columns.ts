import { type Path, type PathEnd } from '../model/condition.js';
import { stepNames } from '../model/collection-step.js';
import { getAttribute, getRelation, idNameOf } from '../model/search-model.js';
import {
  type SqlAttribute,
  type SqlObject,
  type SqlObjectModel,
  type SqlRelation,
  type SqlSettings,
} from './sql-model.js';

/** Options of `DatapathColumns`. */
export interface DatapathColumnsOptions {
  /** The tables and columns of the object types. */
  readonly model: SqlObjectModel;
  /** Name of the object type with which the datapaths begin. The datapaths themselves leave out this name. */
  readonly root: string;
  /** Alias of the row of the root object in the statement. */
  readonly alias: string;
  /** SQL texts that the expressions of attributes use. Defaults to none. */
  readonly settings?: SqlSettings;
  /** Formats a value for the result, for example a timestamp as text. By default, values are not formatted. */
  readonly format?: (sql: string, attribute: SqlAttribute, canBeNull: boolean) => string;
  /**
   * True to join small tables by a lateral subselect, so that PostgreSQL can cache their rows within the statement
   * (Memoize). Defaults to false.
   */
  readonly remembersSmall?: boolean;
  /**
   * Makes SQL that collects the values of many rows in one. `order` is an ORDER BY clause or empty. Defaults to a JSON
   * array.
   */
  readonly list?: (value: string, order: string) => string;
  /**
   * The formatted values that are computed only once for a row, although they are requested several times. Pass
   * `repeatedValues` of columns with the same requests. Defaults to none: each request then computes its value again.
   */
  readonly shared?: ReadonlySet<string>;
}

interface ColumnOptions {
  readonly isInList?: boolean;
  /** The attribute or object at the end of the path, when the caller knows it. */
  readonly end?: PathEnd;
}

/** A row that the statement joins. */
interface JoinedRow {
  readonly alias: string;
  readonly type: SqlObject;
}

/**
 * Turns datapaths into SQL columns of one statement. Datapaths with a common beginning share its joins. A to-many step
 * becomes a correlated subselect that returns a JSON array, so that rows are never duplicated. Further to-many steps
 * belong to the same subselect, so the values of a datapath are one flat list.
 *
 * All datapaths must exist in the model. A datapath of a client must have passed `resolveDatapath`.
 */
export class DatapathColumns {
  readonly #joins = new Map<string, { readonly alias: string; readonly text: string }>();
  /** Aliases of rows that can be missing. Rows that are joined to them need a LEFT JOIN, too. */
  readonly #optional = new Set<string>();
  /** ORDER BY expressions of the to-many steps after the first one of a list. */
  readonly #orders: string[] = [];
  /** Maps the SQL of each formatted value to the number of its requests. */
  readonly #requests = new Map<string, number>();
  /** Maps the SQL of a shared value to its column in the join that computes all shared values. */
  readonly #shared = new Map<string, string>();

  constructor(private readonly options: DatapathColumnsOptions) {}

  /**
   * Returns the expression for the value of a datapath such as `user.firstname`, or for a JSON array when it is
   * to-many.
   * @param format formats this value; defaults to the option `format`
   * @throws {DatapathSyntaxError} when the text is no datapath
   * @throws {Error} when the model does not have the datapath
   */
  column(path: string, format = this.options.format): string {
    return this.#once(this.#column(stepNames(this.options.model, path), format));
  }

  /**
   * Like `column`, for the path of a search or sort key. The path states its end, so the model need not know a key at
   * the end.
   * @throws {DatapathSyntaxError} when the text is no datapath
   */
  columnOf({ datapath, end }: Pick<Path, 'datapath' | 'end'>, format = this.options.format): string {
    return this.#once(this.#column(stepNames(this.options.model, datapath), format, { end }));
  }

  /**
   * Like `column`, but without a format. Null when the value is missing.
   * @throws {DatapathSyntaxError} when the text is no datapath
   */
  value(path: string): string {
    return this.#column(stepNames(this.options.model, path), undefined);
  }

  #column(
    names: readonly string[],
    format: DatapathColumnsOptions['format'],
    { isInList = false, end }: ColumnOptions = {},
  ): string {
    const last = names[names.length - 1] ?? '';
    let alias = this.options.alias;
    let type = this.#type(this.options.root);
    for (const [index, name] of names.slice(0, -1).entries()) {
      const relation = getRelation(this.options.model, type.name, name);
      if (relation.many && !isInList) {
        return this.#elements(relation, alias, (columns) =>
          columns.#column(names.slice(index + 1), format, { isInList: true, ...(end && { end }) }),
        );
      }
      const owner = type;
      type = this.#type(relation.target);
      const byKey =
        index === names.length - 2
          ? this.#fromKey(getAttribute(this.options.model, type.name, last), last, { relation, alias })
          : undefined;
      if (byKey) return format ? format(...byKey) : byKey[0];
      alias = this.#step(names.slice(0, index + 1).join('.'), relation, { alias, type: owner });
    }
    const attribute =
      end?.kind === 'attribute'
        ? getAttribute(this.options.model, end.owner, end.name)
        : getAttribute(this.options.model, type.name, last);
    const read = this.#fromRow(attribute.sql(alias, this.options.settings ?? {}), type, alias);
    const sql = attribute.readsOtherRows === true ? this.#computed(read) : read;
    if (isInList && attribute.many) {
      const value = this.#valuesOf(sql);
      return format ? format(value, { ...attribute, many: false }, true) : value;
    }
    return format ? format(sql, attribute, attribute.isRequired !== true || this.#optional.has(alias)) : sql;
  }

  /**
   * Returns an expression that reads an attribute from the foreign key instead of the row of the target. Only the id
   * and attributes with `sqlOfId` can be read in this way.
   */
  #fromKey(
    attribute: SqlAttribute,
    name: string,
    { relation, alias }: { readonly relation: SqlRelation; readonly alias: string },
  ): Parameters<NonNullable<DatapathColumnsOptions['format']>> | undefined {
    if (relation.column === undefined || (name !== idNameOf(this.options.model) && !attribute.sqlOfId))
      return undefined;
    const key = `${alias}.${relation.column}`;
    const sql = name === idNameOf(this.options.model) ? key : attribute.sqlOfId?.(key, this.options.settings ?? {});
    return sql === undefined ? undefined : [sql, attribute, relation.isRequired !== true || this.#optional.has(alias)];
  }

  /**
   * Returns a JSON array with one value for each element of a to-many relation of the root.
   * @param build  returns the value of one element from its columns
   */
  elements(relation: string, build: (columns: DatapathColumns) => string): string {
    return this.#elements(getRelation(this.options.model, this.options.root, relation), this.options.alias, build);
  }

  /** The joins for all columns that were requested so far, one on each line. */
  get joins(): string {
    const values = [...this.#shared].map(([sql, name]) => `${sql} AS ${name}`);
    // Without OFFSET 0, PostgreSQL could copy the expressions back to all places that use them.
    const shared =
      values.length > 0 ? [`CROSS JOIN LATERAL (SELECT ${values.join(', ')} OFFSET 0) ${this.#alias}`] : [];
    return [...[...this.#joins.values()].map(({ text }) => text), ...shared].join('\n');
  }

  /** The formatted values that were requested more than once, for the option `shared`. */
  get repeatedValues(): ReadonlySet<string> {
    return new Set([...this.#requests].flatMap(([sql, count]) => (count > 1 ? [sql] : [])));
  }

  get #alias(): string {
    return `${this.options.alias}_s`;
  }

  /** Returns the name of a shared value instead of its expression. A plain column is not shared. */
  #once(sql: string): string {
    if (PLAIN.test(sql)) return sql;
    this.#requests.set(sql, (this.#requests.get(sql) ?? 0) + 1);
    if (!this.options.shared?.has(sql)) return sql;
    const name = this.#shared.get(sql) ?? `v${this.#shared.size}`;
    this.#shared.set(sql, name);
    return `${this.#alias}.${name}`;
  }

  /**
   * Computes an expression once for each row, in a lateral join. PostgreSQL caches the results for equal rows
   * (Memoize).
   */
  #computed(sql: string): string {
    const alias = this.#joins.get(sql)?.alias ?? `${this.options.alias}_${this.#joins.size + 1}`;
    this.#joins.set(sql, { alias, text: `CROSS JOIN LATERAL (SELECT ${sql} AS value OFFSET 0) ${alias}` });
    return `${alias}.value`;
  }

  /** Makes a row from each value of an array, in the order of the array. An empty or missing array makes no row. */
  #valuesOf(array: string): string {
    const alias = `${this.options.alias}_${this.#joins.size + 1}`;
    this.#joins.set(`values of ${array}`, {
      alias,
      text: `CROSS JOIN LATERAL unnest(${array}) WITH ORDINALITY ${alias} (value, place)`,
    });
    this.#orders.push(`${alias}.place`);
    return `${alias}.value`;
  }

  /**
   * Makes a computed value null when its row is missing. Otherwise a count would be 0, and a CASE could return the
   * value of its ELSE.
   */
  #fromRow(sql: string, type: SqlObject, alias: string): string {
    if (!this.#optional.has(alias) || PLAIN.test(sql)) return sql;
    return `CASE WHEN ${this.#isThere({ alias, type })} THEN ${sql} END`;
  }

  #isThere({ alias, type }: JoinedRow): string {
    const id = type.attributes[idNameOf(this.options.model)];
    return `${id?.sql(alias, this.options.settings ?? {}) ?? `${alias}.ctid`} IS NOT NULL`;
  }

  #step(key: string, relation: SqlRelation, owner: JoinedRow): string {
    const from = owner.alias;
    if (!relation.join) return from;
    const known = this.#joins.get(key);
    if (known) return known.alias;
    const alias = `${this.options.alias}_${this.#joins.size + 1}`;
    const target = this.#type(relation.target);
    const table = tableOf(target);
    const join = relation.join(from, alias);
    const isInner = relation.many === true || (relation.isRequired === true && !this.#optional.has(from));
    if (!isInner) this.#optional.add(alias);
    if (relation.many && relation.orderBy) this.#orders.push(relation.orderBy(alias));
    if (this.options.remembersSmall === true && target.isSmall === true && isInner && !relation.many) {
      this.#joins.set(key, {
        alias,
        text: `CROSS JOIN LATERAL (SELECT * FROM ${table} ${alias} WHERE ${join} OFFSET 0) ${alias}`,
      });
      return alias;
    }
    // The foreign key already implies that the row `from` exists. PostgreSQL 18 still needs this condition when rows
    // share a constant id: otherwise the join would find rows although `from` is missing.
    const isThere = this.#optional.has(from) ? ` AND ${this.#isThere(owner)}` : '';
    this.#joins.set(key, {
      alias,
      text: `${isInner ? 'JOIN' : 'LEFT JOIN'} ${table} ${alias} ON ${join}${isThere}`,
    });
    return alias;
  }

  #elements(relation: SqlRelation, from: string, build: (columns: DatapathColumns) => string): string {
    if (!relation.join)
      throw new Error(`the to-many relation to ${relation.target} cannot be joined: it needs a subquery`);
    const alias = `${from}_m`;
    const columns = new DatapathColumns({ ...this.options, shared: NONE, root: relation.target, alias });
    const value = build(columns);
    const orders = [...(relation.orderBy ? [relation.orderBy(alias)] : []), ...columns.#orders];
    const order = orders.length > 0 ? ` ORDER BY ${orders.join(', ')}` : '';
    const source = [`${tableOf(this.#type(relation.target))} ${alias}`, columns.joins].filter(Boolean).join(' ');
    const list = this.options.list ?? jsonArray;
    return `(SELECT ${list(value, order)} FROM ${source} WHERE ${relation.join(from, alias)})`;
  }

  #type(name: string): SqlObject {
    const type = this.options.model.type(name);
    if (!type) throw new Error(`the object model has no type ${name}`);
    return type;
  }
}

/** Matches the name of a column, possibly in parentheses. */
const PLAIN = /^\(?\w+\.\w+\)?$/;

const NONE: ReadonlySet<string> = new Set();

const jsonArray = (value: string, order: string): string => `coalesce(json_agg(${value}${order}), '[]')`;

function tableOf(type: SqlObject): string {
  if (!type.table) throw new Error(`the object type ${type.name} has no table of its own`);
  return type.table;
}
