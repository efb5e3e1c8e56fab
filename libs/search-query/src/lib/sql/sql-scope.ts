import { type CheckedTree } from '@ats/datapath';
import { type Comparison, type Path } from '../model/condition.js';
import { type SqlObjectModel, type SqlSettings } from './sql-model.js';

/** The values of the parameters of one statement. All parts of the statement share one object. */
export class SqlParameters {
  readonly #values: unknown[] = [];

  /**
   * Adds a value.
   * @returns the name of its parameter in the statement: `$1`, `$2`, …
   */
  add(value: unknown): string {
    return `$${String(this.#values.push(value))}`;
  }

  /** The values of all parameters, in the order of their numbers. */
  get values(): readonly unknown[] {
    return this.#values;
  }
}

/**
 * Identifies a part of a condition that a look-up serves: a comparison, the first field of a group of filter fields, or
 * a comparison in an expression.
 */
export type LookupKey = Comparison | Path | CheckedTree.Condition;

/**
 * Maps each part of a condition to the ids of the rows that match it. Null when more than `SEARCH_LIMITS.lookupIds`
 * rows match.
 */
export type Lookups = ReadonlyMap<LookupKey, readonly string[] | null>;

/** A SELECT of one column of ids. Its values are parameters of the whole statement. */
export interface Lookup {
  readonly key: LookupKey;
  readonly select: string;
}

/** Options of the functions that compile SQL. */
export interface SqlOptions {
  /** The tables and columns of the object types. */
  readonly model: SqlObjectModel;
  /** The alias of the row of an item in the statement. */
  readonly alias: string;
  /** SQL texts that the expressions of attributes use. Defaults to none. */
  readonly settings?: SqlSettings;
  /** Collects the values of the parameters of the statement. */
  readonly parameters: SqlParameters;
  /** The result of the look-ups, see `compileLookupsSql`. Defaults to no look-ups. */
  readonly lookups?: Lookups | undefined;
}

/** The state of one compilation: the options and a counter for unique aliases. */
export class SqlScope {
  #aliases = 0;

  constructor(readonly options: SqlOptions) {}

  alias(): string {
    return `${this.options.alias}_c${String(++this.#aliases)}`;
  }

  parameter(value: unknown, type: string): string {
    return `${this.options.parameters.add(value)}::${type}`;
  }
}

/** A boolean SQL expression. If `canBeNull` is true, it can be null, which means false. */
export interface SqlCondition {
  readonly text: string;
  readonly canBeNull: boolean;
}

/** Negates a condition. Null counts as false, so the negation of null is true. */
export const negate = ({ text, canBeNull }: SqlCondition): SqlCondition => ({
  text: canBeNull ? `(${text}) IS NOT TRUE` : `NOT (${text})`,
  canBeNull: false,
});

/** Puts an expression in parentheses, unless it is a plain column name. */
export const inParentheses = (sql: string): string => (/^[\w.]+$/.test(sql) ? sql : `(${sql})`);
