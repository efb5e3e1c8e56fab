/**
 * Limits of search parameters. Each limit is checked before the work that it limits, so that hostile text costs little.
 * The parameters of a request and those of its stored searches are counted together.
 * Source: docs/reference/search.md, "Limits".
 */
export const SEARCH_LIMITS = Object.freeze({
  /** Maximum number of `search` parameters in a request. Each may read another table. */
  conditions: 20,
  /** Maximum number of `sort` parameters in a request. */
  sortKeys: 8,
  /**
   * Maximum number of relations in all conditions and sort keys of a request together. Each makes the statement slower
   * to plan.
   */
  steps: 60,
  /** Maximum length of one parameter, in UTF-16 units. It is enough for a list of a thousand ids. */
  textLength: 32_768,
  /** Maximum length of one value, in UTF-16 units. Columns that are compared as a whole never contain a longer text. */
  valueLength: 4_096,
  /** Maximum number of values in one list. */
  listItems: 1_000,
  /** Maximum length of the `filter` parameter, in UTF-16 units. */
  filterLength: 200,
  /** Maximum number of values in all conditions of a request together. */
  values: 4_000,
  /** Maximum length of all values in a request together, in UTF-16 units. */
  valuesLength: 81_920,
  /**
   * Maximum number of significant digits of a decimal. With up to 15 digits, different decimals are different doubles.
   */
  decimalDigits: 15,
  /**
   * Maximum number of ids that a look-up may pass to the statement as a list. With more ids, the statement uses a
   * subselect.
   */
  lookupIds: 1_000,
  /**
   * Maximum number of days by which an expression may move the dates and timestamps of items. PostgreSQL can represent
   * all results.
   */
  shiftDays: 1_000_000,
  /** Maximum number of values of one list that are reported as violations. Reading stops after them. */
  listViolations: 10,
} as const);

/**
 * The limits of a request that a host may set. Those of a single parameter are fixed, because they keep reading cheap.
 */
export type RequestLimits = Readonly<Record<'conditions' | 'sortKeys' | 'steps' | 'values' | 'valuesLength', number>>;
