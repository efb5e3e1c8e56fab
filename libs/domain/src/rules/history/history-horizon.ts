import { ADVISORY_LOCKS, type Database, idHorizon } from '@ats/postgres';

/** The id up to which the history is complete, see `idHorizon`. */
export const historyHorizon = (database: Database): Promise<number> =>
  idHorizon(database, { table: 'history_entries', lock: ADVISORY_LOCKS.history });
