// @group sample: npm test runs a quarter of its tests
import { describe, expect, test } from '@jest/globals';
import { type Answer, type Item } from '../support/answer.js';
import { type Method, type RequestOptions } from '../support/api-harness.js';
import { expectStatus } from '../support/factories.js';
import { useApi } from '../support/use-api.js';
import { expectNoTrace } from '../support/whole-database.js';

const { api, make } = useApi();

interface Removal {
  readonly kind: string;
  readonly action: string;
  readonly count: number;
  readonly ids: readonly number[] | null;
}

const OPERATIONS: readonly [method: Method, suffix: string][] = [
  ['POST', '/anonymise'],
  ['DELETE', ''],
];
const removedBy = (answer: Answer): readonly Removal[] =>
  (expectStatus(200, answer).json as { readonly removed: readonly Removal[] }).removed;

let people = 0;

/** Creates a candidate with many kinds of data. All applications of the candidate have ended. */
async function person(): Promise<{ readonly candidate: Item; readonly applications: readonly number[] }> {
  const address = `marker@work${++people}.example.com`;
  const candidate = await make.candidate({
    lastname: 'Marker',
    Email: [{ Label: 'work', Address: address }],
    Phone: [{ Label: 'mobile', Number: '+44 20 7946 0000' }],
  });
  const user_id = candidate.id;
  const applications = [await make.application({ user_id }), await make.application({ user_id })];
  const event = await make.eventApplication({ user_id });
  await make.communication({ application: event });
  for (const { id } of applications)
    expectStatus(200, await api.put(`/applications/${id}/process_state`, { state: 'rejected', comment: 'Marker' }));
  await api.put(`/event_applications/${event.id}/process_state`, { state: 'cancelled' });
  await make.savedSearch({ search: [`/Email/*/Address=${address}`] });
  return { candidate, applications: applications.map(({ id }) => id) };
}

describe.each(OPERATIONS)('a dry run of %s /candidates/<id>%s', (method, suffix) => {
  const run = (id: number, query = '?dry_run=true', options: RequestOptions = {}): Promise<Answer> =>
    api.request(method, `/api/v1/candidates/${id}${suffix}${query}`, options);

  test('lists what the operation would remove, changes nothing, and shows no personal value', async () => {
    const { candidate, applications } = await person();
    const answer = await expectNoTrace(api.database, () => run(candidate.id));
    const removed = removedBy(answer);
    expect(answer.text).not.toMatch(/Marker|marker@|7946/);
    const action = method === 'DELETE' ? 'deleted' : 'cleared';
    expect(removed).toEqual(
      expect.arrayContaining([
        { kind: 'candidates', action, count: 1, ids: [candidate.id] },
        { kind: 'applications', action, count: 2, ids: applications },
        { kind: 'event_applications', action, count: 1, ids: [expect.any(Number)] },
        { kind: 'communications', action, count: 1, ids: [expect.any(Number)] },
        { kind: 'notification_events', action: 'cleared', count: 3, ids: expect.any(Array) },
        { kind: 'candidate_emails', action: 'deleted', count: 1, ids: null },
        { kind: 'candidate_phones', action: 'deleted', count: 1, ids: null },
        { kind: 'searches', action: 'cleared', count: 1, ids: null },
        { kind: 'history_entries', action, count: expect.any(Number), ids: null },
      ]),
    );
    expect(removedBy(await run(candidate.id))).toEqual(removed);

    const rows = async (): Promise<Readonly<Record<string, number>>> => {
      const deleted = removed.filter((one) => one.action === 'deleted').map(({ kind }) => kind);
      const counts: [string, number][] = [];
      for (const kind of deleted) counts.push([kind, await countOf(kind, candidate.id)]);
      return Object.fromEntries(counts);
    };
    const before = await rows();
    expect((await run(candidate.id, '')).status).toBe(method === 'DELETE' ? 204 : 200);
    const after = await rows();
    for (const { kind, action: how, count } of removed)
      if (how === 'deleted') expect([kind, (before[kind] ?? 0) - (after[kind] ?? 0)]).toEqual([kind, count]);
  });

  test('lists ids only of objects that the credential may read', async () => {
    const { candidate } = await person();
    const token = await make.token('candidates:write', 'applications:read');
    const removed = removedBy(await run(candidate.id, '?dry_run=true', { token }));
    expect(removed.filter(({ ids }) => ids !== null).map(({ kind }) => kind)).toEqual([
      'applications',
      'event_applications',
    ]);
  });

  test.each([
    '?dry_run=false',
    '?dry_run=',
    '?dry_run=TRUE',
    '?dry_run=1',
    '?dry_run=true&dry_run=true',
    '?dryrun=true',
  ])('rejects %s, names the parameter and changes nothing', async (query) => {
    const { id } = await make.candidate();
    const { status, violations } = await expectNoTrace(api.database, () => run(id, query));
    expect([status, violations]).toEqual([400, [`invalid ?${query.slice(1).split('=')[0] ?? ''}`]]);
  });

  test('rejects a body with a property and changes nothing', async () => {
    const { id } = await make.candidate();
    const { status, violations } = await expectNoTrace(api.database, () => run(id, '', { body: { dry_run: true } }));
    expect([status, violations]).toEqual([422, ['invalid /dry_run']]);
  });

  test('answers 404 to an unknown candidate', async () => {
    expect((await run(999_999_999)).status).toBe(404);
  });
});

test('a dry run of a deletion is refused like the deletion', async () => {
  const { candidate } = await make.application();
  const path = `/candidates/${(candidate as Item).id}?dry_run=true`;
  expect((await api.delete(path)).violations).toEqual(['in_use ']);
  const { id } = await make.candidate();
  const answer = await api.delete(`/candidates/${id}?dry_run=true`, { headers: { 'if-match': '"stale"' } });
  expect(answer.status).toBe(412);
});

test('a repeated dry run with the same Idempotency-Key gets the stored answer', async () => {
  const { id } = await make.candidate();
  const ask = (): Promise<Answer> =>
    api.post(`/candidates/${id}/anonymise?dry_run=true`, undefined, { headers: { 'idempotency-key': 'dry' } });
  const [first, again] = [await ask(), await ask()];
  expect([first.status, again.status, again.headers['idempotency-replayed']]).toEqual([200, 200, 'true']);
  expect(again.text).toBe(first.text);
});

test('a dry run of a second anonymisation removes nothing', async () => {
  const { id } = await make.candidate();
  expectStatus(200, await api.post(`/candidates/${id}/anonymise`));
  expect(removedBy(await api.post(`/candidates/${id}/anonymise?dry_run=true`))).toEqual([]);
});

/** Counts the rows that belong to a candidate. */
async function countOf(kind: string, id: number): Promise<number> {
  const CONDITIONS: Readonly<Record<string, string>> = {
    candidates: 'users WHERE id = $1',
    applications: `applications WHERE user_id = $1 AND app_type = 'vacancy_application'`,
    event_applications: `applications WHERE user_id = $1 AND app_type = 'event_application'`,
    history_entries: `history_entries WHERE subject_type = 'candidate' AND subject_id = $1 OR subject_type = 'application'
      AND subject_id IN (SELECT id FROM applications WHERE user_id = $1)`,
    stored_answers: 'idempotency_keys WHERE people @> ARRAY[$1::bigint]',
    activation_links: 'account_activations WHERE user_id = $1',
    form_values: 'application_form_values WHERE owner_id IN (SELECT id FROM applications WHERE user_id = $1)',
  };
  const [row] = await api.database.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM ${CONDITIONS[kind] ?? `${kind} WHERE user_id = $1`}`,
    [id],
  );
  return row?.count ?? 0;
}
