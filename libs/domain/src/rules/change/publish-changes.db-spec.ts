import { type Database } from '@ats/postgres';
import { expect, it } from '@jest/globals';
import { useTestDatabase } from '../../../test/test-database.js';
import { publishChanges } from './publish-changes.js';

const own = useTestDatabase();

it('publishChanges ends even while other transactions keep writing', async () => {
  let number = 0;
  const write = () =>
    own.database.query(`INSERT INTO job_boards (name, code) VALUES ('Board', 'board-' || $1)`, [++number]);
  await write();
  // Another change is committed after each statement that publishes. This simulates a steady load.
  const busy: Pick<Database, 'query'> = {
    query: async <Row extends object>(text: string, parameters?: readonly unknown[]): Promise<Row[]> => {
      const rows = await own.database.query<Row>(text, parameters);
      if (text.includes('publish_changes')) await write();
      if (number > 100) throw new Error('the call does not end');
      return rows;
    },
  };
  expect(await publishChanges(busy)).toBe(1);
  expect(await publishChanges(own.database)).toBe(1);
  expect(await publishChanges(own.database)).toBe(0);
});
