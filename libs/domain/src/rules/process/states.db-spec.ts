import { expect, test } from '@jest/globals';
import { useTestDatabase } from '../../../test/test-database.js';
import { KNOWN_PHASES, OUTCOMES } from '../../objects/state.model.js';

const own = useTestDatabase();

test('the documented states, phases and outcomes are those that the migrations write, in the same order', async () => {
  const rows = await own.database.query<{ key: string; phases: object }>(
    `SELECT p.key, json_object_agg(s.state, s.phase ORDER BY s.id) AS phases
     FROM processes p JOIN states s ON s.process_id = p.id GROUP BY p.id ORDER BY p.id`,
  );
  const stored = Object.fromEntries(rows.map(({ key, phases }) => [key, phases]));
  expect(JSON.stringify(stored)).toBe(JSON.stringify(KNOWN_PHASES));
  const [outcomes] = await own.database.query<{ all: readonly string[] }>(
    'SELECT array_agg(DISTINCT outcome) AS all FROM states WHERE outcome IS NOT NULL',
  );
  expect(outcomes?.all.toSorted()).toEqual(OUTCOMES.toSorted());
});
