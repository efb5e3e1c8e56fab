// @group sample: npm test runs a quarter of its tests
import { describe, expect, test } from '@jest/globals';
import { type Answer, type Item } from '../support/answer.js';
import { BASE_URL, type RequestOptions } from '../support/api-harness.js';
import { useApi } from '../support/use-api.js';
import { eventually } from '../support/eventually.js';
import { formToken, type PublicPosting, publicPosting as makePublicPosting } from '../support/public-boards.js';

const { api, make } = useApi();

const HOUR_MS = 60 * 60 * 1_000;
const boards = '/public/v1/boards';
const read = (path: string, options: RequestOptions = {}): Promise<Answer> =>
  api.request('GET', `${boards}/${path}`, { token: null, ...options });
const apply = (path: string, body: unknown, options: RequestOptions = {}): Promise<Answer> =>
  api.request('POST', `${boards}/${path}/applications`, { token: null, body, ...options });
let number = 0;
const person = (): { firstname: string; lastname: string; email: string } => ({
  firstname: 'Ada',
  lastname: 'Lovelace',
  email: `board-${++number}@example.com`,
});
const publicPosting = (properties?: Readonly<Record<string, unknown>>): Promise<PublicPosting> =>
  makePublicPosting(make, properties);
const at = (code: string, { id }: Item): string => `${code}/postings/${id}`;
const applicationsTo = async ({ id }: Item): Promise<readonly Item[]> =>
  (await api.get(`/applications?search=/posting/id=${id}`)).items;

describe('a public board', () => {
  test('lists its open postings to everyone, with CORS and a cacheable answer', async () => {
    const { code, posting } = await publicPosting({ title: 'Engineer', location: 'Berlin, Germany' });
    const answer = await read(`${code}/postings`, { headers: { origin: 'https://elsewhere.example.com' } });
    const url = `${BASE_URL}${boards}/${at(code, posting)}`;
    expect([answer.status, answer.items]).toEqual([
      200,
      [
        {
          id: posting.id,
          url,
          page_url: `https://careers.example.com/${posting.id}`,
          title: 'Engineer',
          description: null,
          location: 'Berlin, Germany',
          department: 'Research',
          employment_type: 'Full-time',
          reference: expect.any(String),
          opening_date: expect.any(String),
          closing_date: null,
          form_url: `${url}/form`,
        },
      ],
    ]);
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'cache-control': 'public, max-age=60, stale-while-revalidate=600',
      'x-total-count': '1',
      etag: expect.any(String),
    });
    const again = await read(`${code}/postings`, { headers: { 'if-none-match': String(answer.headers['etag']) } });
    expect(again.status).toBe(304);
  });

  test.each([
    ['is not public', { is_public: false }],
    ['is not active', { is_public: true, is_active: false }],
  ])('that %s answers 404 to the public', async (_, properties) => {
    const board = await make.jobBoard(properties);
    const vacancy = await make.vacancy({ state: 'open' });
    const posting = await make.posting({ job_board_id: board.id, vacancy_id: vacancy.id });
    const code = String(board['code']);
    const token = formToken(posting.id);
    const answers = [
      await read(`${code}/postings`),
      await read(at(code, posting)),
      await read(`${at(code, posting)}/form`),
      await read(`${code}/feeds/rss.xml`),
      await read(`${code}/feeds/indeed.xml`),
      await apply(at(code, posting), { candidate: person(), token }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 404]);
  });

  test.each(['%00', 'a%00b', '%e2%80%ae', "'", '.', 'a'.repeat(1_000)])(
    'does not exist with the code %s',
    async (code) => {
      const paths = ['postings', 'postings/1', 'postings/1/form', 'feeds/rss.xml', 'feeds/indeed.xml'];
      const answers = await Promise.all(paths.map((path) => read(`${code}/${path}`)));
      expect(answers.map(({ status }) => status)).toEqual(paths.map(() => 404));
      expect((await apply(`${code}/postings/1`, { candidate: person(), token: 'none' })).status).toBe(404);
    },
  );

  test('hides postings that are not open, and postings of other boards', async () => {
    const { code, posting } = await publicPosting();
    const other = await publicPosting();
    const withdrawn = await publicPosting({ is_withdrawn: true });
    expect((await read(at(code, other.posting))).status).toBe(404);
    expect((await read(at(withdrawn.code, withdrawn.posting))).status).toBe(404);
    const vacancy = (posting['vacancy'] as Item).id;
    await api.put(`/vacancies/${vacancy}/state`, { state: 'closed' });
    const token = formToken(posting.id);
    expect((await read(`${code}/postings`)).items).toEqual([]);
    expect((await apply(at(code, posting), { candidate: person(), token })).status).toBe(404);
  });

  test('finds postings by words and by equal values', async () => {
    const { code, posting } = await publicPosting({ title: 'Data Engineer', location: 'Paris' });
    const found = async (query: string): Promise<unknown> =>
      (await read(`${code}/postings?${query}`)).items.map(({ id }) => id);
    expect(await found('q=ENGINEER%20data')).toEqual([posting.id]);
    expect(await found('q=engineer%20berlin')).toEqual([]);
    expect(await found('q=%25')).toEqual([]);
    expect(await found('location=paris&department=research&employment_type=full-time')).toEqual([posting.id]);
    expect(await found('location=par')).toEqual([]);
  });

  test('is read page by page, the newest posting first', async () => {
    const { code, posting } = await publicPosting({ opening_date: '2020-01-01' });
    const jobBoard = (posting['job_board'] as Item).id;
    const others = ['2020-01-03', '2020-01-02', '2020-01-02'].map((opening_date) =>
      make.posting({ job_board_id: jobBoard, vacancy_id: (posting['vacancy'] as Item).id, opening_date }),
    );
    const [newest, ...same] = await Promise.all(others);
    const expected = [newest, ...same.sort((one, two) => two.id - one.id), posting].map((item) => item?.id);
    const seen: unknown[] = [];
    for (let path: string | undefined = `${code}/postings?limit=1&q=`; path !== undefined; ) {
      const { status, headers, items } = await read(path);
      expect([status, headers['x-total-count']]).toEqual([200, '4']);
      seen.push(...items.map(({ id }) => id));
      path = /<[^>]*\/boards\/([^>]*)>; rel="next"/.exec(String(headers['link']))?.[1];
    }
    expect(seen).toEqual(expected);
  });

  test.each(['limit=0', 'limit=101', 'limit=x', 'after=x', 'colour=red', 'q=a&q=b', 'q=%00', `q=${'a%20'.repeat(11)}`])(
    'refuses the query %s',
    async (query) => {
      const { code } = await publicPosting();
      const { status, item } = await read(`${code}/postings?${query}`);
      expect([status, (item['errors'] as { parameter: string }[])[0]?.parameter]).toEqual([400, query.split('=')[0]]);
    },
  );

  test('answers preflights of any page, also for applications', async () => {
    const { status, headers } = await api.request('OPTIONS', `${boards}/x/postings/1/applications`, {
      token: null,
      headers: {
        origin: 'https://elsewhere.example.com',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type',
      },
    });
    expect([status, headers['access-control-allow-origin']]).toEqual([204, '*']);
    expect(headers['access-control-allow-methods']).toContain('POST');
    expect(headers['access-control-allow-headers']).toContain('Content-Type');
  });
});

describe('the JSON-LD of a posting', () => {
  test('describes the posting as a JobPosting of schema.org', async () => {
    const { code, posting } = await publicPosting({
      title: 'Engineer',
      description: '<p>Build</p>',
      location: 'Berlin, Germany',
      closing_date: '2999-12-31',
    });
    const { item } = await read(at(code, posting));
    expect(item['json_ld']).toEqual({
      '@context': 'https://schema.org',
      '@type': 'JobPosting',
      title: 'Engineer',
      description: expect.stringContaining('Build'),
      datePosted: posting['opening_date'],
      validThrough: '2999-12-31',
      identifier: { '@type': 'PropertyValue', name: 'Recruitment', value: expect.any(String) },
      hiringOrganization: { '@type': 'Organization', name: 'Recruitment', sameAs: 'https://careers.example.com/' },
      jobLocation: {
        '@type': 'Place',
        address: { '@type': 'PostalAddress', addressLocality: 'Berlin', addressCountry: 'Germany' },
      },
      employmentType: 'FULL_TIME',
      directApply: true,
      url: `https://careers.example.com/${posting.id}`,
    });
  });
});

describe('an application', () => {
  test('is stored with a new candidate, the posting and the board as source', async () => {
    const { code, posting } = await publicPosting();
    const candidate = person();
    const { status, item } = await apply(
      at(code, posting),
      { candidate, token: formToken(posting.id) },
      { headers: { origin: 'https://careers.example.com', 'sec-fetch-site': 'cross-site' } },
    );
    expect([status, item]).toEqual([202, { status: 'received' }]);
    const [application, ...others] = await applicationsTo(posting);
    expect(others).toEqual([]);
    expect(application).toMatchObject({ source: code, posting: { id: posting.id } });
    const user = await api.get(`/candidates/${(application?.['user'] as Item | undefined)?.id}`);
    expect(user.item).toMatchObject(candidate);
  });

  test('has the same answer for a known person, a second application and an address of a recruiter', async () => {
    const { code, posting } = await publicPosting();
    const known = await make.candidate({ firstname: 'Grace' });
    const recruiter = await make.recruiter();
    const token = formToken(posting.id);
    const sent = (email: unknown): Promise<Answer> =>
      apply(at(code, posting), { candidate: { ...person(), email }, token });
    const answers = [
      await sent(person().email),
      await sent(known['email']),
      await sent(String(known['email']).toUpperCase()),
      await sent(recruiter['email']),
    ];
    const seen = answers.map(({ status, item, headers }) => [
      status,
      item,
      Object.keys(headers).filter((name) => name !== 'date'),
    ]);
    expect(new Set(seen.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(seen[0]?.slice(0, 2)).toEqual([202, { status: 'received' }]);
    expect(await applicationsTo(posting)).toHaveLength(2);
    expect((await api.get(`/candidates/${known.id}`)).item['firstname']).toBe('Grace');
  });

  test('is dropped when the hidden field is filled in', async () => {
    const { code, posting } = await publicPosting();
    const { status, item } = await apply(at(code, posting), {
      candidate: person(),
      token: formToken(posting.id),
      website: 'https://spam.example.com',
    });
    expect([status, item]).toEqual([202, { status: 'received' }]);
    expect(await applicationsTo(posting)).toEqual([]);
  });

  test.each([
    ['is too new', 0],
    ['is too old', 25 * HOUR_MS],
  ])('needs another token when its token %s', async (_, age) => {
    const { code, posting } = await publicPosting();
    const { status, violations } = await apply(at(code, posting), {
      candidate: person(),
      token: formToken(posting.id, age),
    });
    expect([status, violations]).toEqual([422, ['invalid /token']]);
    expect(await applicationsTo(posting)).toEqual([]);
  });

  test('needs the token of its own posting', async () => {
    const { code, posting } = await publicPosting();
    const { violations } = await apply(at(code, posting), { candidate: person(), token: formToken(posting.id + 1) });
    expect(violations).toEqual(['invalid /token']);
  });

  test('is refused with 404 when the vacancy closes while it is sent', async () => {
    const { code, posting } = await publicPosting();
    const vacancy = (posting['vacancy'] as Item).id;
    const sent = await api.database.transaction(async (transaction) => {
      await transaction.query(
        `UPDATE opportunities SET state_id = (SELECT id FROM states WHERE state = 'closed' AND process_id =
           (SELECT s.process_id FROM states s WHERE s.id = opportunities.state_id)) WHERE id = $1`,
        [vacancy],
      );
      const answer = apply(at(code, posting), { candidate: person(), token: formToken(posting.id) });
      await eventually(async () => {
        const waiting = await api.database.query(`SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock'
          AND datname = current_database() AND query LIKE '%FOR SHARE OF o%'`);
        expect(waiting).toHaveLength(1);
      });
      return [answer] as const;
    });
    expect((await sent[0]).status).toBe(404);
    expect(await applicationsTo(posting)).toEqual([]);
  });

  test('gets all violations in one answer', async () => {
    const { code, posting } = await publicPosting();
    const { status, violations } = await apply(at(code, posting), {
      candidate: { firstname: 'Ada', email: 'ada', tags: ['a'] },
      answers: { section_1: {} },
      colour: 'red',
    });
    expect([status, [...violations].sort()]).toEqual([
      422,
      [
        'invalid /answers/section_1',
        'invalid /candidate/email',
        'invalid /candidate/tags',
        'invalid /colour',
        'missing /candidate/lastname',
        'missing /token',
      ],
    ]);
  });
});
