import { type CheckedTree, type DateClock } from '@ats/datapath';
import { type ExpressionCondition, type Path } from '../model/condition.js';
import { getAttribute, getRelation, getSearchObject, idNameOf } from '../model/search-model.js';
import { type SqlScope } from './sql-scope.js';
import { readValue, type SqlValue } from './value-sql.js';

/** Rows that a comparison reads in addition to the row of the item. */
export interface Source {
  /** The text of the rows in a FROM clause: a table with an alias, a join or a subselect. */
  readonly from: string;
  /** The condition that joins these rows to the row of the item. `true` when there is none. */
  readonly on: string;
  /** Present when the row of the item has the id of a row in a small table. That table is the first one in `from`. */
  readonly small?: SmallSource;
}

/** Links the row of the item to a row of a small table. */
export interface SmallSource {
  /** The column in the row of the item that has the id. */
  readonly column: string;
  /** The id column of the small table. */
  readonly id: string;
  /** A further condition on the row of the small table. `true` when there is none. */
  readonly where: string;
}

/** The state of the compilation of one comparison: the rows that it reads so far. */
export class ComparisonScope {
  readonly sources: Source[] = [];

  constructor(
    readonly scope: SqlScope,
    readonly expression: ExpressionCondition,
    /**
     * True when null can satisfy the comparison. A path without values then has the value null. If false, rows without
     * a value are left out, so that PostgreSQL can use indexes.
     */
    readonly keepsNull: boolean,
  ) {}

  get clock(): DateClock | undefined {
    return this.expression.clock;
  }

  /** The IANA name of the time zone. @throws {Error} when the expression has no clock */
  get timeZone(): string {
    if (!this.clock) throw new Error('expected a clock, because the expression uses the time zone');
    return this.clock.timeZone;
  }

  /** Returns the value of a path. Adds the rows that have the value to `sources`. */
  value(operand: Extract<CheckedTree.Operand, { kind: 'path' }>): SqlValue {
    const path = this.expression.paths[operand.index];
    if (!path) throw new Error(`the expression does not read the datapath ${operand.path.text}`);
    return new PathReader(this, path).read();
  }

  /**
   * Returns a SELECT of ids from a small table: the ids of the rows for which the test is true. Returns undefined when
   * the comparison reads other rows, too, or no small table.
   */
  lookup(test: string): string | undefined {
    const [source, ...others] = this.sources;
    if (!source?.small || others.length > 0) return undefined;
    const { id, where } = source.small;
    return `SELECT ${id} FROM ${source.from} WHERE ${where === 'true' ? '' : `${where} AND `}(${test})`;
  }

  /**
   * Makes the condition of the comparison from its test. It is true when any combination of values satisfies the test.
   */
  any(test: string): string {
    if (this.sources.length === 0) return test;
    if (!this.keepsNull) {
      const from = this.sources.map((source) => source.from).join(' CROSS JOIN ');
      const where = [...this.sources.map(({ on }) => on).filter((on) => on !== 'true'), `(${test})`].join(' AND ');
      return `EXISTS (SELECT FROM ${from} WHERE ${where})`;
    }
    const from = this.sources.map((source) => `LEFT JOIN LATERAL ${source.from} ON true`).join(' ');
    return `EXISTS (SELECT FROM (SELECT) ${this.scope.alias()} ${from} WHERE ${test})`;
  }
}

class PathReader {
  readonly #joins: string[] = [];
  #small: SmallSource | undefined;
  #on = 'true';
  #alias: string;
  /** True when the row with the alias `#alias` can be missing. */
  #isOptional = false;
  #type: string;

  constructor(
    private readonly comparison: ComparisonScope,
    private readonly path: Path,
  ) {
    this.#alias = comparison.scope.options.alias;
    this.#type = path.root;
  }

  read(): SqlValue {
    const { steps, end } = this.path;
    if (end.kind !== 'attribute')
      throw new Error(`the datapath ${this.path.datapath} must end at a value, not at an object`);
    const { model, settings = {} } = this.comparison.scope.options;
    const key = this.#followSteps(end.name === idNameOf(model) ? steps.length - 1 : -1);
    const attribute = getAttribute(model, end.owner, end.name);
    const value = readValue(attribute, this.#alias, settings);
    if (key !== undefined) return this.#placed({ ...value, sql: key });
    const sql = this.#ofPresentRow(value.sql);
    if (attribute.many !== true) return this.#placed({ ...value, sql });
    const element = this.comparison.scope.alias();
    const { sqlType: _type, folded: _folded, ...single } = value;
    this.#add(`unnest(${sql}) AS ${element}(value)`, 'true', true);
    return this.#placed({ ...single, sql: `${element}.value` });
  }

  /**
   * Joins the rows to which the steps lead.
   * @param keyStep index of the step whose row is not needed when its owner has a foreign key to it; -1 for none
   * @returns the column with the foreign key, when the row of `keyStep` was not joined; otherwise undefined
   */
  #followSteps(keyStep: number): string | undefined {
    const { model } = this.comparison.scope.options;
    for (const [index, step] of this.path.steps.entries()) {
      const relation = getRelation(model, step.owner, step.relation);
      const target = getSearchObject(model, step.target);
      if (index === keyStep && !step.many && relation.column !== undefined) return `${this.#alias}.${relation.column}`;
      this.#type = step.target;
      if (!relation.join) continue;
      if (target.table === undefined) throw new Error(`the object type ${target.name} has no table of its own`);
      const to = this.comparison.scope.alias();
      if (this.#joins.length === 0 && target.isSmall && !step.many && relation.keyColumn !== undefined)
        this.#small = {
          column: `${this.#alias}.${relation.keyColumn}`,
          id: `${to}.${model.idColumn ?? 'id'}`,
          where: relation.where?.(to) ?? 'true',
        };
      this.#add(`${target.table} ${to}`, relation.join(this.#alias, to), step.many);
      this.#alias = to;
    }
    return undefined;
  }

  #add(item: string, on: string, isMany: boolean): void {
    const isFirst = this.#joins.length === 0;
    const isInner = isFirst || isMany || !this.comparison.keepsNull;
    if (isFirst) this.#on = on;
    this.#joins.push(isFirst ? item : `${isInner ? 'JOIN' : 'LEFT JOIN'} ${item} ON ${on}`);
    this.#isOptional = !isInner;
  }

  /** Makes a computed value null when its row is missing. Otherwise a count would be 0. */
  #ofPresentRow(sql: string): string {
    if (!this.#isOptional || /^\(?\w+\.\w+\)?$/.test(sql)) return sql;
    const { model, settings = {} } = this.comparison.scope.options;
    const id = getSearchObject(model, this.#type).attributes[idNameOf(model)];
    return `CASE WHEN ${id?.sql(this.#alias, settings) ?? `${this.#alias}.ctid`} IS NOT NULL THEN ${sql} END`;
  }

  #placed(value: SqlValue): SqlValue {
    const [first, ...others] = this.#joins;
    if (first === undefined) return value;
    const from = [first, ...others].join(' ');
    if (!this.comparison.keepsNull) {
      this.comparison.sources.push({
        from: others.length === 0 ? from : `(${from})`,
        on: this.#on,
        ...(this.#small && { small: this.#small }),
      });
      return value;
    }
    const alias = this.comparison.scope.alias();
    this.comparison.sources.push({
      from: `(SELECT ${value.sql} AS value FROM ${from} WHERE ${this.#on}) ${alias}`,
      on: 'true',
    });
    const { folded: _folded, ...plain } = value;
    return { ...plain, sql: `${alias}.value` };
  }
}
