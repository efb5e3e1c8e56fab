import { expect, it } from '@jest/globals';
import { useTestDatabase } from '../../../test/test-database.js';
import { followedResources } from './followed-resources.js';

const own = useTestDatabase();

it('the tables of all resources of the changes feed have triggers for each kind of change', async () => {
  const triggers = await own.database.query<{ source: string; name: string }>(
    `SELECT tgrelid::regclass::text AS source, tgname AS name FROM pg_trigger WHERE tgname LIKE 'tr\\_change\\_%'
       AND tgname NOT LIKE '%\\_anonymised'`,
  );
  const expected = followedResources().flatMap(({ name, type }) =>
    ['created', 'updated', 'deleted'].map((change) => `${type.table ?? ''} tr_change_${name}_${change}`),
  );
  expect(triggers.map(({ source, name }) => `${source} ${name}`).sort()).toEqual(expected.sort());
});
