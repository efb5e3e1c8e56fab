// @group sample: npm test runs a quarter of its tests
import { describe, expect, test } from '@jest/globals';
import { type Answer } from '../support/answer.js';
import { BASE_URL } from '../support/api-harness.js';
import { expectStatus } from '../support/factories.js';
import { useApi } from '../support/use-api.js';

const { api, make } = useApi();

const MOMENT = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const countCandidates = async (): Promise<string | undefined> =>
  (await api.get('/candidates?per_page=1')).headers['x-total-count'];

const patch = (path: string, body: object): Promise<Answer> => api.request('PATCH', `/api/v1${path}`, { body });

describe('an application', () => {
  test('has the documented fields', async () => {
    const candidate = await make.candidate({ firstname: 'Ada', lastname: 'Byron', email: 'ada@example.com' });
    const vacancy = await make.vacancy({ title: 'Engineer' });
    const posting = await make.posting({ vacancy_id: vacancy.id });
    const body = {
      opportunity_id: vacancy.id,
      user_id: candidate.id,
      posting_id: posting.id,
      source: 'fair',
      tags: ['b', 'a'],
      rating: 5,
    };
    const { status, headers, item } = await api.post('/applications', body);
    const url = `${BASE_URL}/api/v1/vacancy_applications/${item.id}`;
    expect([status, headers['location'], headers['content-language']]).toEqual([201, url, 'en']);
    expect(item).toEqual({
      id: expect.any(Number),
      uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
      url,
      created_dt: MOMENT,
      updated_dt: item['created_dt'],
      app_type: 'vacancy_application',
      reference: expect.stringMatching(/^APP-\d{8}$/),
      opportunity_id: vacancy.id,
      opportunity: { id: vacancy.id, url: vacancy.url, kind: 'vacancy', title: 'Engineer' },
      user: {
        id: candidate.id,
        url: `${BASE_URL}/api/v1/users/${candidate.id}`,
        firstname: 'Ada',
        lastname: 'Byron',
        email: 'ada@example.com',
      },
      candidate: { id: candidate.id, url: candidate.url },
      posting: { id: posting.id, url: posting.url },
      process_state: {
        state: 'submitted',
        state_id: expect.any(Number),
        name: 'Submitted',
        phase: 'new',
        entered_dt: MOMENT,
        id: expect.any(Number),
        is_terminal: false,
      },
      outcome: 'pending',
      source: 'fair',
      score: null,
      tags: ['b', 'a'],
      rating: 5,
      submitted_dt: MOMENT,
      hired_dt: null,
      rejected_dt: null,
      withdrawn_dt: null,
      copied_from: null,
    });
    expect((await api.get(`/vacancy_applications/${item.id}`)).item).toEqual(item);
  });

  test.each([
    ['vacancy_applications', 'applications', 'event_applications'],
    ['event_applications', 'event_registrations', 'vacancy_applications'],
  ])('has the path /%s and /%s, and is not found under /%s', async (name, alias, other) => {
    const { id, url } = name === 'event_applications' ? await make.eventApplication() : await make.application();
    expect(url).toBe(`${BASE_URL}/api/v1/${name}/${id}`);
    for (const below of ['', '/process_state', '/history']) {
      expect((await api.get(`/${alias}/${id}${below}`)).text).toBe((await api.get(`/${name}/${id}${below}`)).text);
      expect((await api.get(`/${other}/${id}${below}`)).status).toBe(404);
    }
    expect((await api.delete(`/${other}/${id}`)).status).toBe(404);
    expect((await api.put(`/${other}/${id}/process_state`, { state: 'rejected' })).status).toBe(404);
  });

  test('is listed only in the collection of its own kind', async () => {
    const { id } = await make.eventApplication();
    const idsIn = async (path: string): Promise<readonly number[]> =>
      (await api.get(`${path}?per_page=1000`)).items.map((item) => item.id);
    expect(await idsIn('/event_registrations')).toContain(id);
    expect(await idsIn('/applications')).not.toContain(id);
  });

  test('shows the state name in the requested language', async () => {
    const { id } = await make.application();
    const { item } = await api.get(`/applications/${id}`, { headers: { 'accept-language': 'de' } });
    expect(item['process_state']).toMatchObject({ state: 'submitted', name: 'Eingegangen' });
  });
});

describe('creating an application', () => {
  test('creates the inline candidate', async () => {
    const candidate = { firstname: 'Grace', lastname: 'Hopper', email: 'grace@example.com' };
    const { candidate: made } = await make.application({ candidate });
    expect((await api.get(`/candidates/${(made as { id: number }).id}`)).item).toMatchObject(candidate);
  });

  test('creates no candidate when the application is rejected', async () => {
    const before = await countCandidates();
    const candidate = { firstname: 'Nobody', lastname: 'Here', email: 'nobody@example.com' };
    const closed = await make.vacancy({ state: 'closed' });
    expect((await api.post('/applications', { opportunity_id: closed.id, candidate })).status).toBe(422);
    expect(await countCandidates()).toBe(before);
  });

  test('reports violations of an inline candidate with their pointers', async () => {
    const { id } = await make.vacancy();
    const { email } = await make.candidate();
    const post = (candidate: object) => api.post('/applications', { opportunity_id: id, candidate });
    expect((await post({ firstname: '', email: 'no', x: 1 })).violations).toEqual(
      expect.arrayContaining([
        'invalid /candidate/firstname',
        'missing /candidate/lastname',
        'invalid /candidate/email',
        'invalid /candidate/x',
      ]),
    );
    expect((await post({ firstname: 'A', lastname: 'B', email })).violations).toEqual([
      'already_exists /candidate/email',
    ]);
  });

  test('reports all missing and invalid properties together', async () => {
    expect((await api.post('/applications', {})).violations).toEqual(['missing /opportunity_id', 'missing /user_id']);
    const body = {
      opportunity_id: 'x',
      user_id: 1,
      candidate: {},
      rating: 6,
      tags: ['', 1],
      source: 'x'.repeat(256),
      state: 'hired',
    };
    expect((await api.post('/applications', body)).violations).toEqual(
      expect.arrayContaining([
        'invalid /opportunity_id',
        'invalid /candidate',
        'missing /candidate/firstname',
        'invalid /rating',
        'invalid /tags/0',
        'invalid /tags/1',
        'invalid /source',
        'invalid /state',
      ]),
    );
  });

  test.each(['draft', 'on_hold', 'closed', 'filled', 'cancelled', 'archived'])(
    'rejects an opportunity that is %s',
    async (state) => {
      const vacancy = await make.vacancy({ state });
      const { id } = await make.candidate();
      expect((await api.post('/applications', { opportunity_id: vacancy.id, user_id: id })).violations).toEqual([
        'opportunity_not_open /opportunity_id',
      ]);
    },
  );

  test('rejects references to objects that are missing or of another kind', async () => {
    const vacancy = await make.vacancy();
    const event = await make.event();
    const candidate = await make.candidate();
    const posting = await make.posting();
    const [recruiter] = (await api.get('/recruiters')).items;
    const post = async (body: object) =>
      (await api.post('/applications', { opportunity_id: vacancy.id, user_id: candidate.id, ...body })).violations;
    expect(await post({ opportunity_id: 999_999, user_id: 999_999 })).toEqual([
      'invalid /opportunity_id',
      'invalid /user_id',
    ]);
    expect(await post({ opportunity_id: event.id })).toEqual(['invalid /opportunity_id']);
    expect(await post({ user_id: recruiter?.id })).toEqual(['invalid /user_id']);
    expect(await post({ posting_id: posting.id })).toEqual(['invalid /posting_id']);
    expect(await post({ posting_id: Number.MAX_SAFE_INTEGER })).toEqual(['invalid /posting_id']);
  });

  test('allows one live application per candidate and opportunity, and another after the first has ended', async () => {
    const { id, opportunity_id, user } = await make.application();
    const again = { opportunity_id, user_id: (user as { id: number }).id };
    expect((await api.post('/applications', again)).violations).toEqual(['already_exists /opportunity_id']);
    await api.put(`/applications/${id}/process_state`, { state: 'rejected' });
    expectStatus(201, await api.post('/applications', again));
    expect((await api.put(`/applications/${id}/process_state`, { state: 'in_review' })).violations).toEqual([
      'already_exists /state',
    ]);
  });
});

describe('replacing an application', () => {
  test('sets absent properties to their defaults, and keeps state and reference', async () => {
    const { id, opportunity_id, user, reference } = await make.application({ source: 'fair', tags: ['a'], rating: 3 });
    await api.put(`/applications/${id}/process_state`, { state: 'interview' });
    const { status, item } = await api.put(`/applications/${id}`, {
      opportunity_id,
      user_id: (user as { id: number }).id,
    });
    expect(status).toBe(200);
    expect(item).toMatchObject({
      source: null,
      tags: [],
      rating: null,
      reference,
      process_state: { state: 'interview' },
    });
  });

  test('may keep a closed opportunity, but cannot choose another closed opportunity', async () => {
    const { id, opportunity_id, user } = await make.application();
    const other = await make.vacancy({ state: 'closed' });
    await api.put(`/vacancies/${String(opportunity_id)}/state`, { state: 'closed' });
    const user_id = (user as { id: number }).id;
    expectStatus(200, await api.put(`/applications/${id}`, { opportunity_id, user_id, rating: 1 }));
    expect((await api.put(`/applications/${id}`, { opportunity_id: other.id, user_id })).violations).toEqual([
      'opportunity_not_open /opportunity_id',
    ]);
  });

  test('cannot keep a posting that now belongs to another vacancy', async () => {
    const vacancy = await make.vacancy();
    const posting = await make.posting({ vacancy_id: vacancy.id });
    const { id } = await make.application({ opportunity_id: vacancy.id, posting_id: posting.id });
    expectStatus(200, await patch(`/applications/${id}`, { rating: 1 }));
    expectStatus(200, await patch(`/postings/${posting.id}`, { vacancy_id: (await make.vacancy()).id }));
    expect((await patch(`/applications/${id}`, { rating: 2 })).violations).toEqual(['invalid /posting_id']);
  });

  test('cannot keep a candidate who is anonymised', async () => {
    const { id, opportunity_id, user } = await make.application();
    const user_id = (user as { id: number }).id;
    expectStatus(200, await api.post(`/candidates/${user_id}/anonymise`));
    const refusals = [
      await api.put(`/applications/${id}`, { opportunity_id, user_id, rating: 1 }),
      await patch(`/applications/${id}`, { rating: 1 }),
    ];
    expect(refusals.map(({ violations }) => violations)).toEqual([['invalid /user_id'], ['invalid /user_id']]);
  });

  test('changes nothing when the body equals the stored application', async () => {
    const { id, opportunity_id, user } = await make.application({ tags: ['x'] });
    const before = await api.get(`/applications/${id}`);
    const after = await api.put(`/applications/${id}`, {
      opportunity_id,
      user_id: (user as { id: number }).id,
      tags: ['x'],
    });
    expect([after.text, after.etag]).toEqual([before.text, before.etag]);
  });

  test('increases updated_dt when something changes', async () => {
    const { id, opportunity_id, user, updated_dt } = await make.application();
    const { item } = await api.put(`/applications/${id}`, {
      opportunity_id,
      user_id: (user as { id: number }).id,
      rating: 2,
    });
    expect(String(item['updated_dt']) > String(updated_dt)).toBe(true);
  });
});

describe('deleting an application', () => {
  test('deletes everything that belongs to the application', async () => {
    const { id } = await make.application();
    const { status, text } = await api.delete(`/applications/${id}`);
    expect([status, text]).toEqual([204, '']);
    expect((await api.get(`/applications/${id}`)).status).toBe(404);
    expect((await api.delete(`/applications/${id}`)).status).toBe(404);
    expect(
      await api.database.query(
        `SELECT type, comment, changes FROM history_entries WHERE subject_type = 'application' AND subject_id = $1`,
        [id],
      ),
    ).toEqual([{ type: 'deleted', comment: null, changes: null }]);
  });
});
