import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { moveClockToNoon, useTestDatabase } from '../../../test/test-database.js';
import { raiseStatusChangeEvents, storePostingStatus } from './posting-status.js';

const settings = { baseUrl: 'https://ats.example.com', language: 'en' };

const own = useTestDatabase({ hasMovableClock: true });

beforeAll(async () => {
  await moveClockToNoon(own.database);
  await own.database.query(`
    INSERT INTO users (id, type, firstname, lastname, email)
      VALUES (12, 'recruiter', 'R', 'R', 'r@example.com'), (13, 'recruiter', 'S', 'S', 's@example.com');
    INSERT INTO opportunities (id, kind, title, state_id, process_id) VALUES (21, 'vacancy', 'One', 302, 1);
    INSERT INTO job_boards (id, name, code) VALUES (31, 'Board', 'board');`);
});
beforeEach(async () => {
  await own.database.query('TRUNCATE domain_events, history_entries');
  await own.database.query('DELETE FROM postings');
  await own.database.query(`
    INSERT INTO postings (id, title, job_board_id, vacancy_id, opening_date) VALUES (41, 'P', 31, 21, system_today() + 1);
    INSERT INTO history_entries (subject_type, subject_id, type, recruiter_id) VALUES ('posting', 41, 'created', 13);`);
  await own.database.transaction((transaction) => storePostingStatus(transaction, 41));
});

/**
 * Moves the dates of the posting back by a number of days. This has the same effect as waiting for that number of days.
 */
const moveDates = (days: number): Promise<object[]> =>
  own.database.query(
    'UPDATE postings SET opening_date = opening_date - $1::integer, closing_date = system_today() + 3 - $1::integer',
    [days],
  );

const raised = (): Promise<object[]> =>
  own.database.query(
    `SELECT type, subject_id, recruiter_id, facts ->> 'posting.status' AS status FROM domain_events ORDER BY id`,
  );

const event = (status: string): object => ({ type: 'POSTING_UPDATE', subject_id: 41, recruiter_id: 13, status });

describe('raiseStatusChangeEvents', () => {
  it('raises one event when dates make a posting live, and one when they make it expire', async () => {
    expect(await raiseStatusChangeEvents(own.database, settings)).toBe(0);
    await moveDates(1);
    expect(await raiseStatusChangeEvents(own.database, settings)).toBe(1);
    expect(await raiseStatusChangeEvents(own.database, settings)).toBe(0);
    await moveDates(4);
    expect(await raiseStatusChangeEvents(own.database, settings)).toBe(1);
    expect(await raised()).toEqual([event('live'), event('expired')]);
    const [entry] = await own.database.query<object>(
      'SELECT recruiter_id, changes FROM history_entries ORDER BY id DESC LIMIT 1',
    );
    expect(entry).toEqual({ recruiter_id: null, changes: [{ path: '/status', old: 'live', new: 'expired' }] });
  });

  it('raises one event for a change when several processes run at the same time', async () => {
    await moveDates(1);
    const counts = await Promise.all(Array.from({ length: 5 }, () => raiseStatusChangeEvents(own.database, settings)));
    expect(counts.reduce((sum, count) => sum + count)).toBe(1);
    expect(await raised()).toEqual([event('live')]);
  });

  it('raises no event for postings without a known status', async () => {
    await own.database.query('UPDATE postings SET known_status = NULL');
    await moveDates(1);
    expect(await raiseStatusChangeEvents(own.database, settings)).toBe(0);
    expect(await raised()).toEqual([]);
  });
});
