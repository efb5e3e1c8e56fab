import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createTestDatabase, moveClock, type TestDatabase } from '../../test/test-database.js';
import { Database } from './database.js';

let testDatabase: TestDatabase;
let database: Database;

beforeAll(async () => {
  testDatabase = await createTestDatabase({ hasMovableClock: true });
  database = await Database.connect({ url: testDatabase.url, applicationName: 'domain-test', poolSize: 2 });
});
afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

it('moves the clock of statements and of defaults, and nothing else', async () => {
  await moveClock(database, 71 * 3_600_000);
  const [row] = await database.query<{ now: number; clock: number; created: number }>(`
    WITH event AS (
      INSERT INTO domain_events (type, subject_type, subject_id, recruiter_id, time_zone, facts) VALUES ('POSTING_CREATE', 'posting', 1, 1, 'UTC', '{}')
      RETURNING occurred_dt
    )
    SELECT extract(epoch FROM now() - pg_catalog.now()) / 3600 AS now, extract(epoch FROM clock_timestamp() - pg_catalog.now()) / 3600 AS clock,
      extract(epoch FROM occurred_dt - pg_catalog.now()) / 3600 AS created FROM event`);
  expect(Number(row?.now)).toBeCloseTo(71, 2);
  expect(Number(row?.clock)).toBeCloseTo(71, 2);
  expect(Number(row?.created)).toBeCloseTo(71, 2);
});
