// @group sample: npm test runs a quarter of its tests
import { describe, expect, test } from '@jest/globals';
import { deleteOldChanges } from '@ats/domain';
import { type Item } from '../support/answer.js';
import { BASE_URL } from '../support/api-harness.js';
import { eventually } from '../support/eventually.js';
import { expectStatus } from '../support/factories.js';
import { useApi } from '../support/use-api.js';
import { type Change, type ChangesBody, Feed, namesOf } from './feed.js';

const { api, make } = useApi();
const feed = new Feed(api);

describe('the changes feed', () => {
  test('starts with an empty list and a token', async () => {
    await make.jobBoard();
    const { items, next, has_more } = await feed.read({ since: 'now' });
    expect([items, has_more]).toEqual([[], false]);
    expect(await feed.read({ since: next })).toMatchObject({ items: [], has_more: false });
  });

  test('has creations, updates and deletions in the order of the commits, with tombstones', async () => {
    const since = await feed.now();
    const one = await make.jobBoard();
    const two = await make.jobBoard();
    const { item } = expectStatus(200, await api.put(`/job_boards/${one.id}`, { name: 'New', code: one['code'] }));
    await api.delete(`/job_boards/${two.id}`);
    const page = await feed.read({ since });
    expect(namesOf(page)).toEqual([
      `created job_boards ${one.id}`,
      `created job_boards ${two.id}`,
      `updated job_boards ${one.id}`,
      `deleted job_boards ${two.id}`,
    ]);
    expect(page.items[2]).toEqual({
      resource: 'job_boards',
      id: one.id,
      uuid: one['uuid'],
      url: `${BASE_URL}/api/v1/job_boards/${one.id}`,
      change: 'updated',
      dt: item['updated_dt'],
    });
    expect(page.items[3]).toMatchObject({ uuid: two['uuid'], url: two.url });
  });

  test('has no entry for a refused write and for a write that changes nothing', async () => {
    const board = await make.jobBoard();
    const since = await feed.now();
    expectStatus(200, await api.put(`/job_boards/${board.id}`, { name: board['name'], code: board['code'] }));
    await api.post('/job_boards', { name: 'x', code: board['code'] });
    expect((await feed.read({ since })).items).toEqual([]);
  });

  test('has a tombstone for everything that is deleted with an item', async () => {
    const { posting, vacancy, form } = {
      posting: await make.posting(),
      vacancy: await make.vacancy(),
      form: await make.form(),
    };
    const since = await feed.now();
    const vacancyOfPosting = (posting['vacancy'] as Item).id;
    expectStatus(204, await api.delete(`/vacancies/${vacancyOfPosting}`));
    expectStatus(204, await api.delete(`/vacancies/${vacancy.id}`));
    expectStatus(204, await api.delete(`/forms/${form.id}`));
    expect([...namesOf(await feed.read({ since }))].sort()).toEqual(
      [
        `deleted postings ${posting.id}`,
        `deleted vacancies ${vacancyOfPosting}`,
        `deleted vacancies ${vacancy.id}`,
        `deleted forms ${form.id}`,
      ].sort(),
    );
  });

  test('has a change of each item that loses a reference by a deletion', async () => {
    const posting = await make.posting();
    const opportunity_id = (posting['vacancy'] as Item).id;
    const application = await make.application({ opportunity_id, posting_id: posting.id });
    const { item: copy } = expectStatus(
      201,
      await api.post(`/vacancy_applications/${application.id}/copy`, { opp_id: (await make.vacancy()).id }),
    );
    const note = await make.communication({ application, type: 'note' });
    const since = await feed.now();
    expectStatus(204, await api.delete(`/postings/${posting.id}`));
    expectStatus(204, await api.delete(`/vacancy_applications/${application.id}`));
    const page = await feed.read({ since });
    expect([...namesOf(page)].sort()).toEqual(
      [
        `deleted postings ${posting.id}`,
        `updated applications ${application.id}`,
        `deleted applications ${application.id}`,
        `updated applications ${copy.id}`,
        `updated communications ${note.id}`,
      ].sort(),
    );
    for (const { url, updated_dt } of [copy, note]) {
      const { item } = expectStatus(200, await api.get(url.slice(`${BASE_URL}/api/v1`.length)));
      expect(Date.parse(String(item['updated_dt']))).toBeGreaterThanOrEqual(Date.parse(String(updated_dt)));
      expect(page.items.some(({ dt }) => dt === item['updated_dt'])).toBe(true);
    }
  });

  test('says that a candidate was anonymised', async () => {
    const { id } = await make.candidate();
    const since = await feed.now({ resources: 'candidates' });
    expectStatus(200, await api.post(`/candidates/${id}/anonymise`));
    expect(namesOf(await feed.read({ since }))).toEqual([`anonymised candidates ${id}`]);
  });

  test('is read page by page without gaps', async () => {
    const since = await feed.now();
    const made = [];
    for (let count = 0; count < 7; count++) made.push(await make.jobBoard());
    const first = await feed.read({ since, limit: 3 });
    expect([first.items.length, first.has_more]).toEqual([3, true]);
    const rest = await feed.after(first.next, 2);
    expect([...first.items, ...rest.items].map(({ id }) => id)).toEqual(made.map(({ id }) => id));
  });

  test('is read in large pages without gaps or repetitions, while other changes are made', async () => {
    const since = await feed.now();
    await api.database.query(
      `INSERT INTO changes (resource, item_id, item_uuid, change, dt)
       SELECT (ARRAY['forms', 'job_boards'])[1 + n % 2], n, gen_random_uuid(), 'updated',
         '2026-03-01T09:00:00Z'::timestamptz + n * interval '7 ms'
       FROM generate_series(1, 5500) n`,
    );
    const startMs = Date.parse('2026-03-01T09:00:00Z');
    const expected = Array.from({ length: 5_500 }, (_, index) => {
      const n = index + 1;
      return [n % 2 === 0 ? 'forms' : 'job_boards', n, new Date(startMs + n * 7).toISOString()];
    });
    const found: Change[] = [];
    for (let token = since; ; ) {
      const page = await feed.read({ since: token, limit: 1_000 });
      found.push(...page.items);
      token = page.next;
      if (!page.has_more) break;
      const board = await make.jobBoard();
      expected.push(['job_boards', board.id, String(board.updated_dt)]);
    }
    expect(found.map(({ resource, id, dt }) => [resource, id, dt])).toEqual(expected);
    expect(found.map(({ url }) => url)).toEqual(
      expected.map(([resource, id]) => `${BASE_URL}/api/v1/${resource}/${id}`),
    );
  });

  test('continues with the resources that the first request of the chain named', async () => {
    const since = await feed.now({ resources: 'job_boards,forms' });
    await make.candidate();
    const board = await make.jobBoard();
    const page = await feed.read({ since });
    expect(namesOf(page)).toEqual([`created job_boards ${board.id}`]);
    expect((await feed.ask({ since, resources: 'forms,job_boards' })).status).toBe(200);
    expect((await feed.ask({ since, resources: 'forms' })).status).toBe(400);
  });

  test('shows a transaction when it commits, however long it was open', async () => {
    const since = await feed.now();
    const early = await make.jobBoard();
    const late = await api.database.transaction(async (transaction) => {
      const [row] = await transaction.query<{ id: number }[]>(
        `INSERT INTO job_boards (name, code) VALUES ('Late', 'late') RETURNING id`,
      );
      const board = await make.jobBoard();
      const before = await feed.read({ since });
      expect(namesOf(before)).toEqual([`created job_boards ${early.id}`, `created job_boards ${board.id}`]);
      return { id: row?.id, next: before.next };
    });
    expect(namesOf(await feed.read({ since: late.next }))).toEqual([`created job_boards ${late.id}`]);
  });

  test('can start at a time, and then has all changes since that time', async () => {
    const { updated_dt } = await make.jobBoard();
    const board = await make.jobBoard();
    const { items } = await feed.read({ since: String(updated_dt), resources: 'job_boards' });
    expect(items.map(({ id }) => id)).toContain(board.id);
  });
});

describe('parameters of the changes feed', () => {
  test.each([
    [{}, 'since'],
    [{ since: 'yesterday' }, 'since'],
    [{ since: '2026-01-01' }, 'since'],
    [{ since: 'now', limit: 0 }, 'limit'],
    [{ since: 'now', limit: 10_001 }, 'limit'],
    [{ since: 'now', wait: 61 }, 'wait'],
    [{ since: 'now', wait: -1 }, 'wait'],
    [{ since: 'now', resources: 'colours' }, 'resources'],
    [{ since: 'now', resources: 'audit_entries' }, 'resources'],
    [{ since: 'now', resources: '' }, 'resources'],
    [{ since: 'now', page: 2 }, 'page'],
  ])('are refused when they are %j', async (parameters, parameter) => {
    const { status, problem } = await feed.ask(parameters);
    expect([status, problem.errors?.map((error) => error.parameter)]).toEqual([400, [parameter]]);
  });
});

describe('the scopes of a credential', () => {
  test('limit the feed to the resources that the credential may read', async () => {
    const own = new Feed(api, { token: await make.token('job_boards:read') });
    const since = await own.now();
    await make.candidate();
    const board = await make.jobBoard();
    expect(namesOf(await own.read({ since }))).toEqual([`created job_boards ${board.id}`]);
    expect((await own.ask({ since: 'now', resources: 'candidates' })).status).toBe(403);
    const none = new Feed(api, { token: await make.token('history:read') });
    expect((await none.ask({ since: 'now' })).status).toBe(403);
  });

  test('are checked again when it uses the token of another credential', async () => {
    const since = await feed.now();
    const other = new Feed(api, { token: await make.token('job_boards:read') });
    expect((await other.ask({ since })).status).toBe(403);
  });
});

describe('a token of the changes feed', () => {
  test('is refused with instructions when its changes are no longer stored', async () => {
    const since = await feed.now();
    await make.jobBoard();
    await feed.read({ since });
    await api.database.query(`UPDATE changes SET published_dt = published_dt - interval '40 days'`);
    expect(await deleteOldChanges(api.database, 30, 10_000)).toBeGreaterThan(0);
    const { status, problem } = await feed.ask({ since });
    expect([status, problem.message]).toEqual([410, expect.stringContaining('since=now')]);
    expect((await feed.ask({ since: '2020-01-01T00:00:00Z' })).status).toBe(410);
  });

  test('is refused after the database was restored', async () => {
    const since = await feed.now();
    await api.database.query('UPDATE change_feed SET epoch = gen_random_uuid()');
    expect((await feed.ask({ since })).status).toBe(410);
  });
});

describe('a waiting request for changes', () => {
  const settled = async (promise: Promise<unknown>): Promise<boolean> =>
    Promise.race([promise.then(() => true), new Promise<boolean>((resolve) => setImmediate(() => resolve(false)))]);

  test('is answered with the first change', async () => {
    const since = await feed.now({ resources: 'job_boards' });
    const waiting = feed.read({ since, wait: 60 });
    await make.candidate();
    expect(await settled(waiting)).toBe(false);
    const board = await make.jobBoard();
    expect(namesOf(await waiting)).toEqual([`created job_boards ${board.id}`]);
  });

  test('gets an empty list when its time ends without a change', async () => {
    const since = await feed.now();
    const page: ChangesBody = await feed.read({ since, wait: 1 });
    expect([page.items, page.has_more]).toEqual([[], false]);
  });

  test('does not count as a concurrent request', async () => {
    const limited = await api.beside({ RATE_LIMIT: 1_000, CONCURRENCY_LIMIT: 1 });
    const token = await make.token('job_boards:read');
    const own = new Feed(limited, { token });
    const since = await own.now();
    const waiting = own.read({ since, wait: 60 });
    await eventually(async () => expect((await limited.get('/me', { token })).status).toBe(200));
    const board = await make.jobBoard();
    expect(namesOf(await waiting)).toEqual([`created job_boards ${board.id}`]);
    await limited.app.close();
  });

  test('gets 401 when the credential is revoked', async () => {
    const credential = await make.credential({ scopes: ['credentials:read', 'job_boards:read'] });
    const own = new Feed(api, { token: String(credential['token']) });
    const since = await own.now();
    const waiting = own.ask({ since, wait: 60 });
    expectStatus(204, await api.delete(`/credentials/${credential.id}`));
    await make.jobBoard();
    expect((await waiting).status).toBe(401);
  });
});
