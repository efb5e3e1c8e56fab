// @group sample: npm test runs a quarter of its tests
import { describe, expect, test } from '@jest/globals';
import { identityOf } from '../support/answer.js';
import { BASE_URL } from '../support/api-harness.js';
import { expectStatus } from '../support/factories.js';
import { useApi } from '../support/use-api.js';

const { api, make } = useApi();

const times = { start_dt: '2030-05-01T09:00:00.000Z', end_dt: '2030-05-01T17:00:00.000Z' };
const recruiterId = async (): Promise<number | undefined> => (await api.get('/recruiters')).items[0]?.id;

const common = {
  reference: 'REF-1',
  title: 'Title',
  description: 'Text',
  location: 'Berlin',
  department: 'Engineering',
  opening_date: '2030-01-01',
  closing_date: '2030-01-31',
  tags: ['a'],
};

describe.each([
  [
    'vacancies',
    {
      ...common,
      employment_type: 'permanent',
      openings: 2,
      salary_min: 1000.5,
      salary_max: 2000,
      salary_currency: 'EUR',
    },
  ],
  ['events', { ...common, reference: 'REF-2', ...times, venue: 'Hall', capacity: 50 }],
] as const)('%s', (path, body) => {
  const required = path === 'events' ? { title: 'T', ...times } : { title: 'T' };

  test('are returned as they were written', async () => {
    const owner_id = await recruiterId();
    const { item, headers } = expectStatus(201, await api.post(`/${path}`, { ...body, owner_id }));
    expect(item).toEqual({
      ...identityOf(item, `${BASE_URL}/api/v1/${path}/${item.id}`),
      kind: path === 'events' ? 'event' : 'vacancy',
      ...body,
      state: {
        state: 'draft',
        state_id: expect.any(Number),
        name: 'Draft',
        phase: 'draft',
        entered_dt: item['created_dt'],
        id: expect.any(Number),
        is_terminal: false,
      },
      owner: { id: owner_id, url: `${BASE_URL}/api/v1/recruiters/${owner_id}` },
      system: { id: 1, url: `${BASE_URL}/api/v1/systems/1` },
      application_count: 0,
      process: { id: expect.any(Number), name: path === 'events' ? 'Event registration' : 'Application' },
      scoring_rules: [],
    });
    expect(headers['location']).toBe(item.url);
    expect((await api.get(`/${path}/${item.id}`)).item).toEqual(item);
  });

  test('use defaults for absent and null properties', async () => {
    const defaults = {
      description: null,
      owner: null,
      tags: [],
      closing_date: null,
      reference: expect.stringMatching(/^OPP-\d{6}$/),
    };
    expect((await api.post(`/${path}`, required)).item).toMatchObject(defaults);
    expect(
      (
        await api.post(`/${path}`, {
          ...required,
          description: null,
          owner_id: null,
          tags: null,
          closing_date: null,
          reference: null,
        })
      ).item,
    ).toMatchObject(defaults);
  });

  test('keep only reference and state when they are replaced', async () => {
    const { id } = expectStatus(201, await api.post(`/${path}`, { ...body, reference: `KEPT-${path}` })).item;
    const { item } = expectStatus(200, await api.put(`/${path}/${id}`, { ...required, title: 'New' }));
    expect(item).toMatchObject({
      title: 'New',
      reference: `KEPT-${path}`,
      description: null,
      tags: [],
      state: { state: 'draft' },
    });
  });

  test('have a reference that is unique over both kinds', async () => {
    const reference = `TAKEN-${path}`;
    await make.event({ reference });
    expect((await api.post(`/${path}`, { ...required, reference })).violations).toEqual(['already_exists /reference']);
  });

  test.each([
    [
      'nothing',
      {},
      path === 'events' ? ['missing /title', 'missing /start_dt', 'missing /end_dt'] : ['missing /title'],
    ],
    ['blank texts', { ...required, title: ' ', reference: '' }, ['invalid /title', 'invalid /reference']],
    [
      'read-only properties',
      { ...required, state: 'open', kind: 'event', application_count: 1 },
      ['invalid /state', 'invalid /kind', 'invalid /application_count'],
    ],
    [
      'dates in the wrong order',
      { ...required, opening_date: '2030-01-02', closing_date: '2030-01-01' },
      ['invalid /closing_date'],
    ],
    ['a missing owner', { ...required, owner_id: 999_999 }, ['invalid /owner_id']],
    ['a description that is too long', { ...required, description: 'x'.repeat(100_001) }, ['invalid /description']],
    ['too many tags', { ...required, tags: Array.from({ length: 101 }, String) }, ['invalid /tags']],
  ])('reject a body with %s', async (_, wrong, violations) => {
    const { status, violations: found } = await api.post(`/${path}`, wrong);
    expect([status, [...found].sort()]).toEqual([422, [...violations].sort()]);
  });

  test('reject an owner who is not a recruiter', async () => {
    const { id } = await make.candidate();
    expect((await api.post(`/${path}`, { ...required, owner_id: id })).violations).toEqual(['invalid /owner_id']);
  });

  test('cannot be deleted while they have applications, even ended ones', async () => {
    const application = path === 'events' ? await make.eventApplication() : await make.application();
    const opportunity = `/${path}/${String(application['opportunity_id'])}`;
    expect((await api.get(opportunity)).item['application_count']).toBe(1);
    await api.put(application.url.slice(`${BASE_URL}/api/v1`.length) + '/process_state', {
      state: path === 'events' ? 'declined' : 'rejected',
    });
    expect((await api.delete(opportunity)).violations).toEqual(['in_use ']);
    await api.delete(application.url.slice(`${BASE_URL}/api/v1`.length));
    expectStatus(204, await api.delete(opportunity));
    expect((await api.get(opportunity)).status).toBe(404);
  });

  test('answer 404 under the path of the other kind', async () => {
    const { id } = path === 'events' ? await make.vacancy() : await make.event();
    for (const below of ['', '/state', '/history']) expect((await api.get(`/${path}/${id}${below}`)).status).toBe(404);
    expect((await api.put(`/${path}/${id}`, required)).status).toBe(404);
    expect((await api.put(`/${path}/${id}/state`, { state: 'open' })).status).toBe(404);
    expect((await api.delete(`/${path}/${id}`)).status).toBe(404);
  });
});

describe('a vacancy', () => {
  test.each([
    [{ salary_min: 2, salary_max: 1 }, ['invalid /salary_max']],
    [{ salary_min: -0.01 }, ['invalid /salary_min']],
    [{ salary_max: 1_000_000_000_000 }, ['invalid /salary_max']],
    [{ salary_max: 1.005 }, ['invalid /salary_max']],
    [{ salary_currency: 'eur' }, ['invalid /salary_currency']],
    [{ openings: -1 }, ['invalid /openings']],
    [{ openings: 1.5 }, ['invalid /openings']],
    [{ openings: 2_147_483_648 }, ['invalid /openings']],
    [{ start_dt: times.start_dt }, ['invalid /start_dt']],
  ])('rejects the body %j', async (wrong, violations) => {
    expect((await api.post('/vacancies', { title: 'T', ...wrong })).violations).toEqual(violations);
  });

  test('accepts the largest amounts', async () => {
    const greatest = { salary_min: 0.01, salary_max: 999_999_999_999.99, openings: 2_147_483_647 };
    expect((await api.post('/vacancies', { title: 'T', ...greatest })).item).toMatchObject(greatest);
  });

  test('deletes its postings when it is deleted', async () => {
    const { id, vacancy } = await make.posting();
    expectStatus(204, await api.delete(`/vacancies/${(vacancy as { id: number }).id}`));
    expect((await api.get(`/postings/${id}`)).status).toBe(404);
  });
});

describe('an event', () => {
  test.each([
    [{ ...times, end_dt: '2030-05-01T08:59:59.999Z' }, ['invalid /end_dt']],
    [{ start_dt: '2030-05-01', end_dt: '2030-05-01T17:00:00' }, ['invalid /end_dt', 'invalid /start_dt']],
    [
      { start_dt: '0000-01-01T00:00:00Z', end_dt: '9999-12-31T23:59:59-14:00' },
      ['invalid /end_dt', 'invalid /start_dt'],
    ],
    [{ ...times, capacity: -1, salary_min: 1 }, ['invalid /capacity', 'invalid /salary_min']],
  ])('rejects the body %j', async (wrong, violations) => {
    expect([...(await api.post('/events', { title: 'T', ...wrong })).violations].sort()).toEqual(violations);
  });

  test('shows timestamps in UTC with milliseconds', async () => {
    const { item } = await api.post('/events', {
      title: 'T',
      start_dt: '2030-05-01T09:00:00+02:00',
      end_dt: '2030-05-01T09:00:00.5-23:30',
    });
    expect(item).toMatchObject({ start_dt: '2030-05-01T07:00:00.000Z', end_dt: '2030-05-02T08:30:00.500Z' });
  });
});
