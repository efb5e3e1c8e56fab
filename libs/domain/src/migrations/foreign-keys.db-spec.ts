import { expect, it } from '@jest/globals';
import { useTestDatabase } from '../../test/test-database.js';

const own = useTestDatabase();

/** Foreign keys that need no index, by name. */
const EXEMPT: Readonly<Record<string, string>> = {
  fk_credentials_recruiter: 'credentials are few',
  fk_credentials_user: 'credentials are few',
  fk_notification_endpoints_credential: 'endpoints are few',
  fk_state_moves_to: 'states are never deleted',
  fk_history_entries_from_state: 'states are never deleted',
  fk_history_entries_to_state: 'states are never deleted',
  fk_opportunities_state: 'states are never deleted',
  fk_opportunities_process: 'processes are never deleted',
  fk_opportunities_system: 'systems are never deleted',
};

it('each foreign key has an index, so that a deletion does not read whole tables', async () => {
  const missing = await own.database.query<{ name: string }>(
    // An index helps when it begins with the columns of the key, and has all rows whose columns are not null.
    `SELECT c.conname AS name FROM pg_constraint c
     WHERE c.contype = 'f' AND NOT EXISTS (
       SELECT FROM pg_index i WHERE i.indrelid = c.conrelid
         AND (i.indkey::int2[])[0:cardinality(c.conkey) - 1] = c.conkey
         AND (i.indpred IS NULL OR pg_get_expr(i.indpred, i.indrelid) = format('(%I IS NOT NULL)',
           (SELECT attname FROM pg_attribute WHERE attrelid = c.conrelid AND attnum = c.conkey[1]))))
     ORDER BY name`,
  );
  expect(missing.map(({ name }) => name)).toEqual(Object.keys(EXEMPT).sort());
});
