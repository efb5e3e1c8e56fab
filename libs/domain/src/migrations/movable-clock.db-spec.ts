import { expect, it } from '@jest/globals';
import { moveClock, useTestDatabase } from '../../test/test-database.js';

const own = useTestDatabase({ hasMovableClock: true, poolSize: 2 });

it('moveClock moves the time that statements and column defaults read', async () => {
  await moveClock(own.database, 71 * 3_600_000);
  const [row] = await own.database.query<{ now: number; clock: number; created: number }>(`
    WITH event AS (
      INSERT INTO domain_events (type, subject_type, subject_id, recruiter_id, time_zone, facts)
      VALUES ('POSTING_CREATE', 'posting', 1, 1, 'UTC', '{}')
      RETURNING occurred_dt
    )
    SELECT extract(epoch FROM now() - pg_catalog.now()) / 3600 AS now,
      extract(epoch FROM clock_timestamp() - pg_catalog.now()) / 3600 AS clock,
      extract(epoch FROM occurred_dt - pg_catalog.now()) / 3600 AS created FROM event`);
  expect(Number(row?.now)).toBeCloseTo(71, 2);
  expect(Number(row?.clock)).toBeCloseTo(71, 2);
  expect(Number(row?.created)).toBeCloseTo(71, 2);
});
