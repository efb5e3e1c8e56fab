// @group sample: npm test runs a quarter of its tests
import { beforeEach, describe, expect, test } from '@jest/globals';
import { identityOf } from '../support/answer.js';
import { person } from '../applications/one-call.js';
import { BASE_URL } from '../support/api-harness.js';
import { awayFromMidnight } from '../support/away-from-midnight.js';
import { expectStatus } from '../support/factories.js';
import { useApi } from '../support/use-api.js';

const { api, make } = useApi();
beforeEach(() => awayFromMidnight('UTC', 30_000));

/** Returns the date `offset` days from today, in the time zone of the system. */
async function day(offset: number): Promise<string> {
  const [row] = await api.database.query<{ day: string }>('SELECT (system_today() + $1::integer)::text AS day', [
    offset,
  ]);
  return row?.day ?? '';
}

describe('a posting', () => {
  test('has the documented fields', async () => {
    const vacancy = await make.vacancy({ title: 'Engineer' });
    const board = await make.jobBoard();
    const body = {
      title: 'We look for you',
      description: 'Text',
      opening_date: await day(0),
      closing_date: await day(9),
      location: 'Berlin',
      method: 'feed',
    };
    const { item, headers } = expectStatus(
      201,
      await api.post('/postings', { ...body, vacancy_id: vacancy.id, job_board_id: board.id }),
    );
    const { location, method, ...shown } = body;
    expect(item).toEqual({
      ...identityOf(item, `${BASE_URL}/api/v1/postings/${item.id}`),
      ...shown,
      status: 'live',
      accepts_applications: true,
      is_withdrawn: false,
      job_board: { id: board.id, url: board.url },
      vacancy: { id: vacancy.id, url: vacancy.url },
      posting_loc_meth: {
        id: item.id,
        method,
        post_loc_vac: { id: item.id, location, vacancy: { id: vacancy.id }, job_board: { id: board.id } },
      },
    });
    expect(headers['location']).toBe(item.url);
  });

  test('has by default the title of its vacancy, opens today and has the method manual', async () => {
    const vacancy = await make.vacancy({ title: 'Engineer' });
    const item = await make.posting({ vacancy_id: vacancy.id, title: null, method: null });
    expect(item).toMatchObject({
      title: 'Engineer',
      opening_date: await day(0),
      closing_date: null,
      posting_loc_meth: { method: 'manual' },
    });
  });

  test.each([
    ['scheduled', 1, null, false],
    ['live', 0, null, false],
    ['live', -9, 0, false],
    ['expired', -9, -1, false],
    ['withdrawn', 0, 9, true],
  ])(
    'has the status %s when it opens in %s days, closes in %s days and is_withdrawn is %s',
    async (status, opens, closes, is_withdrawn) => {
      const dates = { opening_date: await day(opens), closing_date: closes === null ? null : await day(closes) };
      const posting = await make.posting({ ...dates, is_withdrawn });
      expect(posting).toMatchObject({ status, accepts_applications: status === 'live', ...dates });
    },
  );

  test.each(['draft', 'on_hold', 'closed', 'filled', 'cancelled'])(
    'accepts no applications while its vacancy is %s, and applying then is refused',
    async (state) => {
      const vacancy = await make.vacancy();
      const posting = await make.posting({ vacancy_id: vacancy.id });
      const found = async (search: string): Promise<number> => {
        const query = new URLSearchParams([
          ['search', search],
          ['search', `/vacancy/id=${vacancy.id}`],
        ]);
        return (await api.get(`/postings?${query.toString()}`)).items.length;
      };
      const isRefused = async (): Promise<boolean> => {
        const candidate = person();
        const answer = await api.post('/applications', { opportunity_id: vacancy.id, candidate });
        return answer.violations.includes('opportunity_not_open /opportunity_id');
      };
      expect([await found('/accepts_applications=true'), await isRefused()]).toEqual([1, false]);
      await make.inState(state, vacancy);
      expect((await api.get(`/postings/${posting.id}`)).item).toMatchObject({
        status: 'live',
        accepts_applications: false,
      });
      expect(await found('/status=live')).toBe(1);
      expect(await found('posting.accepts_applications=false')).toBe(1);
      expect([await found('/accepts_applications=true'), await isRefused()]).toEqual([0, true]);
    },
  );

  test('is replaced as a whole by PUT', async () => {
    const { id, vacancy, job_board } = await make.posting({
      title: 'Old',
      description: 'Old',
      is_withdrawn: true,
      location: 'Old',
    });
    const references = { vacancy_id: (vacancy as { id: number }).id, job_board_id: (job_board as { id: number }).id };
    const { item } = expectStatus(200, await api.put(`/postings/${id}`, references));
    expect(item).toMatchObject({
      title: 'Engineer',
      description: null,
      is_withdrawn: false,
      posting_loc_meth: { post_loc_vac: { location: null } },
    });
  });

  test('can be deleted', async () => {
    const { id } = await make.posting();
    expectStatus(204, await api.delete(`/postings/${id}`));
    expect((await api.get(`/postings/${id}`)).status).toBe(404);
  });

  test('keeps its applications when it is deleted', async () => {
    const posting = await make.posting();
    const application = await make.application({
      opportunity_id: (posting['vacancy'] as { id: number }).id,
      posting_id: posting.id,
    });
    expectStatus(204, await api.delete(`/postings/${posting.id}`));
    expect((await api.get(`/applications/${application.id}`)).item['posting']).toBeNull();
  });
});

describe('writing a posting', () => {
  test.each([
    ['nothing', {}, ['missing /job_board_id', 'missing /vacancy_id']],
    [
      'references to missing objects',
      { vacancy_id: 999_999, job_board_id: 999_999 },
      ['invalid /job_board_id', 'invalid /vacancy_id'],
    ],
    ['ids that are none', { vacancy_id: '1', job_board_id: 0 }, ['invalid /job_board_id', 'invalid /vacancy_id']],
    [
      'dates in the wrong order',
      { vacancy_id: 1, job_board_id: 1, opening_date: '2030-01-02', closing_date: '2030-01-01' },
      ['invalid /closing_date'],
    ],
    ['an unknown method', { vacancy_id: 1, job_board_id: 1, method: 'pigeon' }, ['invalid /method']],
    ['a blank title', { vacancy_id: 1, job_board_id: 1, title: '' }, ['invalid /title']],
    [
      'read-only properties',
      { vacancy_id: 1, job_board_id: 1, status: 'live', posting_loc_meth: {} },
      ['invalid /posting_loc_meth', 'invalid /status'],
    ],
  ])('rejects a body with %s', async (_, body, violations) => {
    const { status, violations: found } = await api.post('/postings', body);
    expect([status, [...found].sort()]).toEqual([422, violations]);
  });

  test('rejects an event in place of a vacancy', async () => {
    const [event, board] = [await make.event(), await make.jobBoard()];
    expect((await api.post('/postings', { vacancy_id: event.id, job_board_id: board.id })).violations).toEqual([
      'invalid /vacancy_id',
    ]);
  });
});
