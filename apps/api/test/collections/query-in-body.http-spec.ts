import { beforeAll, describe, expect, it } from '@jest/globals';
import LinkHeader from 'http-link-header';
import { type Answer, type ProblemBody } from '../support/answer.js';
import { useApi } from '../support/use-api.js';

const { api, make } = useApi();
type Body = Readonly<Record<string, unknown>>;

beforeAll(async () => {
  for (const title of ['a', 'b', 'c', 'd', 'e'])
    await make.vacancy({ title, tags: [title], openings: title.charCodeAt(0) });
});

/** Returns the parameters of a body as a query string. */
const queryOf = (body: Body): string =>
  new URLSearchParams(
    Object.entries(body).flatMap(([name, value]) =>
      [value].flat().flatMap((one): [string, string][] => (one === null ? [] : [[name, `${one as string | number}`]])),
    ),
  ).toString();
const told = ({ status, text, headers, json }: Answer): unknown[] =>
  status === 200 ? [status, text, headers['x-total-count']] : [status, { ...(json as object), request_id: '' }];

describe('POST /<collection>/query', () => {
  it.each<Body>([
    {},
    { page: 2, per_page: 2 },
    { page: '2', per_page: '2', sort: 'title!desc' },
    { search: '/title=b' },
    { search: ['/title!=b', '/openings>98'], sort: ['openings!desc', 'title!asc'] },
    { filter: 'c', page: null },
    { search: [], filter: null },
    { search: ['/title={a,e}', null] },
    { per_page: [2] },
    { rich_txt_fmt: 'html' },
    { filter: 5 },
    { page: 0 },
    { page: 1.5, per_page: 1e21 },
    { page: [1, 2] },
    { page: true },
    { serach: 'x', page: 0, sort: 'nothing!asc', search: ['/nothing=1', '/openings=x'] },
    { search: ['/openings>=DATE("today")'] },
    { after: 'x' },
    { filter: '' },
    { layout: 999_999, saved_search: 'x', selection: -1 },
    { query: 'x' },
  ])('answers like GET to %j', async (body) => {
    const [read, posted] = [await api.get(`/vacancies?${queryOf(body)}`), await api.post('/vacancies/query', body)];
    expect(told(posted)).toEqual(told(read));
  });

  it.each<[unknown, readonly string[]]>([
    [[], ['invalid ']],
    ['text', ['invalid ']],
    [{ page: {} }, ['invalid ?page']],
    [{ search: [['/title=a']], page: {} }, ['invalid ?search', 'invalid ?page']],
    [{ search: Array.from({ length: 101 }, () => '/title=a') }, ['invalid ?search']],
  ])('is 400 for the body %j', async (body, violations) => {
    const answer = await api.post('/vacancies/query', body);
    expect([answer.status, answer.violations]).toEqual([400, violations]);
  });

  it('takes no parameters in its URL', async () => {
    const answer = await api.post('/vacancies/query?page=2&serach=x', { page: 0 });
    expect([answer.status, [...answer.violations].sort()]).toEqual([
      400,
      ['invalid ?page', 'invalid ?page', 'invalid ?serach'],
    ]);
  });

  it('lists at most 1,000 violations, and says how many more there are', async () => {
    const body = Object.fromEntries(Array.from({ length: 1_500 }, (_, index) => [`unknown_${index}`, 1]));
    const { status, json } = await api.post('/vacancies/query', body);
    const { errors = [] } = json as ProblemBody;
    expect([status, errors.length]).toEqual([400, 1_001]);
    expect(errors.at(-1)?.info).toBe('more errors are not listed (at least 500): correct the listed ones first');
  });

  it('searches for a thousand values, and answers with links for GET that do not contain the values', async () => {
    const ids = (await api.get('/vacancies')).items.map(({ id }) => id);
    const many = [...ids, ...Array.from({ length: 1_000 - ids.length }, (_, index) => 1_000_000 + index)];
    const found: number[] = [];
    let answer = await api.post('/vacancies/query', {
      search: [`/id={${many.join(',')}}`],
      sort: 'title!desc',
      per_page: 2,
    });
    for (;;) {
      expect([answer.status, answer.headers['x-total-count']]).toEqual([200, String(ids.length)]);
      found.push(...answer.items.map(({ id }) => id));
      const next = LinkHeader.parse(answer.headers['link'] ?? '').refs.find(({ rel }) => rel === 'next')?.uri;
      if (next === undefined) break;
      expect(next).toMatch(/\/api\/v1\/vacancies\?query=[\w-]{32}&per_page=2&page=\d&after=[\w-]+$/);
      answer = await api.get(next.replace(/^.*\/api\/v1/, ''));
    }
    expect(found).toEqual([...ids].reverse());
    expect((await api.post('/vacancies/query', { search: [`/id={${[...many, 1].join(',')}}`] })).violations).toEqual([
      'invalid ?search',
    ]);
  });

  it('has links without handle when it has no conditions', async () => {
    const { headers } = await api.post('/vacancies/query', { per_page: 4 });
    expect(headers['link']).toMatch(/\/vacancies\?per_page=4&page=1>/);
  });

  it('accepts a body of 1 MiB', async () => {
    const search = Array.from({ length: 20 }, () => `/title!=${'x'.repeat(4_000)}`);
    const start = JSON.stringify({ search });
    const payload = start.padEnd(1024 * 1024, ' ');
    expect((await api.request('POST', '/api/v1/vacancies/query', { payload })).status).toBe(200);
    expect((await api.request('POST', '/api/v1/vacancies/query', { payload: `${payload} ` })).status).toBe(413);
  });

  it('only reads: it needs the read scope, ignores Idempotency-Key and stores no answer for the key', async () => {
    const [reader, writer] = [await make.token('vacancies:read'), await make.token('vacancies:write')];
    expect((await api.post('/vacancies/query', {}, { token: writer })).status).toBe(403);
    const headers = { 'idempotency-key': 'k' };
    for (const body of [{ page: 1 }, { page: 2 }]) {
      const answer = await api.post('/vacancies/query', body, { token: reader, headers });
      expect([answer.status, answer.headers['idempotency-replayed']]).toEqual([200, undefined]);
    }
    expect(await api.database.query('SELECT key FROM idempotency_keys')).toEqual([]);
  });

  it('is the only allowed method of its path', async () => {
    for (const method of ['GET', 'PUT', 'DELETE'] as const)
      expect((await api.request(method, '/api/v1/vacancies/query')).status).toBe(405);
  });

  it('exists in the same minor versions as its collection', async () => {
    const domain = async (version: string): Promise<unknown> =>
      (await api.post('/systems/query', {}, { headers: { 'api-version': version } })).items[0]?.['domain'];
    expect([await domain('1.4'), await domain('1.5')].map((text) => String(text).includes('.'))).toEqual([false, true]);
  });
});
