// @ts-check

/** Where the ids of the demo data begin in each table: behind what an installation makes for itself. */
export const FIRST_ID = 1_001;
