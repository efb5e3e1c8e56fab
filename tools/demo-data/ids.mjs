// @ts-check

/** The first id of the demo data in each table, above the rows that migrations create. */
export const FIRST_ID = 1_001;
