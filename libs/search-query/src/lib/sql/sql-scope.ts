import { type Comparison, type Path } from '../model/condition.js';
import { type SqlObjectModel, type SqlSettings } from './sql-model.js';

/** The values of a statement, in the order of their numbers. Share one between the parts of a statement. */
export class SqlParameters {
  readonly #values: unknown[] = [];

  /** @returns how the statement names the value: `$1`, `$2`, … */
  add(value: unknown): string {
    return `$${String(this.#values.push(value))}`;
  }

  get values(): readonly unknown[] {
    return this.#values;
  }
}

/**
 * A part of a condition whose rows are looked up before the condition is compiled: a comparison, or the first field of
 * a group of filter fields.
 */
export type LookupKey = Comparison | Path;

/** The ids of the rows that fulfil a part of a condition; null when there are more than `SEARCH_LIMITS.lookupIds`. */
export type Lookups = ReadonlyMap<LookupKey, readonly string[] | null>;

/** A SELECT of one column of ids. Its values are among the parameters of the whole statement. */
export interface Lookup {
  readonly key: LookupKey;
  readonly select: string;
}

export interface SqlOptions {
  readonly model: SqlObjectModel;
  /** Alias of the collection's row in the statement. */
  readonly alias: string;
  readonly settings: SqlSettings;
  readonly parameters: SqlParameters;
  /** Ids that have been looked up beforehand, see `compileLookupsSql`. */
  readonly lookups?: Lookups | undefined;
}

/** What the compiling functions share: the model, the parameters and fresh aliases. */
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

/** An expression that is true, false or, when it `canBeNull`, null for false. */
export interface SqlCondition {
  readonly text: string;
  readonly canBeNull: boolean;
}

/** The negation of a two-valued condition: what is null counts as false and becomes true. */
export const negate = ({ text, canBeNull }: SqlCondition): SqlCondition => ({
  text: canBeNull ? `(${text}) IS NOT TRUE` : `NOT (${text})`,
  canBeNull: false,
});

/** Safe beside any operator. */
export const inParentheses = (sql: string): string => (/^[\w.]+$/.test(sql) ? sql : `(${sql})`);
