// @group sample: npm test runs a quarter of its tests
import { describe, expect, test } from '@jest/globals';
import { type Item } from '../support/answer.js';
import { BASE_URL } from '../support/api-harness.js';
import { expectStatus } from '../support/factories.js';
import { useApi } from '../support/use-api.js';

const { api, make } = useApi();

interface History {
  readonly items: readonly {
    readonly id: number;
    readonly type: string;
    readonly date: string;
    readonly [name: string]: unknown;
  }[];
  readonly has_more: boolean;
}

const pathOf = ({ url }: Item): string => url.slice(`${BASE_URL}/api/v1`.length);
const historyOf = async (item: Item, query = ''): Promise<History> =>
  expectStatus(200, await api.get(`${pathOf(item)}/history${query}`)).json as History;

describe('a history', () => {
  test('shows the user, subject, states and comment of a move', async () => {
    const item = await make.application();
    const [recruiter] = (await api.get('/recruiters')).items;
    await api.put(`${pathOf(item)}/process_state`, { state: 'in_review', comment: 'Looks 👍' });
    const { items, has_more } = await historyOf(item);
    const user = { id: recruiter?.id, url: recruiter?.url };
    const subject = { id: item.id, url: item.url };
    const entry = {
      id: expect.any(Number),
      date: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      user,
      subject,
    };
    const stateIds = { state_id: expect.any(Number), id: expect.any(Number), is_terminal: false };
    const submitted = { state: 'submitted', name: 'Submitted', ...stateIds };
    expect([items, has_more]).toEqual([
      [
        {
          ...entry,
          type: 'state_change',
          from: submitted,
          to: { state: 'in_review', name: 'In review', ...stateIds },
          comment: 'Looks 👍',
          changes: null,
        },
        { ...entry, type: 'created', from: null, to: submitted, comment: null, changes: null },
      ],
      false,
    ]);
  });

  test.each([
    [
      'candidate',
      () => make.candidate(),
      ({ email }: Item) => ({ firstname: 'New', lastname: 'Byron', email }),
      [{ path: '/firstname', old: 'Ada', new: 'New' }],
    ],
    ['vacancy', () => make.vacancy(), () => ({ title: 'New' }), [{ path: '/title', old: 'Engineer', new: 'New' }]],
    [
      'event',
      () => make.event(),
      ({ start_dt, end_dt }: Item) => ({ title: 'New', start_dt, end_dt }),
      [{ path: '/title', old: 'Open day', new: 'New' }],
    ],
    [
      'application',
      () => make.application(),
      ({ opportunity_id, user }: Item) => ({ opportunity_id, user_id: (user as Item).id, tags: ['x'], rating: 1 }),
      [
        { path: '/tags', old: [], new: ['x'] },
        { path: '/rating', old: null, new: 1 },
      ],
    ],
    [
      'posting',
      () => make.posting(),
      ({ vacancy, job_board }: Item) => ({
        vacancy_id: (vacancy as Item).id,
        job_board_id: (job_board as Item).id,
        is_withdrawn: true,
      }),
      [
        { path: '/status', old: 'live', new: 'withdrawn' },
        { path: '/accepts_applications', old: true, new: false },
        { path: '/is_withdrawn', old: false, new: true },
      ],
    ],
  ] as const)(
    'lists the changed properties, and has no entry when nothing changed: %s',
    async (_, makeOne, bodyFor, changes) => {
      const item = await makeOne();
      expectStatus(200, await api.put(pathOf(item), bodyFor(item)));
      expectStatus(200, await api.put(pathOf(item), bodyFor(item)));
      const { items } = await historyOf(item);
      expect(items.map(({ type }) => type)).toEqual(['field_change', 'created']);
      expect(items[0]).toMatchObject({ from: null, to: null, changes });
    },
  );

  test('names states in the requested language', async () => {
    const { items } = (
      await api.get(`${pathOf(await make.application())}/history`, { headers: { 'accept-language': 'fr' } })
    ).json as History;
    expect(items[0]).toMatchObject({ to: { state: 'submitted', name: 'Reçue' } });
  });

  test('is paged newest first, each entry once', async () => {
    const item = await make.application();
    for (const state of ['in_review', 'interview', 'assessment', 'offer_made'])
      await api.put(`${pathOf(item)}/process_state`, { state });
    const all = (await historyOf(item)).items;
    const read: History['items'][number][] = [];
    let page = await historyOf(item, '?per_page=2');
    while (page.items.length > 0) {
      read.push(...page.items);
      expect(page.has_more).toBe(read.length < all.length);
      page = await historyOf(item, `?per_page=2&before_id=${read.at(-1)?.id}`);
    }
    expect(read).toEqual(all);
    expect(all.map(({ id }) => id)).toEqual(all.map(({ id }) => id).sort((a, b) => b - a));
  });

  test.each([
    'before_id=-1',
    'before_id=x',
    'before_id=',
    'before_id=1&before_id=2',
    'before_id=9007199254740993',
    'per_page=0',
    'per_page=1001',
    'page=1',
    'since=1',
  ])('rejects the query ?%s', async (query) => {
    const { status, violations } = await api.get(`${pathOf(await make.candidate())}/history?${query}`);
    expect([status, violations]).toEqual([400, [`invalid ?${query.split('=')[0]}`]]);
  });
});

describe('the feed of a collection', () => {
  test('returns all entries after since_id, oldest first', async () => {
    const [first, second] = [await make.application(), await make.application()];
    for (const item of [first, second, first])
      await api.put(`${pathOf(item)}/process_state`, { state: item === first ? 'in_review' : 'rejected' });
    await make.eventApplication();
    await make.candidate();
    const read: History['items'][number][] = [];
    let page: History;
    do {
      const query = `?per_page=2&since_id=${read.at(-1)?.id ?? 0}`;
      page = expectStatus(200, await api.get(`/applications/history${query}`)).json as History;
      read.push(...page.items);
    } while (page.has_more);
    const rows = await api.database.query<{ id: number }>(
      `SELECT h.id FROM history_entries h JOIN applications a ON a.id = h.subject_id
       WHERE h.subject_type = 'application' AND a.app_type = 'vacancy_application' ORDER BY h.id`,
    );
    expect(read.map(({ id }) => id)).toEqual(rows.map(({ id }) => id));
    expect(read.at(-1)).toEqual((await historyOf(second)).items[0]);
  });

  const feedOf = async (collection: string, sinceId: number): Promise<History['items']> =>
    (expectStatus(200, await api.get(`/${collection}/history?since_id=${sinceId}`)).json as History).items;

  test('has a tombstone without personal data for each deleted application', async () => {
    const comment = 'Zephyrine called';
    const rejected = { state: 'rejected', comment };
    const [one, two] = [await make.application(), await make.application()];
    const other = await make.eventApplication();
    const [row] = await api.database.query<{ id: number }>('SELECT max(id) AS id FROM history_entries');
    const since = Number(row?.id);
    for (const item of [one, two]) await api.put(`${pathOf(item)}/process_state`, rejected);
    expect(JSON.stringify(await feedOf('applications', since))).toContain(comment);
    expectStatus(204, await api.delete(pathOf(one)));
    expectStatus(204, await api.delete(pathOf(other)));
    expectStatus(204, await api.delete(`/candidates/${(two['candidate'] as Item).id}`));
    const [recruiter] = (await api.get('/recruiters')).items;
    const tombstone = ({ id, url }: Item) => ({
      id: expect.any(Number),
      type: 'deleted',
      date: expect.any(String),
      user: { id: recruiter?.id, url: recruiter?.url },
      subject: { id, url },
      from: null,
      to: null,
      comment: null,
      changes: null,
    });
    expect(await feedOf('applications', since)).toEqual([tombstone(one), tombstone(two)]);
    expect(await feedOf('event_applications', since)).toEqual([tombstone(other)]);
    for (const item of [one, two]) expectStatus(404, await api.get(`${pathOf(item)}/history`));
  });

  test('quotes an invalid since_id in the violation', async () => {
    const infoOf = async (query: string) =>
      (await api.get(`/applications/history?${query}`)).problem.errors?.map(({ info }) => info);
    expect(await infoOf('since_id=1&since_id=2')).toEqual(['expected the parameter once, found 2 times: "1", "2"']);
    expect(await infoOf('since_id=%00')).toEqual(['expected an id, found "\\u0000"']);
  });

  test.each(['since_id=x', 'since_id=-1', 'since_id=1&since_id=2', 'before_id=1', 'page=1', 'per_page=0'])(
    'rejects the query ?%s',
    async (query) => {
      const { status, violations } = await api.get(`/applications/history?${query}`);
      expect([status, violations]).toEqual([400, [`invalid ?${query.split('=')[0]}`]]);
    },
  );
});
