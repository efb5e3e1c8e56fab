import { type Database } from '@ats/postgres';

/** Number of connections of each name, as if as many processes ran. */
const PROCESSES = 4;

/**
 * Returns a view of a database in which calls of the same frequent statement can run at the same time. In one process,
 * they would share a connection and run one after the other.
 */
export function asSeveralProcesses(database: Database): Database {
  let calls = 0;
  const view: Pick<Database, 'query' | 'dedicated'> = {
    query: (text, parameters) => database.query(text, parameters),
    dedicated: (name) => database.dedicated(`${name} ${calls++ % PROCESSES}`),
  };
  return view as Database;
}
