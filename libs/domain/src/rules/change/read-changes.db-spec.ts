import { expect, it } from '@jest/globals';
import { useTestDatabase } from '../../../test/test-database.js';
import { publishChanges } from './publish-changes.js';
import { readChanges } from './read-changes.js';

const own = useTestDatabase();

const BASE_URL = 'https://ats.example.com/api/v1';

/** Returns all changes as JSON, with their positions and marks. */
async function readAll(): Promise<readonly string[]> {
  const [state] = await own.database.query<{ epoch: string }>('SELECT epoch FROM change_feed');
  if (!state) throw new Error('the table change_feed has no row');
  const resources = ['job_boards', 'saved_searches'];
  const request = { ...state, position: 0, resources, limit: 10, viewerId: 1 };
  const page = await readChanges(own.database.reading, BASE_URL, request);
  return page?.changes.toChanges().map(({ json, position, mark }) => `${position} ${mark} ${json}`) ?? [];
}

it('reads the same changes with and without stored lines', async () => {
  await own.database.query(`INSERT INTO job_boards (name, code) VALUES ('Board', 'board-1')`);
  await publishChanges(own.database);
  await own.database.query(`INSERT INTO changes (resource, item_id, item_uuid, change, dt, keys)
    VALUES ('saved_searches', 7, gen_random_uuid(), 'created', now(), '{"owner_id": 1, "is_shared": true}')`);
  const stored = await readAll();
  expect(stored).toHaveLength(2);

  expect(await own.database.query('UPDATE changes SET line = NULL WHERE line IS NOT NULL RETURNING id')).toHaveLength(
    2,
  );
  expect(await readAll()).toEqual(stored);
});
