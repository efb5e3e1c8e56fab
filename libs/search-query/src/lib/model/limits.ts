/**
 * Limits of search parameters. Each is checked before the work that it bounds, so that hostile text costs little. The
 * limits of a request count its own parameters and those of its stored searches together.
 * Source: docs/reference/search.md, "Limits".
 */
export const SEARCH_LIMITS = Object.freeze({
  /** `search` parameters in a request. Each may read another table. */
  conditions: 20,
  /** `sort` parameters in a request. */
  sortKeys: 8,
  /** Relations in all conditions and sort keys of a request together. Each makes the statement slower to plan. */
  steps: 60,
  /** Length of one parameter, in UTF-16 units. A list of a thousand ids fits. */
  textLength: 32_768,
  /** Length of one value, in UTF-16 units. Columns that are compared as a whole never contain a longer text. */
  valueLength: 4_096,
  /** Values in one list. */
  listItems: 1_000,
  /** Length of the `filter` parameter, in UTF-16 units. */
  filterLength: 200,
  /** Values in all conditions of a request together. */
  values: 4_000,
  /** Length of all values in a request together, in UTF-16 units. */
  valuesLength: 81_920,
  /** Significant digits of a decimal. Up to 15 digits, different decimals are different doubles. */
  decimalDigits: 15,
  /** Ids that a look-up may pass to the statement as a list. With more ids the statement uses a subselect. */
  lookupIds: 1_000,
  /** Days by which an expression may move the dates and timestamps of items. PostgreSQL can hold all results. */
  shiftDays: 1_000_000,
  /** Values of one list that are reported as violations. Reading stops after them. */
  listViolations: 10,
} as const);

/** The limits of a request that a host may set. Those of one parameter are fixed, because they keep reading cheap. */
export type RequestLimits = Readonly<Record<'conditions' | 'sortKeys' | 'steps' | 'values' | 'valuesLength', number>>;
