import { type Database, idHorizon } from '@ats/postgres';
import { HISTORY_LOCK } from './history.js';

/** The id up to which the history is complete, see `idHorizon`. */
export const historyHorizon = (database: Database): Promise<number> =>
  idHorizon(database, { table: 'history_entries', lock: HISTORY_LOCK });
