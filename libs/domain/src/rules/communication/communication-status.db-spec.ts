import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { useTestDatabase } from '../../../test/test-database.js';
import { entitySchemas } from '../../writing/entities.js';
import { addCommunication } from './add-communication.js';
import { markCommunicationFailed, markCommunicationSent } from './communication-status.js';
import { cancelMails } from './outgoing-mails.js';

const own = useTestDatabase({ entities: entitySchemas() });
let id: number;

beforeAll(async () => {
  await own.database.query(`
    INSERT INTO users (id, type, firstname, lastname, email)
      VALUES (900, 'recruiter', 'R', 'R', 'r@example.com'), (901, 'candidate', 'C', 'C', 'c@example.com');
    INSERT INTO opportunities (id, kind, title, state_id, process_id) VALUES (902, 'vacancy', 'V', 302, 1);
    INSERT INTO applications (id, app_type, opportunity_id, user_id, state_id)
      VALUES (903, 'vacancy_application', 902, 901, 101)`);
});

beforeEach(async () => {
  await own.database.query('DELETE FROM history_entries');
  id = await own.database.transaction((transaction) =>
    addCommunication(transaction, {
      type: 'email',
      direction: 'outbound',
      subject: 'Hello',
      body: { html: 'Text', plain: 'Text' },
      to: ['c@example.com'],
      applicationId: 903,
      userId: 901,
      authorId: 900,
      templateId: null,
    }),
  );
  await own.database.query(`UPDATE communications SET updated_dt = '2020-01-01' WHERE id = $1`, [id]);
});

const markSent = (): Promise<boolean> =>
  own.database.transaction((transaction) => markCommunicationSent(transaction, id));
const markFailed = (): Promise<boolean> =>
  own.database.transaction((transaction) => markCommunicationFailed(transaction, id, 'rejected'));
const history = (): Promise<object[]> =>
  own.database.query('SELECT type, subject_id, recruiter_id, changes FROM history_entries');
const row = async (): Promise<object | undefined> =>
  (
    await own.database.query(
      `SELECT status, failed_reason, sent_dt IS NOT NULL AS has_left, updated_dt > '2020-01-01' AS has_moved
       FROM communications WHERE id = $1`,
      [id],
    )
  )[0];

describe('a communication that is marked as sent', () => {
  it('gets the status sent and one history entry when several processes mark it', async () => {
    expect(await Promise.all([markSent(), markSent(), markSent()])).toEqual(
      expect.arrayContaining([true, false, false]),
    );
    expect(await markFailed()).toBe(false);
    expect(await row()).toEqual({ status: 'sent', failed_reason: null, has_left: true, has_moved: true });
    expect(await history()).toEqual([
      {
        type: 'comm_sent',
        subject_id: 903,
        recruiter_id: 900,
        changes: [{ path: '/communication', old: null, new: { id } }],
      },
    ]);
  });

  it.each([
    ['type', 'note'],
    ['direction', 'inbound'],
  ])('adds no history entry when it was not sent to the candidate: %s %s', async (column, value) => {
    await own.database.query(`UPDATE communications SET ${column} = $2 WHERE id = $1`, [id, value]);
    expect(await markSent()).toBe(true);
    expect(await history()).toEqual([]);
  });

  it('adds no history entry when its application is deleted', async () => {
    await own.database.query('UPDATE communications SET application_id = NULL WHERE id = $1', [id]);
    expect(await markSent()).toBe(true);
    expect(await history()).toEqual([]);
  });
});

describe('a communication that is marked as failed', () => {
  it('keeps the reason, adds no history entry, and cannot be marked as sent', async () => {
    expect(await markFailed()).toBe(true);
    expect(await markSent()).toBe(false);
    expect(await row()).toEqual({ status: 'failed', failed_reason: 'rejected', has_left: false, has_moved: true });
    expect(await history()).toEqual([]);
  });
});

describe('an e-mail', () => {
  it.each([
    ['due', 'cancelled'],
    ['queued', 'cancelled'],
    ['sending', 'cancelled'],
    ['sent', 'sent'],
    ['failed', 'failed'],
  ])('with the status %s has the status %s after cancelMails', async (before, after) => {
    await own.database.query(
      `UPDATE outgoing_mails SET status = $2, last_error = 'c@example.com' WHERE communication_id = $1`,
      [id, before],
    );
    await own.database.transaction((transaction) => cancelMails(transaction, [id]));
    const mails = await own.database.query(
      `SELECT status, last_error, finished_dt IS NOT NULL AS is_finished
       FROM outgoing_mails WHERE communication_id = $1`,
      [id],
    );
    expect(mails).toEqual([{ status: after, last_error: null, is_finished: true }]);
  });
});
