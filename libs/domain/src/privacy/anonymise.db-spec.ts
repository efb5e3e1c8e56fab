import { beforeAll, describe, expect, it } from '@jest/globals';
import { useTestDatabase } from '../../test/test-database.js';
import { applications } from '../objects/application.model.js';
import { addCommunication } from '../rules/communication/add-communication.js';
import { recordEvent } from '../writing/event/record-event.js';
import { addHistory } from '../rules/history/history.js';
import { savedSearches } from '../objects/search-definition.model.js';
import { NotFoundError } from '../vocabulary/validation-error.js';
import { entitySchemas } from '../writing/entities.js';
import { insertObject } from '../writing/write-object.js';
import { type RemovalReport } from './removal-report.js';
import { anonymiseCandidate } from './anonymise.js';
import { candidates } from '../objects/user.model.js';

const settings = { baseUrl: 'https://ats.example.com', language: 'en' };
/** Personal texts that occur nowhere else in the database. A text that is found after anonymising was not removed. */
const SECRETS = [
  'Quillonia',
  'Vexworth',
  'qv.secret',
  'Zorbenstrasse',
  'Plimstadt',
  'XQ7 4ZZ',
  '5550199',
  'qv-portfolio',
  'Gromulent',
  '1971-03-04',
  'Snozzberry',
];

const own = useTestDatabase({ entities: entitySchemas() });
let candidateId: number;
let applicationId: number;

beforeAll(async () => {
  await own.database.query(`
    INSERT INTO users (id, type, firstname, lastname, email) VALUES (900, 'recruiter', 'R', 'R', 'r@example.com');
    INSERT INTO opportunities (id, kind, title, state_id, process_id) VALUES (901, 'vacancy', 'V', 302, 1);
    INSERT INTO credentials (id, name, key_id, token_digest, scopes, user_id, recruiter_id) VALUES (902, 'c', 'abcdefgh', '', '{}', 900, 900);
    INSERT INTO notification_datapaths VALUES ('STATE_CHANGE_APPLICATION', 'application.candidate.Address.City'),
      ('STATE_CHANGE_APPLICATION', 'application.user.fullname')`);
  await own.database.transaction(async (transaction) => {
    candidateId = await insertObject(transaction, candidates, {
      firstname: 'Quillonia',
      lastname: 'Vexworth',
      email: 'qv.secret@example.com',
      title: 'Snozzberry',
      preferred_name: 'Quillonia V',
      date_of_birth: '1971-03-04',
      current_employer: 'Gromulent Ltd',
      current_title: 'Gromulent Head',
      tags: ['Snozzberry'],
      Email: [{ Label: 'work', Address: 'qv.secret@work.example' }],
      Address: [{ Label: 'home', AddressLine: 'Zorbenstrasse 1', City: 'Plimstadt', PostalCode: 'XQ7 4ZZ' }],
      Phone: [{ Label: 'home', Number: '+1 202 5550199' }],
      Url: [{ Label: 'website', Address: 'https://qv-portfolio.example.com' }],
    });
    const application = { opportunity_id: 901, user_id: candidateId, tags: ['Snozzberry'], source: 'web' };
    applicationId = await insertObject(transaction, applications, application, { state_id: 101 });
    const message = {
      direction: 'outbound',
      subject: 'Dear Vexworth',
      body: { html: '<p>Quillonia</p>', plain: 'Quillonia' },
      to: ['qv.secret@example.com'],
      applicationId,
      userId: candidateId,
      authorId: 900,
      templateId: null,
    } as const;
    await addCommunication(transaction, { ...message, type: 'email' });
    await addCommunication(transaction, { ...message, type: 'note' });
    await transaction.query(`UPDATE outgoing_mails SET last_error = '550 <qv.secret@example.com> unknown'`);
    await insertObject(
      transaction,
      savedSearches,
      { name: 'Search', resource: 'communications', search: ['/to=qv.secret@example.com'], filter: 'QV.secret@' },
      { owner_id: 900 },
    );
    const search = ['/user/lastname=Vexworth', 'user.fullname=Quillonia Vexworth', 'user.email=~qv.secret'];
    await insertObject(
      transaction,
      savedSearches,
      { name: 'Search', resource: 'applications', search, filter: 'vexworth' },
      { owner_id: 900 },
    );
    const change = { path: '/lastname', old: 'Vexworth', new: 'Quillonia' };
    await addHistory(transaction, {
      type: 'field_change',
      subjectType: 'candidate',
      subjectId: candidateId,
      recruiterId: 900,
      changes: [change],
    });
    await addHistory(transaction, {
      type: 'state_change',
      subjectType: 'application',
      subjectId: applicationId,
      recruiterId: 900,
      comment: 'Vexworth was great',
    });
    await recordEvent(
      transaction,
      { type: 'STATE_CHANGE_APPLICATION', subjectId: applicationId, recruiterId: 900 },
      settings,
    );
  });
  await own.database.query(
    `INSERT INTO notification_late_facts (event_id, facts) SELECT id, '{"application.candidate.Address.City": ["Plimstadt"]}' FROM domain_events`,
  );
  await own.database.query(
    `INSERT INTO notification_deliveries (id, occurred_dt, message_id, subscription_id, topic_id, topic_revision, subject_type, subject_id, sequence, body, status)
     VALUES (903, now(), gen_random_uuid(), 1, 1, 1, 'application', $1, 1, '{}', 'delivered')`,
    [applicationId],
  );
  await own.database.query(
    `INSERT INTO notification_attempts (occurred_dt, delivery_id, attempt, reason, state, url, response_excerpt, response_headers, worker)
     SELECT occurred_dt, id, 1, 'auto', 'done', 'https://example.com', 'stored Vexworth', '{"x-person": "Quillonia"}', 'w' FROM notification_deliveries`,
  );
  await own.database.query(
    `INSERT INTO idempotency_keys (credential_id, key, request_digest, claim, sealed_answer, people)
     VALUES (902, 'mine', '', gen_random_uuid(), 'Vexworth', ARRAY[$1::bigint]), (902, 'other', '', gen_random_uuid(), 'kept', '{900}')`,
    [candidateId],
  );
});

/** Returns every row of every table as text, with decoded binary values. */
async function dump(): Promise<string> {
  const tables = await own.database.query<{ name: string }>(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`,
  );
  const texts = await Promise.all(
    tables.map(({ name }) =>
      own.database.query<{ text: string | null }>(`SELECT string_agg(t::text, E'\\n') AS text FROM ${name} t`),
    ),
  );
  const answers = await own.database.query<{ text: string }>(
    `SELECT encode(sealed_answer, 'escape') AS text FROM idempotency_keys`,
  );
  return [...texts.flat(), ...answers].map(({ text }) => text ?? '').join('\n');
}

const anonymise = (id: number): Promise<RemovalReport> =>
  own.database.transaction((transaction) =>
    anonymiseCandidate(transaction, id, { recruiterId: 900, baseUrl: settings.baseUrl }),
  );

describe('anonymising a candidate', () => {
  it('removes all personal data from the whole database and keeps everything else', async () => {
    const before = await dump();
    expect(SECRETS.filter((secret) => !before.includes(secret))).toEqual([]);
    await anonymise(candidateId);
    const after = await dump();
    expect(SECRETS.filter((secret) => after.includes(secret))).toEqual([]);

    const [event] = await own.database.query<{ facts: Record<string, unknown> }>(
      `SELECT facts FROM domain_events WHERE type = 'STATE_CHANGE_APPLICATION'`,
    );
    expect(event?.facts).toMatchObject({
      'application.id': applicationId,
      'application.user.id': candidateId,
      'application.user.firstname': null,
      'application.user.fullname': null,
      'application.source': null,
      'application.outcome': 'pending',
      'application.main_process_state.state.state': 'submitted',
    });
    const [user] = await own.database.query<object>('SELECT status, email FROM users WHERE id = $1', [candidateId]);
    expect(user).toEqual({ status: 'anonymised', email: `candidate-${candidateId}@anonymised.invalid` });
    expect(
      await own.database.query(
        'SELECT type, status, failed_reason, subject, body, body_plain, to_addresses FROM communications ORDER BY id',
      ),
    ).toEqual([
      {
        type: 'email',
        status: 'failed',
        failed_reason: 'anonymised',
        subject: null,
        body: '',
        body_plain: '',
        to_addresses: [],
      },
      { type: 'note', status: 'sent', failed_reason: null, subject: null, body: '', body_plain: '', to_addresses: [] },
    ]);
    expect(
      await own.database.query('SELECT status, finished_dt IS NOT NULL AS is_finished, last_error FROM outgoing_mails'),
    ).toEqual([{ status: 'cancelled', is_finished: true, last_error: null }]);
    const keys = await own.database.query<{ key: string }>('SELECT key FROM idempotency_keys');
    expect(keys).toEqual([{ key: 'other' }]);
  });

  it('keeps the service from storing later answers of destinations to messages about the person', async () => {
    await own.database.query(
      `WITH answer AS (INSERT INTO notification_attempts (occurred_dt, delivery_id, attempt, reason, state, url, status_code, response_excerpt, response_headers, worker)
         SELECT occurred_dt, id, 2, 'manual', 'done', 'https://example.com', 200, 'stored Vexworth', '{"x-person": "Quillonia"}', 'w' FROM notification_deliveries WHERE id = 903)
       UPDATE notification_deliveries SET status = 'delivered' WHERE id = 903`,
    );
    expect(
      await own.database.query(
        'SELECT attempt, status_code, response_excerpt, response_headers FROM notification_attempts ORDER BY attempt',
      ),
    ).toEqual([
      { attempt: 1, status_code: null, response_excerpt: null, response_headers: null },
      { attempt: 2, status_code: 200, response_excerpt: null, response_headers: null },
    ]);
  });

  it('changes nothing the second time', async () => {
    const before = await dump();
    await anonymise(candidateId);
    expect(await dump()).toBe(before);
  });

  it.each([
    ['was deleted', 'DELETE FROM applications WHERE id = $1 AND $2::bigint > 0'],
    ['belongs to another candidate now', 'UPDATE applications SET user_id = $2 WHERE id = $1'],
  ])('removes personal data of an application that %s', async (_, change) => {
    const id = await own.database.transaction(async (transaction) => {
      const secret = await insertObject(transaction, candidates, {
        firstname: 'Quillonia',
        lastname: 'Vexworth',
        email: 'qv.secret@example.com',
      });
      const other = await insertObject(transaction, candidates, {
        firstname: 'O',
        lastname: 'O',
        email: `other.${secret}@example.com`,
      });
      const application = await insertObject(
        transaction,
        applications,
        { opportunity_id: 901, user_id: secret },
        { state_id: 101 },
      );
      await recordEvent(
        transaction,
        { type: 'STATE_CHANGE_APPLICATION', subjectId: application, recruiterId: 900 },
        settings,
      );
      await transaction.query(change, [application, other]);
      const given = { path: '/user', old: { id: secret, lastname: 'Vexworth' }, new: { id: other } };
      await addHistory(transaction, {
        type: 'field_change',
        subjectType: 'application',
        subjectId: application,
        recruiterId: 900,
        changes: [given],
      });
      return secret;
    });
    expect(await dump()).toContain('Vexworth');
    await anonymise(id);
    const after = await dump();
    expect(SECRETS.filter((secret) => after.includes(secret))).toEqual([]);
  });

  it('rejects a user who is not a candidate', async () => {
    await expect(anonymise(900)).rejects.toThrow(NotFoundError);
  });
});
