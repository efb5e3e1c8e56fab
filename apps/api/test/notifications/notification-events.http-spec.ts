import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Item } from '../support/answer.js';
import { BASE_URL } from '../support/api-harness.js';
import { expectStatus } from '../support/factories.js';
import { useApi } from '../support/use-api.js';

const { api, make } = useApi();
let subjects: readonly Item[];

beforeAll(async () => {
  const posting = await make.posting();
  const application = await make.application();
  const eventApplication = await make.eventApplication();
  const vacancy = await make.vacancy({ state: 'draft' });
  const event = await make.event({ state: 'draft' });
  // Lets the ids of the events of this test begin with 1.
  await api.database.query(`DELETE FROM domain_events WHERE type <> 'POSTING_CREATE'`);
  await api.database.query('UPDATE domain_events SET id = 1');
  await api.database.query(`SELECT setval(pg_get_serial_sequence('domain_events', 'id'), 1)`);
  for (const { url } of [application, eventApplication])
    expectStatus(
      200,
      await api.put(`${url.slice(url.indexOf('/api/v1') + 7)}/process_state`, {
        state: url.includes('event') ? 'confirmed' : 'interview',
      }),
    );
  for (const { url } of [vacancy, event])
    expectStatus(200, await api.put(`${url.slice(url.indexOf('/api/v1') + 7)}/state`, { state: 'open' }));
  subjects = [posting, application, eventApplication, vacancy, event];
});

const list = async (query = ''): Promise<readonly Item[]> =>
  expectStatus(200, await api.get(`/notification_events${query}`)).items;
const idsOf = async (query: string): Promise<readonly number[]> => (await list(query)).map(({ id }) => id);

describe('the list of events', () => {
  test('has every event, oldest first, with the URL of its subject', async () => {
    const types = [
      'POSTING_CREATE',
      'STATE_CHANGE_APPLICATION',
      'STATE_CHANGE_APPLICATION',
      'STATE_CHANGE_OPPORTUNITY',
      'STATE_CHANGE_OPPORTUNITY',
    ];
    expect(await list()).toEqual(
      subjects.map(({ id, url }, index) => ({
        id: index + 1,
        url: `${BASE_URL}/api/v1/notification_events/${index + 1}`,
        type: types[index],
        occurred_dt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/),
        subject: { id, url },
        user: { id: expect.any(Number), url: expect.stringContaining('/recruiters/') },
      })),
    );
  });

  test.each([
    ['?type=STATE_CHANGE_APPLICATION', [2, 3]],
    ['?since_id=0', [1, 2, 3, 4, 5]],
    ['?since_id=3', [4, 5]],
    ['?since_id=1&type=STATE_CHANGE_APPLICATION&per_page=1', [2]],
    ['?since_id=5', []],
    ['?since_id=9007199254740991', []],
    ['?sort=id!desc&per_page=2', [5, 4]],
    ['?search=/type=POSTING_CREATE', [1]],
  ])('can be filtered by %s', async (query, ids) => {
    expect(await idsOf(query)).toEqual(ids);
  });

  test.each([
    ['type=posting_create', ['invalid ?type']],
    ['type=POSTING_CREATE&type=POSTING_DELETE', ['invalid ?type']],
    ['since_id=-1', ['invalid ?since_id']],
    ['since_id=x&type=y&page=0', ['invalid ?page', 'invalid ?since_id', 'invalid ?type']],
    ['since_id=1&since_id=2', ['invalid ?since_id']],
    ['search=/facts=x', ['invalid ?search']],
  ])('rejects the query %s', async (query, violations) => {
    const answer = await api.get(`/notification_events?${query}`);
    expect([answer.status, [...answer.violations].sort()]).toEqual([400, violations]);
  });

  test('is paged by links that keep the parameters', async () => {
    const first = expectStatus(200, await api.get('/notification_events?since_id=1&per_page=3'));
    const next = /<([^>]+)>; rel="next"/.exec(first.headers['link'] ?? '')?.[1] ?? '';
    expect(first.headers['x-total-count']).toBe('4');
    expect(next).toContain('since_id=1');
    expect(await idsOf(next.slice(next.indexOf('?')))).toEqual([5]);
  });

  test('never shows an event before an event with a lower id', async () => {
    const posting = subjects[0] as Item;
    const { database } = api;
    const insert = `INSERT INTO domain_events (type, subject_type, subject_id, recruiter_id, time_zone, facts) SELECT 'POSTING_UPDATE', 'posting', $1, recruiter_id, 'UTC', '{}' FROM domain_events LIMIT 1`;
    await database.transaction(async (transaction) => {
      // Takes the lock before the insert draws an id, as `recordEvent` does.
      await transaction.query('SELECT pg_advisory_xact_lock_shared(4711012)');
      await transaction.query(insert, [posting.id]);
      expectStatus(
        200,
        await api.put(`/postings/${posting.id}`, {
          vacancy_id: (posting['vacancy'] as Item).id,
          job_board_id: (posting['job_board'] as Item).id,
          title: 'Another title',
        }),
      );
      expect(await idsOf('?since_id=5')).toEqual([]);
    });
    expect(await idsOf('?since_id=5')).toEqual([6, 7]);
  });

  test('shows a single event under its id, and answers 404 to unknown ids', async () => {
    const [first] = await list('?per_page=1');
    expect(expectStatus(200, await api.get('/notification_events/1')).item).toEqual(first);
    expect((await api.get('/notification_events/999')).status).toBe(404);
  });

  test('rejects datapaths beyond the scopes of the credential', async () => {
    const token = await make.token('notifications:read');
    expect((await api.get('/notification_events', { token })).status).toBe(200);
    expect((await api.get('/notification_events?sort=user.lastname!asc', { token })).problem.message).toContain(
      'recruiters:read',
    );
  });
});
