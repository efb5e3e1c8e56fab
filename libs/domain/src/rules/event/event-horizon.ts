import { ADVISORY_LOCKS, type Database, idHorizon } from '@ats/postgres';

/** The id up to which the list of events is complete, see `idHorizon`. */
export const eventHorizon = (database: Database): Promise<number> =>
  idHorizon(database, { table: 'domain_events', lock: ADVISORY_LOCKS.events });
