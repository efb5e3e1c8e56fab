// @group sample: npm test runs a quarter of its tests
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import LinkHeader from 'http-link-header';
import { type Answer } from '../support/answer.js';
import { useApi } from '../support/use-api.js';

const { api, make } = useApi();

const linksOf = ({ headers }: Answer): ReadonlyMap<string, string> =>
  new Map(LinkHeader.parse(headers['link'] ?? '').refs.map(({ rel, uri }) => [rel, uri]));
/** Returns the path of a link below `/api/v1`, or undefined when the answer has no link with this relation. */
const pathOf = (answer: Answer, relation: string): string | undefined =>
  linksOf(answer)
    .get(relation)
    ?.replace(/^.*\/api\/v1/, '');
const idsOf = ({ items }: Answer): readonly unknown[] => items.map(({ id }) => id);

/**
 * Follows the `next` links to the last page.
 * @returns all pages
 */
async function follow(
  path: string,
  visit: (answer: Answer) => Promise<void> | void = () => undefined,
): Promise<readonly Answer[]> {
  const pages: Answer[] = [];
  for (let at: string | undefined = path; at !== undefined; ) {
    const answer: Answer = await api.get(at);
    expect([at, answer.status]).toEqual([at, 200]);
    pages.push(answer);
    await visit(answer);
    at = pathOf(answer, 'next');
  }
  return pages;
}

describe('pages that a client reaches by links', () => {
  const TITLES = ['b', 'B', 'ä', 'a', 'Ä', 'b', 'c', 'a'];

  beforeEach(async () => {
    await api.database.query('TRUNCATE opportunities CASCADE');
    for (const [index, title] of TITLES.entries()) {
      await make.vacancy({
        title,
        location: index % 3 === 0 ? null : `place ${index % 2}`,
        salary_min: index % 4 === 0 ? null : index % 3,
      });
    }
  });

  it.each([
    '',
    'sort=title!asc',
    'sort=title!desc',
    'sort=location!asc',
    'sort=location!desc',
    'sort=salary_min!desc&sort=location!asc',
    'sort=location!asc&sort=salary_min!desc&sort=created_dt!desc',
    'sort=vacancy.owner.lastname!asc&sort=title!asc',
    'sort=closing_date!desc',
    'search=title!=c&sort=title!asc',
    'filter=place&sort=salary_min!asc',
  ])('contain every item exactly once: %s', async (query) => {
    const whole = await api.get(`/vacancies?${query}`);
    for (const size of [1, 2, 3]) {
      const pages = await follow(`/vacancies?${query}&per_page=${size}`);
      expect(pages.flatMap(idsOf)).toEqual(idsOf(whole));
      expect(pages.length).toBe(Math.ceil(whole.items.length / size));
      expect(new Set(pages.map(({ headers }) => headers['x-total-count']))).toEqual(
        new Set([String(whole.items.length)]),
      );
      for (const [index, page] of pages.entries()) {
        const byNumber = await api.get(`/vacancies?${query}&per_page=${size}&page=${index + 1}`);
        expect([index, byNumber.text]).toEqual([index, page.text]);
        expect([...linksOf(byNumber)]).toEqual([...linksOf(page)]);
      }
    }
  });

  it('neither miss nor repeat items while others insert and delete before the cursor', async () => {
    const before = idsOf(await api.get('/vacancies?sort=title!asc'));
    let writes = 0;
    const pages = await follow('/vacancies?sort=title!asc&per_page=2', async ({ items }) => {
      await make.vacancy({ title: '0' });
      if (++writes === 1) await api.delete(`/vacancies/${items[0]?.id}`);
    });
    expect(pages.flatMap(idsOf)).toEqual(before);
  });

  it('have a page number in every link, and a cursor in the link next', async () => {
    const [, second] = await follow('/vacancies?per_page=3');
    if (!second) throw new Error('two pages were expected');
    const parameters = [...linksOf(second)].map(([relation, url]) => [
      relation,
      [...new URL(url).searchParams.keys()].join(' '),
    ]);
    expect(Object.fromEntries(parameters)).toEqual({
      first: 'per_page page',
      prev: 'per_page page',
      next: 'per_page page after',
      last: 'per_page page',
    });
  });

  it('show no sort key in their links', async () => {
    await make.vacancy({ title: '0 Lovelace' });
    const answer = await api.get('/vacancies?sort=title!asc&per_page=1');
    expect(answer.items[0]?.['title']).toBe('0 Lovelace');
    const after = new URL(linksOf(answer).get('next') ?? '').searchParams.get('after') ?? '';
    expect(Buffer.from(after, 'base64url').toString('latin1')).not.toContain('Lovelace');
  });
});

describe('a cursor', () => {
  let next: string;

  beforeAll(async () => {
    for (let index = 0; index < 3; index++) await make.vacancy({ title: 'same' });
    next = pathOf(await api.get('/vacancies?search=title=same&sort=title!asc&per_page=1'), 'next') ?? '';
  });

  const violation = async (path: string): Promise<readonly unknown[]> => {
    const answer = await api.get(path);
    return [
      answer.status,
      ...(answer.problem.errors ?? []).map(
        ({ resource, parameter, code, info }) => `${resource} ${parameter} ${code}: ${info?.replace(/"[^"]*"/, '"…"')}`,
      ),
    ];
  };
  const FOREIGN = [
    400,
    'vacancies after invalid: the cursor "…" belongs to another query or is incomplete: follow the links of the answers unchanged, or send page without a cursor',
  ];

  it.each<[string, (path: string) => string]>([
    ['with another order', (path) => path.replace('!asc', '!desc')],
    ['with another search', (path) => path.replace('=same', '=other')],
    ['with another page number', (path) => path.replace(/\bpage=2/, 'page=3')],
    ['without its page number', (path) => path.replace(/&page=2/, '')],
    ['with another page size', (path) => path.replace('per_page=1', 'per_page=2')],
    ['with one more parameter', (path) => `${path}&filter=a`],
    ['with a shortened cursor', (path) => path.slice(0, -1)],
    [
      'with a changed cursor',
      (path) => path.replace(/after=(.)/, (_, first: string) => `after=${first === 'A' ? 'B' : 'A'}`),
    ],
    ['with a text that is not a cursor', (path) => path.replace(/after=.*/, 'after=1')],
  ])('is rejected in a link %s', async (_, change) => {
    expect(await violation(change(next))).toEqual(FOREIGN);
  });

  it('is rejected in another collection', async () => {
    const [status] = await violation(next.replace('/vacancies', '/events'));
    expect(status).toBe(400);
  });

  it('is rejected in another language, because state names sort differently', async () => {
    const sorted = await api.get('/vacancies?sort=state.name!asc&per_page=1', { headers: { 'accept-language': 'de' } });
    const path = pathOf(sorted, 'next') ?? '';
    const status = async (language: string): Promise<number> =>
      (await api.get(path, { headers: { 'accept-language': language } })).status;
    expect([await status('de'), await status('fr')]).toEqual([200, 400]);
  });

  it('is reported together with other violations', async () => {
    const [status, ...violations] = await violation(next.replace('per_page=1', 'per_page=0').replace('!asc', '!up'));
    expect([status, violations.length]).toEqual([400, 2]);
    const both = await violation(next.replace('!asc', '!up'));
    expect(both.length).toBe(3);
  });
});

describe('a page past the end', () => {
  it('is empty and has links to the pages before', async () => {
    const answer = await api.get('/vacancies?page=2147483647&per_page=1000');
    expect([answer.status, answer.text]).toEqual([200, '[]']);
    expect([...linksOf(answer).keys()]).toEqual(['first', 'prev', 'last']);
  });
});
