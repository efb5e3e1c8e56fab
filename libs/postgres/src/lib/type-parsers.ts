import pg from 'pg';

const NUMERIC_TYPES = new Set<number>([pg.types.builtins.INT8, pg.types.builtins.NUMERIC]);

/**
 * Reads `bigint` and `numeric` as numbers. Ids and counts stay far below 2^53, and all JSON readers read smaller
 * numbers alike. Reads `date` as a text `YYYY-MM-DD`, because a `Date` could be another day in some time zones.
 */
export const typeParsers = {
  getTypeParser(oid: number, format?: 'text' | 'binary'): (text: string) => unknown {
    if (NUMERIC_TYPES.has(oid)) return Number;
    if (oid === Number(pg.types.builtins.DATE)) return (text) => text;
    return pg.types.getTypeParser(oid, format) as (text: string) => unknown;
  },
};
