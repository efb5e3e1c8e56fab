// @group sample: npm test runs a quarter of its tests
import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { deleteSurplusQueries } from '@ats/domain';
import { Database } from '@ats/postgres';
import LinkHeader from 'http-link-header';
import { type Answer } from '../support/answer.js';
import { useApi } from '../support/use-api.js';

const { api, make } = useApi();
const LIMIT = 1_500;
let ids: readonly number[];

beforeAll(async () => {
  ids = (await Promise.all(Array.from({ length: 5 }, () => make.candidate())))
    .map(({ id }) => id)
    .sort((a, b) => a - b);
});

/** Returns the URL of a link, as a path below `/api/v1`. */
const linkOf = (answer: Answer, relation: string): string => {
  const link = LinkHeader.parse(answer.headers['link'] ?? '').refs.find(({ rel }) => rel === relation);
  return link?.uri.replace(/^.*\/api\/v1/, '') ?? '';
};
const handleOf = (answer: Answer): string =>
  new URLSearchParams(linkOf(answer, 'first').split('?')[1]).get('query') ?? '';
const idsOf = (answer: Answer): readonly number[] => answer.items.map(({ id }) => id);
/** Makes a condition that finds the candidates of this file. Its list has `count` ids. */
const listOf = (count: number): string =>
  `/id={${[...ids, ...Array.from({ length: count - ids.length }, (_, index) => 1_000_000 + index)].join(',')}}`;
/** Makes a query string of exactly this length. It finds the candidates of this file, two on each page. */
const queryOf = (length: number): string => {
  const start = `search=/id={${ids.join(',')}}&sort=id!desc&per_page=2&search=/lastname!=`;
  return start.padEnd(length, 'x');
};

/** Reads all pages by their `next` links. */
async function follow(first: Answer, token?: string): Promise<readonly Answer[]> {
  const pages = [first];
  for (let next = linkOf(first, 'next'); next !== ''; next = linkOf(pages.at(-1) as Answer, 'next')) {
    const page = await api.get(next, token === undefined ? {} : { token });
    expect([next, page.status]).toEqual([next, 200]);
    pages.push(page);
  }
  return pages;
}

const storedRows = async (): Promise<number> =>
  Number((await api.database.query<{ n: string }>('SELECT count(*) AS n FROM stored_queries'))[0]?.n);

describe('a long query', () => {
  it('is repeated in links when it has at most 1,500 bytes; a longer one is named by a handle', async () => {
    for (const [length, isNamed] of [
      [LIMIT, false],
      [LIMIT + 1, true],
    ] as const) {
      const query = queryOf(length);
      expect(query.length).toBe(length);
      const answer = await api.get(`/candidates?${query}`);
      expect([length, answer.status, handleOf(answer) !== '']).toEqual([length, 200, isNamed]);
      expect(linkOf(answer, 'next').includes('lastname')).toBe(!isNamed);
      expect((await follow(answer)).flatMap(idsOf)).toEqual([...ids].reverse());
    }
  });

  it('keeps the size and order of its pages, forwards and backwards', async () => {
    const pages = await follow(await api.get(`/candidates?${queryOf(3_000)}`));
    expect(pages.map(idsOf).map(({ length }) => length)).toEqual([2, 2, 1]);
    const last = pages.at(-1) as Answer;
    const before = await api.get(linkOf(last, 'prev'));
    expect(before.text).toBe(pages[1]?.text);
    expect((await api.get(linkOf(last, 'first'))).text).toBe(pages[0]?.text);
    expect((await api.get(linkOf(pages[0] as Answer, 'last'))).text).toBe(last.text);
    expect(new Set(pages.map(handleOf)).size).toBe(1);
  });

  it('is stored once for equal queries, whatever the order of its parameters and the page', async () => {
    const before = await storedRows();
    const list = listOf(400);
    const handles = [
      await api.get(`/candidates?search=${list}&sort=id!desc&per_page=2`),
      await api.get(`/candidates?page=2&sort=id!desc&search=${encodeURIComponent(list)}`),
      await api.post('/candidates/query', { sort: 'id!desc', search: [list], page: 3 }),
    ].map(handleOf);
    expect(handles).toEqual([handles[0], handles[0], handles[0]]);
    expect(await storedRows()).toBe(before + 1);
    expect(handleOf(await api.get(`/candidates?search=${list}&sort=id!asc`))).not.toBe(handles[0]);
  });

  it('costs at most one statement on later pages, and a short query costs none', async () => {
    const database = api.app.get(Database);
    const statements = jest.spyOn(database, 'query');
    const costOf = async (query: string): Promise<number> => {
      statements.mockClear();
      expect((await api.get(`/candidates?${query}`)).status).toBe(200);
      return statements.mock.calls.filter(([text]) => text.includes('stored_queries')).length;
    };
    const handle = handleOf(await api.get(`/candidates?${queryOf(3_000)}`));
    expect(await costOf(`search=/id={${ids.join(',')}}`)).toBe(0);
    expect(await costOf(queryOf(3_000))).toBe(1);
    expect(await costOf(`query=${handle}`)).toBe(1);
    statements.mockRestore();
  });

  it('is deleted when it was used longest ago and the queries of its credential exceed their limit', async () => {
    const handles: string[] = [];
    for (const count of [200, 300, 400]) handles.push(handleOf(await api.get(`/users?search=${listOf(count)}`)));
    const [row] = await api.database.query<{ credential_id: number; bytes: number }>(
      `SELECT credential_id, sum(bytes)::integer AS bytes FROM stored_queries WHERE handle = ANY($1) GROUP BY 1`,
      [handles.slice(1)],
    );
    await api.database.query(
      `UPDATE stored_queries SET used_dt = now() + interval '1 second' * array_position($1, handle)
       WHERE handle = ANY($1)`,
      [handles],
    );
    await deleteSurplusQueries(api.database, Number(row?.credential_id), row?.bytes ?? 0);
    const answers = await Promise.all(handles.map((handle) => api.get(`/users?query=${handle}`)));
    expect(answers.map(({ status }) => status)).toEqual([400, 200, 200]);
  });

  it('has links below 8 KiB when escapes make a short query string longer', async () => {
    const answer = await api.request('GET', `/api/v1/candidates?search=/lastname!=${'"'.repeat(1_400)}`);
    expect([answer.status, handleOf(answer) !== '']).toEqual([200, true]);
  });

  it('has links without a handle when it has no parameters to store', async () => {
    const before = await storedRows();
    const answer = await api.get(`/candidates?per_page=2${'&'.repeat(5_000)}`);
    expect(linkOf(answer, 'next')).toMatch(/^\/candidates\?per_page=2&page=2&after=[\w-]+$/);
    expect(await storedRows()).toBe(before);
  });
});

describe('the parameter query', () => {
  let handle: string;
  beforeAll(async () => void (handle = handleOf(await api.get(`/candidates?search=${listOf(400)}&sort=id!desc`))));

  it('stands for the parameters of the stored query, and can be combined with those that choose a page', async () => {
    expect(idsOf(await api.get(`/candidates?query=${handle}`))).toEqual([...ids].reverse());
    expect(idsOf(await api.get(`/candidates?per_page=1&query=${handle}&page=2`))).toEqual([ids.at(-2)]);
    expect(idsOf(await api.post('/candidates/query', { query: handle, per_page: 1 }))).toEqual([ids.at(-1)]);
  });

  it.each(['search=/id=1', 'filter=x', 'sort=id!asc', 'saved_search=1', 'layout=1', 'serach=x'])(
    'is refused together with %s',
    async (other) => {
      const answer = await api.get(`/candidates?query=${handle}&${other}&page=0`);
      expect([answer.status, [...answer.violations].sort()]).toEqual([
        400,
        [`invalid ?${other.split('=')[0]}`, 'invalid ?page'].sort(),
      ]);
    },
  );

  it('is refused when it is unknown, malformed, repeated, or of another collection', async () => {
    for (const path of [
      `/candidates?query=${'A'.repeat(32)}`,
      '/candidates?query=x',
      '/candidates?query=',
      `/candidates?query=${handle}&query=${handle}`,
      `/users?query=${handle}`,
      `/vacancies?query=${handle}`,
    ]) {
      const answer = await api.get(path);
      expect([path, answer.status, answer.violations]).toEqual([path, 400, ['invalid ?query']]);
    }
    expect((await api.get('/candidates?query=x')).problem.errors?.[0]?.info).toBe(
      'there is no stored query "x" of this collection, or it has expired: send its parameters again',
    );
  });

  it('works under every path of a collection, and only for the same owner in the path', async () => {
    const [first, second] = [await make.application(), await make.application()];
    for (const application of [first, second]) await make.communication({ application });
    const query = `search=/subject!=${'x'.repeat(2_000)}`;
    const ofComms = handleOf(await api.get(`/applications/${first.id}/comms?${query}`));
    expect((await api.get(`/vacancy_applications/${first.id}/comms?query=${ofComms}`)).items).toHaveLength(1);
    expect((await api.get(`/applications/${second.id}/comms?query=${ofComms}`)).status).toBe(400);
    expect((await api.get(`/communications?query=${ofComms}`)).status).toBe(400);
  });

  it('checks the scopes of each credential that uses it, without naming the stored datapaths', async () => {
    const long = `search=user.email!=${'x'.repeat(1_600)}&search=/id={${ids.join(',')}}`;
    const wide = handleOf(await api.get(`/candidates?${long}`));
    const [reader, narrow] = [await make.token('candidates:read', 'users:read'), await make.token('candidates:read')];
    expect(idsOf(await api.get(`/candidates?query=${wide}`, { token: reader }))).toEqual(ids);
    const refused = await api.get(`/candidates?query=${wide}`, { token: narrow });
    expect([refused.status, refused.problem.message]).toEqual([
      403,
      'The credential lacks the scope users:read, which the parameter query needs',
    ]);
    expect((await api.get(`/candidates?${long}`, { token: narrow })).status).toBe(403);
    expect((await api.get(`/candidates?query=${wide}`, { token: await make.token('users:read') })).status).toBe(403);
  });

  it('is refused without the stored text when the stored query has become invalid', async () => {
    const { id } = await make.savedSearch({ resource: 'candidates', search: ['/lastname!=x'] });
    const made = await api.get(`/candidates?saved_search=${id}&search=/lastname!=${'secret'.repeat(300)}`);
    await api.delete(`/saved_searches/${id}`);
    const answer = await api.get(`/candidates?query=${handleOf(made)}&per_page=0`);
    expect([answer.status, [...answer.violations].sort()]).toEqual([400, ['invalid ?per_page', 'invalid ?query']]);
    expect(answer.text).not.toContain('secret');
  });

  it('expires 7 days after its last use, to the hour', async () => {
    const used = async (age: string): Promise<number> => {
      await api.database.query(`UPDATE stored_queries SET used_dt = now() - interval '${age}' WHERE handle = $1`, [
        handle,
      ]);
      return (await api.get(`/candidates?query=${handle}`)).status;
    };
    const ageOfUse = async (): Promise<number> =>
      Number(
        (
          await api.database.query<{ s: string }>(
            'SELECT extract(epoch FROM now() - used_dt) AS s FROM stored_queries WHERE handle = $1',
            [handle],
          )
        )[0]?.s,
      );
    expect(await used('59 minutes')).toBe(200);
    expect(await ageOfUse()).toBeGreaterThan(3_000);
    expect(await used('7 days 59 minutes')).toBe(200);
    expect(await ageOfUse()).toBeLessThan(60);
    expect(await used('7 days 61 minutes')).toBe(400);
    // Sending the same query again makes the handle valid again.
    expect(handleOf(await api.get(`/candidates?search=${listOf(400)}&sort=id!desc`))).toBe(handle);
    expect((await api.get(`/candidates?query=${handle}`)).status).toBe(200);
  });
});
