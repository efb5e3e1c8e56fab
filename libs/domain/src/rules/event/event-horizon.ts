import { type Database, idHorizon } from '@ats/postgres';
import { EVENT_LOCK } from './record-event.js';

/** The id up to which the list of events is complete, see `idHorizon`. */
export const eventHorizon = (database: Database): Promise<number> =>
  idHorizon(database, { table: 'domain_events', lock: EVENT_LOCK });
