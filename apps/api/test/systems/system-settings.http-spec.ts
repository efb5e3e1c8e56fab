// @group sample: npm test runs a quarter of its tests
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { type Answer } from '../support/answer.js';
import { type Api } from '../support/api-harness.js';
import { eventually } from '../support/eventually.js';
import { expectStatus } from '../support/factories.js';
import { useApi } from '../support/use-api.js';

const { api, make } = useApi();
/** A second process on the same database. */
let other: Api;
const INITIAL = {
  name: 'Recruitment',
  domain: 'jobs.example.com',
  environment: 'production',
  default_language: 'en',
  timezone: 'UTC',
};
const patch = (body: unknown, options: Parameters<Api['request']>[2] = {}): Promise<Answer> =>
  api.request('PATCH', '/api/v1/systems/1', { body, ...options });

beforeAll(async () => void (other = await api.beside({})));
afterEach(async () => void expectStatus(200, await patch({ ...INITIAL, domain: null })));
afterAll(() => other.app.close());

describe('PATCH of the system settings', () => {
  test('changes the retention of candidates only with candidates:write', async () => {
    const systemsOnly = await make.token('systems:write', 'systems:read');
    const both = await make.token('systems:write', 'candidates:write');
    for (const change of [{ candidate_retention_days: 30 }, { retention_notice_days: 1 }]) {
      expectStatus(403, await patch(change, { token: systemsOnly }));
      expectStatus(200, await patch(change, { token: both }));
      expectStatus(200, await patch({ ...change, environment: 'staging' }, { token: systemsOnly }));
    }
    expectStatus(200, await patch({ candidate_retention_days: null, retention_notice_days: 14 }));
  });

  test.each([
    { name: 'Example Careers' },
    { domain: 'careers.example.org' },
    { timezone: 'Pacific/Auckland' },
    { default_language: 'ar' },
    { environment: 'staging' },
  ])('changes %j and nothing else', async (change) => {
    const { item: before, etag } = await api.get('/systems/1');
    expect(before).toMatchObject(INITIAL);
    const { item, etag: after } = expectStatus(200, await patch(change));
    expect(item).toEqual({ ...before, ...change, updated_dt: expect.any(String) });
    expect(item['updated_dt']).not.toBe(before['updated_dt']);
    expect(after).not.toBe(etag);
    expect((await other.get('/systems/1')).item).toEqual(item);
    expect((await api.get('/systems')).items).toEqual([item]);
  });

  test('changes nothing when every property has its present value', async () => {
    const { item, etag } = await api.get('/systems/1');
    expect(expectStatus(200, await patch(item)).item).toEqual(item);
    expect(expectStatus(200, await patch({}, { headers: { 'if-match': String(etag) } })).etag).toBe(etag);
  });

  test('obeys If-Match, and needs systems:write', async () => {
    const { etag } = await api.get('/systems/1');
    const ifMatch = { headers: { 'if-match': String(etag) } };
    expectStatus(200, await patch({ name: 'First' }, ifMatch));
    expectStatus(412, await patch({ name: 'Second' }, ifMatch));
    expectStatus(403, await patch({ name: 'Third' }, { token: await make.token('systems:read') }));
    expectStatus(200, await patch({ name: 'Fourth' }, { token: await make.token('systems:write') }));
    expect((await api.get('/systems/1')).item['name']).toBe('Fourth');
  });

  test('is the only way to write: PUT, POST and DELETE get 405', async () => {
    const body = INITIAL;
    for (const answer of [
      await api.put('/systems/1', body),
      await api.delete('/systems/1'),
      await api.post('/systems', body),
    ])
      expectStatus(405, answer);
    expectStatus(404, await api.request('PATCH', '/api/v1/systems/2', { body }));
  });

  test.each([
    [{ name: null, timezone: null }, ['/name', '/timezone']],
    [{ name: ' ', environment: '' }, ['/name', '/environment']],
    [{ domain: 'localhost', timezone: 'europe/berlin' }, ['/domain', '/timezone']],
    [{ domain: 'jobs.example.com:8443', timezone: '+01:00' }, ['/timezone', '/domain']],
    [{ timezone: 'Mars/Olympus', default_language: 'it' }, ['/default_language', '/timezone']],
    [{ languages: ['en'] }, ['/languages']],
    [{ id: 2, nonsense: 1 }, ['/id', '/nonsense']],
  ])('reports all violations of %j together', async (body, paths) => {
    const { problem } = expectStatus(422, await patch(body));
    expect(problem.errors?.map(({ path }) => path).sort()).toEqual([...paths].sort());
    expect((await api.get('/systems/1')).item).toMatchObject(INITIAL);
  });

  test('shows and accepts the domain as its first label below 1.5', async () => {
    const below = { headers: { 'api-version': '1.4' } };
    expectStatus(200, await patch({ domain: 'careers.example.org' }));
    const { item } = expectStatus(200, await patch({ name: 'Careers' }, below));
    expect([item['name'], item['domain']]).toEqual(['Careers', 'careers']);
    const all = expectStatus(200, await patch(item, below)).item;
    expect(all).toEqual(item);
    expect((await api.get('/systems/1')).item['domain']).toBe('careers.example.org');
  });
});

describe('a change of the default language', () => {
  test('holds at once in this process, and within seconds in every other process', async () => {
    const { token } = await make.credential({ language: null });
    const languagesOf = async (process: Api): Promise<unknown[]> =>
      Promise.all(
        [process.get('/me', { token }), process.get('/me', { token: null })].map(
          async (answer) => (await answer).headers['content-language'],
        ),
      );
    expect([await languagesOf(api), await languagesOf(other)]).toEqual([
      ['en', 'en'],
      ['en', 'en'],
    ]);
    expectStatus(200, await patch({ default_language: 'fr' }));
    expect(await languagesOf(api)).toEqual(['fr', 'fr']);
    await eventually(async () => expect(await languagesOf(other)).toEqual(['fr', 'fr']));
  });

  test('reaches texts that are written as a string', async () => {
    expectStatus(200, await patch({ default_language: 'de' }));
    const body = {
      name: 'List',
      resource: 'candidates',
      columns: [{ position: 1, title: 'Nachname', datapath: 'candidate.lastname' }],
    };
    const { id } = expectStatus(201, await other.post('/layouts', body)).item;
    expectStatus(200, await patch({ default_language: 'en' }));
    const { item } = await api.get(`/layouts/${Number(id)}`, { headers: { 'accept-language': 'de' } });
    expect(item['columns']).toMatchObject([{ title: 'Nachname' }]);
  });
});

describe('a change of the time zone', () => {
  // At any time, the date in the first zone is at least one day ahead of the date in the second.
  const [EAST, WEST] = ['Pacific/Kiritimati', 'Etc/GMT+12'];
  const todayIn = (timeZone: string): string =>
    new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(new Date());

  test('decides what today is: a posting opens in one zone and not in the other', async () => {
    expectStatus(200, await patch({ timezone: EAST }));
    const opening = todayIn(EAST);
    const { id } = await make.posting({ opening_date: opening });
    const shown = async (process: Api): Promise<unknown[]> => {
      const list = (status: string): Promise<Answer> =>
        process.get(`/postings?search=/status=${status}&search=/id=${id}`);
      const [item, live, scheduled] = [
        (await process.get(`/postings/${id}`)).item['status'],
        await list('live'),
        await list('scheduled'),
      ];
      return [item, ...[live, scheduled].flatMap(({ items, headers }) => [items.length, headers['x-total-count']])];
    };
    const LIVE = ['live', 1, '1', 0, '0'];
    const SCHEDULED = ['scheduled', 0, '0', 1, '1'];
    expect([await shown(api), await shown(other)]).toEqual([LIVE, LIVE]);
    expectStatus(200, await patch({ timezone: WEST }));
    expect(await shown(api)).toEqual(SCHEDULED);
    await eventually(async () => expect(await shown(other)).toEqual(SCHEDULED));
    expectStatus(200, await patch({ timezone: EAST }));
    await eventually(async () => expect([await shown(api), await shown(other)]).toEqual([LIVE, LIVE]));
  });

  test('decides the default of dates, and the zone in which events are evaluated', async () => {
    for (const timezone of [EAST, WEST]) {
      expectStatus(200, await patch({ timezone }));
      const before = todayIn(timezone);
      const { item } = expectStatus(
        201,
        await other.post('/postings', {
          vacancy_id: (await make.vacancy()).id,
          job_board_id: (await make.jobBoard()).id,
        }),
      );
      expect([before, todayIn(timezone)]).toContain(item['opening_date']);
      expect(
        await api.database.query(
          `SELECT time_zone FROM domain_events WHERE subject_type = 'posting' AND subject_id = $1`,
          [item.id],
        ),
      ).toEqual([{ time_zone: timezone }]);
    }
  });
});
