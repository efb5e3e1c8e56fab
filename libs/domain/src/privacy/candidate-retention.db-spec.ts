// @group sample: npm test runs a quarter of its tests
import { beforeEach, describe, expect, it } from '@jest/globals';
import { useTestDatabase } from '../../test/test-database.js';
import { applications } from '../objects/application.model.js';
import { candidates } from '../objects/user.model.js';
import { replaceSystem } from '../rules/system/system-settings.js';
import { entitySchemas } from '../writing/entities.js';
import { insertObject } from '../writing/write-object.js';
import { announceAnonymisations, anonymiseDueCandidates } from './candidate-retention.js';

const own = useTestDatabase({ entities: entitySchemas(), poolSize: 8 });
const settings = { baseUrl: 'https://ats.example.com', language: 'en' };
const SYSTEM = { name: 'Recruitment', default_language: 'en', environment: 'production', timezone: 'UTC' };
const [SUBMITTED, REJECTED, HIRED] = [101, 108, 110];

/** Sets the retention rule as the API does. */
const setRule = (days: number | null, notice = 14): Promise<readonly string[]> =>
  own.database.transaction((transaction) =>
    replaceSystem(
      transaction,
      { id: 1, body: { ...SYSTEM, candidate_retention_days: days, retention_notice_days: notice } },
      settings,
    ),
  );

const daysAgo = (days: number): string => `now() - interval '${days} days'`;

interface Given {
  /** Days that have passed since the last change of the candidate. */
  readonly updated: number;
  readonly application?: { readonly state: number; readonly entered: number };
  /** Days that have passed since the last communication. */
  readonly contacted?: number;
  /**
   * Days that have passed since the last change of the candidate's document. The document belongs to the application if
   * there is one.
   */
  readonly given?: number;
}

let names = 0;
async function addCandidate({ updated, application, contacted, given }: Given): Promise<number> {
  const name = `c${++names}`;
  return own.database.transaction(async (transaction) => {
    const person = { firstname: name, lastname: name, email: `${name}@example.com` };
    const id = await insertObject(transaction, candidates, person);
    await transaction.query(
      `UPDATE users SET created_dt = ${daysAgo(updated)}, updated_dt = ${daysAgo(updated)} WHERE id = $1`,
      [id],
    );
    let made: number | null = null;
    if (application) {
      const values = { opportunity_id: 901, user_id: id };
      made = await insertObject(transaction, applications, values, { state_id: application.state });
      await transaction.query(
        `UPDATE applications SET created_dt = ${daysAgo(updated)}, state_entered_dt = ${daysAgo(application.entered)},
           is_live = (SELECT s.is_live FROM states s WHERE s.id = state_id) WHERE id = $1`,
        [made],
      );
    }
    if (contacted !== undefined)
      await transaction.query(
        `INSERT INTO communications (type, body, body_plain, user_id, author_id, created_dt)
         VALUES ('note', 'n', 'n', $1, 900, ${daysAgo(contacted)})`,
        [id],
      );
    if (given !== undefined)
      await transaction.query(
        `INSERT INTO documents (name, kind, media_type, size, sha256, application_id, candidate_id, created_dt, updated_dt)
         VALUES ('a.txt', 'cv', 'text/plain', 1, repeat('0', 64), $1, $2, ${daysAgo(updated)}, ${daysAgo(given)})`,
        [made, made === null ? id : null],
      );
    return id;
  });
}

const announced = async (): Promise<readonly number[]> =>
  (
    await own.database.query<{ subject_id: number }>(
      `SELECT subject_id FROM domain_events WHERE type = 'CANDIDATE_ANONYMISATION_DUE' ORDER BY id`,
    )
  ).map(({ subject_id }) => subject_id);
const anonymised = async (): Promise<readonly number[]> =>
  (await own.database.query<{ id: number }>(`SELECT id FROM users WHERE status = 'anonymised' ORDER BY id`)).map(
    ({ id }) => id,
  );
const announce = (): Promise<number> => announceAnonymisations(own.database, settings);
const anonymise = (): Promise<{ readonly candidates: number }> => anonymiseDueCandidates(own.database, settings);
/** Moves the announcements and the start of the rule into the past, as if days had passed. */
const passNotice = (days: number): Promise<unknown> =>
  own.database
    .query(`UPDATE users SET retention_notice_dt = retention_notice_dt - make_interval(days => $1)`, [days])
    .then(() =>
      own.database.query(`UPDATE systems SET retention_since_dt = retention_since_dt - make_interval(days => $1)`, [
        days,
      ]),
    );

beforeEach(async () => {
  await own.database.query(`
    DELETE FROM communications; DELETE FROM documents; DELETE FROM applications; DELETE FROM domain_events; DELETE FROM history_entries;
    DELETE FROM opportunities; DELETE FROM users;
    INSERT INTO users (id, type, firstname, lastname, email) VALUES (900, 'recruiter', 'R', 'R', 'r@example.com');
    INSERT INTO opportunities (id, kind, title, state_id, process_id) VALUES (901, 'vacancy', 'V', 302, 1)`);
  await setRule(null);
});

describe('the retention rule of candidates', () => {
  it('announces and anonymises nobody while it is off', async () => {
    await addCandidate({ updated: 4_000 });
    expect([await announce(), (await anonymise()).candidates]).toEqual([0, 0]);
  });

  it('anonymises an inactive candidate after the notice period and not before', async () => {
    const id = await addCandidate({ updated: 400 });
    await addCandidate({ updated: 100 });
    await setRule(365);
    expect((await anonymise()).candidates).toBe(0);
    expect([await announce(), await announce()]).toEqual([1, 0]);
    expect(await announced()).toEqual([id]);
    await passNotice(13);
    expect((await anonymise()).candidates).toBe(0);
    await passNotice(2);
    expect((await anonymise()).candidates).toBe(1);
    expect(await anonymised()).toEqual([id]);
    expect(await own.database.query(`SELECT type, recruiter_id FROM history_entries`)).toEqual([
      { type: 'anonymised', recruiter_id: null },
    ]);
    const [event] = await own.database.query<{ facts: Record<string, unknown> }>(
      `SELECT facts FROM domain_events WHERE type = 'CANDIDATE_ANONYMISATION_DUE' ORDER BY id LIMIT 1`,
    );
    expect(event?.facts).toMatchObject({ 'candidate.id': id, 'candidate.email': null });
    expect((await anonymise()).candidates).toBe(0);
  });

  it('announces a candidate one notice period before the period without activity ends', async () => {
    const id = await addCandidate({ updated: 355 });
    await setRule(365);
    expect(await announce()).toBe(1);
    await passNotice(15);
    expect(await anonymised()).toEqual([]);
    await own.database.query(
      `UPDATE users SET updated_dt = ${daysAgo(370)}, created_dt = ${daysAgo(370)} WHERE id = $1`,
      [id],
    );
    expect((await anonymise()).candidates).toBe(1);
  });

  it.each<[string, Given, boolean]>([
    ['an application that is not live', { updated: 400, application: { state: REJECTED, entered: 380 } }, true],
    ['an application in a terminal state', { updated: 400, application: { state: HIRED, entered: 380 } }, true],
    ['a live application', { updated: 400, application: { state: SUBMITTED, entered: 380 } }, false],
    ['a recent state change', { updated: 400, application: { state: REJECTED, entered: 3 } }, false],
    ['a recent communication', { updated: 400, contacted: 3 }, false],
    ['an old communication', { updated: 400, contacted: 390 }, true],
    ['a recent document of the candidate', { updated: 400, given: 3 }, false],
    ['an old document of the candidate', { updated: 400, given: 390 }, true],
    [
      'a recent document of an application',
      { updated: 400, application: { state: REJECTED, entered: 380 }, given: 3 },
      false,
    ],
  ])('is applied or not according to the last activity: %s', async (_, given, isDue) => {
    await addCandidate(given);
    await setRule(365);
    expect(await announce()).toBe(isDue ? 1 : 0);
    await passNotice(15);
    expect((await anonymise()).candidates).toBe(isDue ? 1 : 0);
  });

  it('spares a candidate who became active after the announcement', async () => {
    const id = await addCandidate({ updated: 400 });
    await setRule(365);
    await announce();
    await passNotice(15);
    await own.database.query('UPDATE users SET updated_dt = now() WHERE id = $1', [id]);
    expect((await anonymise()).candidates).toBe(0);
    await own.database.query(`UPDATE users SET updated_dt = ${daysAgo(366)} WHERE id = $1`, [id]);
    await own.database.query(`UPDATE users SET retention_notice_dt = ${daysAgo(380)} WHERE id = $1`, [id]);
    expect([(await anonymise()).candidates, await announce()]).toEqual([0, 1]);
  });

  it('gives candidates a new notice period after the rule was switched off or changed', async () => {
    await addCandidate({ updated: 4_000 });
    await setRule(365);
    await announce();
    await passNotice(15);
    await setRule(null);
    expect((await anonymise()).candidates).toBe(0);
    await setRule(365);
    expect((await anonymise()).candidates).toBe(0);
    expect(await announce()).toBe(1);
  });

  it('anonymises nobody after it was switched off, even if a process had already begun to anonymise', async () => {
    await addCandidate({ updated: 400 });
    await setRule(365);
    await announce();
    await passNotice(15);
    let work: Promise<{ readonly candidates: number }> | undefined;
    await own.database.transaction(async (transaction) => {
      const body = { ...SYSTEM, candidate_retention_days: null };
      await replaceSystem(transaction, { id: 1, body }, settings);
      work = anonymise();
      await new Promise((resolve) => setTimeout(resolve, 50));
    });
    expect((await work)?.candidates).toBe(0);
  });

  it('announces and anonymises each candidate once when several processes work', async () => {
    const ids: number[] = [];
    for (let index = 0; index < 24; index++) ids.push(await addCandidate({ updated: 400 }));
    await setRule(365);
    for (let left = 1; left > 0; )
      left = (await Promise.all([announce(), announce(), announce()])).reduce((a, b) => a + b);
    expect([...(await announced())].sort((a, b) => a - b)).toEqual(ids);
    await passNotice(15);
    let total = 0;
    for (let round = 0; round < 5; round++)
      for (const { candidates: count } of await Promise.all([anonymise(), anonymise(), anonymise()])) total += count;
    expect(total).toBe(ids.length);
    expect(await anonymised()).toEqual(ids);
    expect(await own.database.query('SELECT count(*)::int AS count FROM history_entries')).toEqual([{ count: 24 }]);
  });
});
