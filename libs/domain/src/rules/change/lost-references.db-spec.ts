import { expect, it } from '@jest/globals';
import { useTestDatabase } from '../../../test/test-database.js';
import { followedResources } from './followed-resources.js';

const own = useTestDatabase();

it('triggers update the time of change of items when a deletion clears a reference that they show', async () => {
  const cleared = await own.database.query<{ source: string; name: string }>(
    `SELECT c.conrelid::regclass::text AS source, a.attname AS name
     FROM pg_constraint c JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
     WHERE c.contype = 'f' AND c.confdeltype = 'n'`,
  );
  const shown = new Set(
    followedResources().flatMap(({ type }) =>
      Object.values(type.relations)
        .filter(({ column, shows, showsId }) => column !== undefined && (showsId || Object.keys(shows).length > 0))
        .map(({ column }) => `${type.table ?? ''} ${column ?? ''}`),
    ),
  );
  const expected = cleared.map(({ source, name }) => `${source} ${name}`).filter((key) => shown.has(key));
  const triggers = await own.database.query<{ source: string; name: string }>(
    `SELECT tgrelid::regclass::text AS source, substring(tgname FROM 'tr_lost_(.*)') AS name
     FROM pg_trigger WHERE tgfoid = 'date_lost_reference'::regproc`,
  );
  expect(expected).toContain('applications posting_id');
  expect(triggers.map(({ source, name }) => `${source} ${name}`).sort()).toEqual(expected.sort());
});
