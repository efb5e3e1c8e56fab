// @group sample: npm test runs a quarter of its tests
import { describe, expect, test } from '@jest/globals';
import { type Item } from '../support/answer.js';
import { expectStatus } from '../support/factories.js';
import { useApi } from '../support/use-api.js';

const { api, make } = useApi();

const HTML = 'rich_txt_fmt=html';
const GIVEN =
  '<h2>Your <b>task</b>s</h2>\n' +
  '<p onclick="x()">Build <a href="https://a.example/">engines</a> &amp; more<script>alert(1)</script></p>';
const STORED =
  '<h2>Your <b>task</b>s</h2>\n' +
  '<p>Build <a href="https://a.example/" rel="noopener noreferrer nofollow">engines</a> &amp; more</p>';
const PLAIN = 'Your tasks\n\nBuild engines & more';

/** The resources that have a rich-text description. `required` returns the other properties that a PUT requires. */
const KINDS: readonly [
  path: string,
  make: (description: unknown) => Promise<Item>,
  required: (item: Item) => object,
][] = [
  ['/vacancies', (description) => make.vacancy({ description }), ({ title }) => ({ title })],
  [
    '/events',
    (description) => make.event({ description }),
    ({ title, start_dt, end_dt }) => ({ title, start_dt, end_dt }),
  ],
  [
    '/postings',
    (description) => make.posting({ description }),
    ({ title, vacancy, job_board }) => ({
      title,
      vacancy_id: (vacancy as Item).id,
      job_board_id: (job_board as Item).id,
    }),
  ],
];

const descriptionOf = async (path: string): Promise<unknown> =>
  expectStatus(200, await api.get(path)).item['description'];

describe.each(KINDS)('a description in %s', (path, makeOne, required) => {
  const replace = async (item: Item, description: unknown): Promise<Item> =>
    expectStatus(200, await api.put(`${path}/${item.id}`, { ...required(item), description })).item;

  test('is shown as plain text by default, even after a write, and as HTML on request', async () => {
    const item = await makeOne(GIVEN);
    expect(item['description']).toBe(PLAIN);
    expect(await descriptionOf(`${path}/${item.id}`)).toBe(PLAIN);
    expect(await descriptionOf(`${path}/${item.id}?${HTML}`)).toBe(STORED);
    const page = async (query: string) =>
      (await api.get(`${path}?search=/id=${item.id}${query}`)).items.map(({ description }) => description);
    expect(await page('')).toEqual([PLAIN]);
    expect(await page(`&${HTML}`)).toEqual([STORED]);
    expect((await replace(item, '<p>New</p>'))['description']).toBe('New');
  });

  test('is null when it is absent, and empty when sanitising leaves no text', async () => {
    for (const [given, read] of [
      [null, null],
      ['', ''],
      ['<script>x</script>', ''],
    ]) {
      const { id } = await makeOne(given);
      expect([await descriptionOf(`${path}/${id}`), await descriptionOf(`${path}/${id}?${HTML}`)]).toEqual([
        read,
        read,
      ]);
    }
    const item = await makeOne(GIVEN);
    expect((await replace(item, undefined))['description']).toBeNull();
    expect(await descriptionOf(`${path}/${item.id}?${HTML}`)).toBeNull();
  });

  test('is found by its text across tags, never by its markup', async () => {
    const { id } = await makeOne(`<p title="x">Sen<b>ior</b> R&amp;D engineer ${path}</p>`);
    const found = async (query: string) =>
      expectStatus(200, await api.get(`${path}?search=/id=${id}&${query}`)).items.length;
    for (const form of ['', `&${HTML}`]) {
      expect(await found(`search=/description=~senior r%26d${form}`)).toBe(1);
      expect(await found(`filter=senior r%26d${form}`)).toBe(1);
      expect(await found(`search=description=Senior R%26D engineer ${path}${form}`)).toBe(1);
      expect(await found(`search=/description=~<b>${form}`)).toBe(0);
      expect(await found(`filter=amp;${form}`)).toBe(0);
    }
  });

  test('is sorted by its plain text', async () => {
    const ids = [await makeOne('<b>b</b>'), await makeOne('<i>c</i>'), await makeOne('<u>a</u>')].map(({ id }) => id);
    const { items } = await api.get(`${path}?search=/id={${ids.join(',')}}&sort=description!asc&${HTML}`);
    expect(items.map(({ description }) => description)).toEqual(['<u>a</u>', '<b>b</b>', '<i>c</i>']);
  });

  test.each([
    ['its plain text', PLAIN],
    ['its HTML', STORED],
    ['HTML with the same sanitised form', GIVEN],
  ])('does not change when %s is sent', async (_, description) => {
    const item = await makeOne(GIVEN);
    const changed = await replace(item, description);
    expect(changed['updated_dt']).toBe(item['updated_dt']);
    expect(await descriptionOf(`${path}/${item.id}?${HTML}`)).toBe(STORED);
    expect((await historyOf(item)).map(({ type }) => type)).toEqual(['created']);
  });

  test('changes when only its formatting changes, and history shows the plain text', async () => {
    const item = await makeOne('<p>One</p>');
    const changed = await replace(item, '<p><b>One</b></p>');
    expect(changed['updated_dt']).not.toBe(item['updated_dt']);
    await replace(item, '<p>Two &amp; three</p>');
    await replace(item, null);
    expect((await historyOf(item)).flatMap(({ changes }) => changes ?? [])).toEqual([
      { path: '/description', old: 'Two & three', new: null },
      { path: '/description', old: 'One', new: 'Two & three' },
      { path: '/description', old: 'One', new: 'One' },
    ]);
  });

  test.each([
    ['null characters', 'a\0b'],
    ['lone surrogates', '<p>\ud800</p>'],
    ['more than 100,000 characters', 'x'.repeat(100_001)],
    ['more than 100,000 characters as HTML', '&'.repeat(20_001)],
    ['more than 100,000 characters as plain text', `${'<blockquote>'.repeat(40)}${'a<br>'.repeat(2000)}`],
    ['more than 10,000 tags', '<b>'.repeat(10_001)],
    ['a number', 7],
    ['a list', ['<p>a</p>']],
    ['an object', { html: 'a' }],
  ])('is rejected with %s, together with other violations', async (_, description) => {
    const { status, violations } = await api.post(path, { description, nonsense: 1 });
    expect([status, violations.filter((violation) => /description|nonsense/.test(violation)).sort()]).toEqual([
      422,
      ['invalid /description', 'invalid /nonsense'],
    ]);
  });

  test('can be replaced with the ETag of the plain text or of the HTML in If-Match', async () => {
    const item = await makeOne(GIVEN);
    const put = (ifMatch: string, description: string) =>
      api.put(`${path}/${item.id}`, { ...required(item), description }, { headers: { 'if-match': ifMatch } });
    const tags = async () =>
      [(await api.get(`${path}/${item.id}`)).etag, (await api.get(`${path}/${item.id}?${HTML}`)).etag] as const;
    const [plain, html] = await tags();
    expect(plain).not.toBe(html);
    expectStatus(200, await put(html, '<i>First</i>'));
    expect([(await put(html, 'x')).status, (await put(plain, 'x')).status]).toEqual([412, 412]);
    const [newPlain] = await tags();
    expectStatus(200, await put(newPlain, 'Second'));
    expect((await api.delete(`${path}/${item.id}`, { headers: { 'if-match': newPlain } })).status).toBe(412);
    const [, newHtml] = await tags();
    expectStatus(204, await api.delete(`${path}/${item.id}`, { headers: { 'if-match': newHtml } }));
  });

  test('is described as rich text in its schema', async () => {
    const { json } = await api.get(`/schemas${path}`);
    expect((json as { properties: Record<string, unknown> }).properties['description']).toMatchObject({
      description: expect.stringContaining('`rich_txt_fmt=html`'),
      'x-elements': expect.arrayContaining(['p', 'li', 'a', 'table']),
      'x-filterable': true,
    });
  });
});

async function historyOf({
  url,
}: Item): Promise<readonly { readonly type: string; readonly changes: readonly unknown[] | null }[]> {
  const { json } = await api.get(`${url.slice(url.indexOf('/api/v1') + '/api/v1'.length)}/history`);
  return (json as { items: readonly { type: string; changes: readonly unknown[] | null }[] }).items;
}

describe('the parameter rich_txt_fmt', () => {
  test.each(['text', 'HTML', '', 'html,html', '%00', 'html&rich_txt_fmt=html', 'text&rich_txt_fmt=html'])(
    'is rejected with the value %j on items and pages',
    async (value) => {
      const { id } = await make.vacancy();
      for (const path of ['/vacancies', `/vacancies/${id}`, '/candidates']) {
        const { status, violations } = await api.get(`${path}?rich_txt_fmt=${value}`);
        expect([path, status, violations]).toEqual([path, 400, ['invalid ?rich_txt_fmt']]);
      }
    },
  );

  test('is rejected together with other violations', async () => {
    const { status, violations } = await api.get('/vacancies?rich_txt_fmt=text&page=0&serach=x');
    expect([status, [...violations].sort()]).toEqual([
      400,
      ['invalid ?page', 'invalid ?rich_txt_fmt', 'invalid ?serach'],
    ]);
  });

  test('is accepted for resources without rich text, kept in links, and rejected on writes', async () => {
    await make.jobBoard();
    const page = expectStatus(200, await api.get(`/job_boards?per_page=1&${HTML}`));
    expect(page.headers['link']).toContain(`&${HTML}`);
    expect((await api.post(`/job_boards?${HTML}`, { name: 'Board', code: 'html' })).violations).toEqual([
      'invalid ?rich_txt_fmt',
    ]);
  });
});

test('a move to another state accepts the ETag of an answer with HTML', async () => {
  const { id } = await make.vacancy({ description: GIVEN });
  const { etag } = await api.get(`/vacancies/${id}?${HTML}`);
  expectStatus(200, await api.put(`/vacancies/${id}/state`, { state: 'closed' }, { headers: { 'if-match': etag } }));
  expect((await api.put(`/vacancies/${id}/state`, { state: 'open' }, { headers: { 'if-match': etag } })).status).toBe(
    412,
  );
});

test('the snapshot of an event has the plain text of a rich text', async () => {
  const { id } = await make.posting({ description: GIVEN });
  const [event] = await api.database.query<{ facts: Record<string, unknown> }>(
    `SELECT facts FROM domain_events WHERE subject_type = 'posting' AND subject_id = $1`,
    [id],
  );
  expect(event?.facts['posting.description']).toBe(PLAIN);
});
