import { type Path, type PathEnd } from '../model/condition.js';
import { stepNames } from '../model/form-data.js';
import { getAttribute, getRelation } from '../model/search-model.js';
import {
  type SqlAttribute,
  type SqlObject,
  type SqlObjectModel,
  type SqlRelation,
  type SqlSettings,
} from './sql-model.js';

export interface DatapathColumnsOptions {
  readonly model: SqlObjectModel;
  /** Name of the object type that the datapaths start from, without it in their text. */
  readonly root: string;
  /** Alias of the root's row in the statement. */
  readonly alias: string;
  readonly settings: SqlSettings;
  /** How a value leaves the database, for example moments as text; as it is unless told. */
  readonly format?: (sql: string, attribute: SqlAttribute, canBeNull: boolean) => string;
  /** Rows of small tables are looked up one by one, so that PostgreSQL remembers those that it has seen in the statement. */
  readonly remembersSmall?: boolean;
  /** Gathers the values of many rows, with an ORDER BY or nothing; a JSON array of what they are unless told. */
  readonly list?: (value: string, order: string) => string;
}

interface ColumnOptions {
  readonly isInList?: boolean;
  /** What the path ends on, where that is known. */
  readonly end?: PathEnd;
}

/** A row that has been reached. */
interface Place {
  readonly alias: string;
  readonly type: SqlObject;
}

/**
 * Turns datapaths into SQL columns of one statement. Datapaths that share a beginning share its joins; a step to many
 * becomes a correlated subselect that gives a JSON array, so rows are never doubled. A second one belongs to the same
 * subselect: the values of a datapath are one list, however many lists it goes through.
 *
 * The texts must be datapaths that the model knows: those of the program, or a client's after `resolveDatapath`.
 */
export class DatapathColumns {
  readonly #joins = new Map<string, { readonly alias: string; readonly text: string }>();
  /** Aliases that a missing row makes null: a join from there must keep the rows too. */
  readonly #optional = new Set<string>();
  /** Of the further lists that a list goes through. */
  readonly #orders: string[] = [];

  constructor(private readonly options: DatapathColumnsOptions) {}

  /**
   * The expression for the value at a datapath such as `user.firstname`; an array of JSON for a path through a to-many.
   * @param format  of this value, where it leaves the database in another way than the rest
   */
  column(path: string, format = this.options.format): string {
    return this.#column(stepNames(path), format);
  }

  /** The same for the path of a key: where it ends is known, also to a model that does not know the items of forms. */
  columnOf({ datapath, end }: Pick<Path, 'datapath' | 'end'>, format = this.options.format): string {
    return this.#column(stepNames(datapath), format, { end });
  }

  /** The same before it is formatted: null where the value is missing. */
  value(path: string): string {
    return this.#column(stepNames(path), undefined);
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
          ? this.#ofKey(getAttribute(this.options.model, type.name, last), last, { relation, alias })
          : undefined;
      if (byKey) return format ? format(...byKey) : byKey[0];
      alias = this.#step(names.slice(0, index + 1).join('.'), relation, { alias, type: owner });
    }
    const attribute =
      end?.kind === 'attribute'
        ? getAttribute(this.options.model, end.owner, end.name)
        : getAttribute(this.options.model, type.name, last);
    const sql = this.#ofRow(attribute.sql(alias, this.options.settings), type, alias);
    return format ? format(sql, attribute, attribute.isRequired !== true || this.#optional.has(alias)) : sql;
  }

  /** What a foreign key says of its target: the id, and what follows from it. */
  #ofKey(
    attribute: SqlAttribute,
    name: string,
    { relation, alias }: { readonly relation: SqlRelation; readonly alias: string },
  ): Parameters<NonNullable<DatapathColumnsOptions['format']>> | undefined {
    if (relation.column === undefined || (name !== 'id' && !attribute.sqlOfId)) return undefined;
    const key = `${alias}.${relation.column}`;
    const sql = name === 'id' ? key : attribute.sqlOfId?.(key, this.options.settings);
    return sql === undefined ? undefined : [sql, attribute, relation.isRequired !== true || this.#optional.has(alias)];
  }

  /**
   * A JSON array with one value for each element of a relation to many of the root.
   * @param build  makes the value from the columns of one element
   */
  elements(relation: string, build: (columns: DatapathColumns) => string): string {
    return this.#elements(getRelation(this.options.model, this.options.root, relation), this.options.alias, build);
  }

  /** The joins that the columns asked for so far need, each on a line of its own. */
  get joins(): string {
    return [...this.#joins.values()].map(({ text }) => text).join('\n');
  }

  /** What is computed can have a value even where the row it is computed from is missing: a count of 0, the ELSE of a CASE. */
  #ofRow(sql: string, type: SqlObject, alias: string): string {
    if (!this.#optional.has(alias) || /^\w+\.\w+$/.test(sql)) return sql;
    return `CASE WHEN ${this.#isThere({ alias, type })} THEN ${sql} END`;
  }

  #isThere({ alias, type }: Place): string {
    return `${type.attributes['id']?.sql(alias, this.options.settings) ?? `${alias}.ctid`} IS NOT NULL`;
  }

  #step(key: string, relation: SqlRelation, owner: Place): string {
    const from = owner.alias;
    if (!relation.join) return from;
    const known = this.#joins.get(key);
    if (known) return known.alias;
    const alias = `${this.options.alias}_${this.#joins.size + 1}`;
    const target = this.#type(relation.target);
    const table = tableOf(target);
    const isInner = relation.many === true || (relation.isRequired === true && !this.#optional.has(from));
    if (!isInner) this.#optional.add(alias);
    if (relation.many && relation.orderBy) this.#orders.push(relation.orderBy(alias));
    if (this.options.remembersSmall === true && target.isSmall === true && isInner && !relation.many) {
      this.#joins.set(key, {
        alias,
        text: `CROSS JOIN LATERAL (SELECT * FROM ${table} ${alias} WHERE ${relation.join(from, alias)} OFFSET 0) ${alias}`,
      });
      return alias;
    }
    // Said, though the key says it: PostgreSQL 18 joins past a missing row when rows share an id that is a constant.
    const isThere = this.#optional.has(from) ? ` AND ${this.#isThere(owner)}` : '';
    this.#joins.set(key, {
      alias,
      text: `${isInner ? 'JOIN' : 'LEFT JOIN'} ${table} ${alias} ON ${relation.join(from, alias)}${isThere}`,
    });
    return alias;
  }

  #elements(relation: SqlRelation, from: string, build: (columns: DatapathColumns) => string): string {
    if (!relation.join)
      throw new Error(`the relation to ${relation.target} leads to many and does not say how it joins`);
    const alias = `${from}_m`;
    const columns = new DatapathColumns({ ...this.options, root: relation.target, alias });
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

const jsonArray = (value: string, order: string): string => `coalesce(json_agg(${value}${order}), '[]')`;

function tableOf(type: SqlObject): string {
  if (!type.table) throw new Error(`the object type ${type.name} has no table of its own`);
  return type.table;
}
