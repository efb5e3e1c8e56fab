/**
 * The greatest sizes that are read. Every one is checked before the work that it bounds, so that hostile text costs little.
 * Each condition may cost a visit of a table: twenty say all that people ask for.
 */
export const SEARCH_LIMITS = {
  /** `search` parameters of a request. */
  conditions: 20,
  /** `sort` parameters of a request. */
  sortKeys: 8,
  /** Relations that all conditions and sort keys of a request follow together: the plan of a statement costs more with each. */
  steps: 60,
  /** UTF-16 units of one parameter: a list of a thousand ids fits. */
  textLength: 32_768,
  /** UTF-16 units of one value: no column that is compared as a whole holds more. */
  valueLength: 4_096,
  /** Values of one list. */
  listItems: 1_000,
  /** UTF-16 units of the `filter` parameter. */
  filterLength: 200,
  /** Significant digits of a decimal: two such numbers that differ are different doubles too. */
  decimalDigits: 15,
  /** Ids that are named in a statement, once they have been looked up; more are left to a subselect. */
  lookupIds: 1_000,
  /** Faulty values of one list that are told one by one. */
  listFaults: 10,
} as const;
