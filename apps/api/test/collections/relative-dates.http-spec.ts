import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Item } from '../support/answer.js';
import { awayFromMidnight } from '../support/away-from-midnight.js';
import { useApi } from '../support/use-api.js';
import { searchUrl } from './closed-lists.js';

const { api, make } = useApi();

/** Two time zones in which the date is always different, because they are 25 hours apart. */
const [EARLY, LATE] = ['Pacific/Kiritimati', 'Pacific/Pago_Pago'];
const DAY_MS = 86_400_000;

const useTimeZone = (timezone: string): Promise<unknown> =>
  api.database.query('UPDATE systems SET timezone = $1', [timezone]);

const dayIn = (timeZone: string, days: number): string =>
  new Date(Date.now() + days * DAY_MS).toLocaleDateString('sv-SE', { timeZone });

/** Maps the number of days from today in Kiritimati to the vacancy that opens on this day. */
const vacancies = new Map<number, Item>();

const opened = async (...conditions: readonly string[]): Promise<readonly (number | undefined)[]> => {
  const { status, items, text } = await api.get(
    `${searchUrl('/vacancies', conditions).replace('per_page=1', 'per_page=50')}&sort=opening_date!asc`,
  );
  if (status !== 200) throw new Error(text);
  return items.map(({ id }) => [...vacancies].find(([, vacancy]) => vacancy.id === id)?.[0]);
};

beforeAll(async () => {
  await awayFromMidnight(EARLY, 100_000);
  for (const days of [-8, -7, -1, 0, 1]) {
    vacancies.set(days, await make.vacancy({ title: 'V', opening_date: dayIn(EARLY, days) }));
  }
  await useTimeZone(EARLY);
});

describe('a relative date in a search', () => {
  it.each([
    ['/opening_date=DATE("today")', [0]],
    ['opening_date>=DATE("today") - DTDURATION(7,0,0,0)', [-7, -1, 0, 1]],
    ['opening_date<date("today")-dtduration(7,0,0,0)', [-8]],
    ['/opening_date={DATE("today"),DATE("today") + DTDURATION(1\\,0\\,0\\,0)}', [0, 1]],
    ['/opening_date!={DATE("today"),}', [-8, -7, -1, 1]],
    ['/opening_date=DATE("now")', [0]],
    ['/created_dt>=DATE("now") - DTDURATION(0,1,0,0)', [-8, -7, -1, 0, 1]],
    ['/created_dt>DATE("now")', []],
    ['/created_dt=DATE("today")', [-8, -7, -1, 0, 1]],
  ])('is computed in %s', async (condition, expected) => {
    expect(await opened(condition)).toEqual(expected);
  });

  it('follows the time zone of the system at each use, in saved searches too', async () => {
    const search = ['/opening_date=DATE("today")'];
    const { id, ...stored } = (await api.post('/saved_searches', { name: 'Today', resource: 'vacancies', search }))
      .item;
    expect(stored['search']).toEqual(search);
    const count = async (query: string): Promise<number> => (await api.get(`/vacancies?${query}`)).items.length;
    const counts: number[] = [];
    for (const timeZone of [EARLY, LATE, EARLY]) {
      await useTimeZone(timeZone);
      const sent = `search=${encodeURIComponent(search[0] ?? '')}&search=/id=${vacancies.get(0)?.id}`;
      counts.push(await count(`saved_search=${id}&search=/id=${vacancies.get(0)?.id}`), await count(sent));
    }
    expect(counts).toEqual([1, 1, 0, 0, 1, 1]);
  });

  it('keeps the cursor valid when the day changes between two pages', async () => {
    const url = searchUrl('/vacancies', ['opening_date>=DATE("today") - DTDURATION(30,0,0,0)']);
    const seen: number[] = [];
    let next: string | undefined = `/api/v1${url}`;
    for (let page = 0; next !== undefined; page++) {
      await useTimeZone(page % 2 === 0 ? EARLY : LATE);
      const answer = await api.request('GET', next);
      expect(answer.status).toBe(200);
      seen.push(...answer.items.map(({ id }) => id));
      next = /<[^>]*(\/api\/v1\/[^>]*)>; rel="next"/.exec(answer.headers['link'] ?? '')?.[1];
    }
    await useTimeZone(EARLY);
    expect(seen).toEqual([...vacancies.values()].map(({ id }) => id));
  });

  it.each([
    ['/opening_date=DATE("yesterday")', 'DATE takes'],
    ['/opening_date=DATE("today") - vacancy.id', 'expected DATE(…), and DTDURATION(…) after each + or -'],
    ['/opening_date=DATE("9999-12-31") + DTDURATION(1,0,0,0)', 'expected a date in the years 0001 to 9999'],
    ['/opening_date=today', 'expected a date as YYYY-MM-DD or DATE("today"), found "today"'],
    ['/created_dt>=today', 'or DATE("today"), found "today"'],
  ])('is refused in %s', async (condition, info) => {
    const { problem } = await api.get(searchUrl('/vacancies', [condition]));
    expect(problem.errors?.map(({ parameter, code, info: text }) => [parameter, code, text])).toEqual([
      ['search', 'invalid', expect.stringContaining(info)],
    ]);
    const stored = await api.post('/saved_searches', { name: 'S', resource: 'vacancies', search: [condition] });
    expect(stored.violations).toEqual(['invalid /search/0']);
  });
});

describe('a raw plus sign in a query', () => {
  it.each([
    'search=/created_dt>=2026-01-01T02:00:00+02:00',
    'search=/created_dt>=2026-01-01T02:00:00.123+02:00&search=id>0',
    'search=/created_dt={2026-01-01T02:00:00+02:00,2026-01-01}',
    'search=/created_dt<=DATE("2026-01-01T02:00:00+02:00")',
    'search=/created_dt<DATE("today")+DTDURATION(1,0,0,0)',
    'search=/opening_date>DATE("today")+-DTDURATION(1,0,0,0)+DTDURATION(1,0,0,0)',
  ])('is understood as a plus sign in %s', async (query) => {
    expect((await api.get(`/vacancies?${query.replaceAll('"', '%22')}`)).status).toBe(200);
  });

  it('still stands for a blank in texts', async () => {
    await make.vacancy({ title: 'Engineer (C +01:00)' });
    expect((await api.get('/vacancies?search=title=Engineer+(C+%2B01:00)')).items).toHaveLength(1);
  });
});
