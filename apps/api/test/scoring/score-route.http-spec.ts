// @group sample: npm test runs a quarter of its tests
import { describe, expect, test } from '@jest/globals';
import { type Item } from '../support/answer.js';
import { useApi } from '../support/use-api.js';
import { UNKNOWN, toRules, score, setRules, changesOf } from './scores.js';

const { api, make } = useApi();

describe('POST …/score', () => {
  test.each([
    ['applications', 'vacancy_applications', () => make.application(), () => make.eventApplication()],
    ['event_applications', 'event_registrations', () => make.eventApplication(), () => make.application()],
  ])('serves %s and %s, each for its own kind of application', async (first, second, own, other) => {
    const [{ id }, { id: otherId }] = [await own(), await other()];
    for (const name of [first, second]) {
      expect([
        (await api.post(`/${name}/${id}/score`)).status,
        (await api.post(`/${name}/${otherId}/score`)).status,
      ]).toEqual([200, 404]);
    }
  });

  test.each([{ x: 1 }, [], 'text', null, 7])(
    'rejects the body %p, but answers 404 when the application is missing',
    async (body) => {
      const application = await make.application();
      expect([(await score(api, application.id, body)).status, (await score(api, UNKNOWN, body)).status]).toEqual([
        422, 404,
      ]);
      expect((await api.post(`/vacancies/${Number(application['opportunity_id'])}/score`, body)).status).toBe(422);
      expect((await api.post(`/vacancies/${UNKNOWN}/score`, body)).status).toBe(404);
    },
  );

  test('needs applications:write, but no scope of the datapaths in the rules', async () => {
    const own = await make.application();
    await setRules(api, own, ['application.user.language == null', 3]);
    const post = async (path: string, ...scopes: readonly string[]): Promise<number> =>
      (await api.post(path, undefined, { token: await make.token(...scopes) })).status;
    for (const path of [`/applications/${own.id}/score`, `/vacancies/${Number(own['opportunity_id'])}/score`]) {
      expect([
        await post(path, 'applications:read', 'vacancies:write'),
        await post(path, 'applications:write'),
      ]).toEqual([403, 200]);
    }
  });

  test('runs once per Idempotency-Key', async () => {
    const own = await make.application();
    await setRules(api, own, ['application.id > 0', 1]);
    const headers = { 'idempotency-key': 'score once' };
    const first = await api.post(`/applications/${own.id}/score`, {}, { headers });
    await setRules(api, own, ['application.id > 0', 2]);
    const again = await api.post(`/applications/${own.id}/score`, {}, { headers });
    expect([
      again.text,
      again.headers['idempotency-replayed'],
      (await api.get(`/applications/${own.id}`)).item['score'],
    ]).toEqual([first.text, 'true', 1]);
  });

  test('stores the latest score and a complete history after concurrent requests', async () => {
    const own = await make.application();
    await setRules(
      api,
      own,
      ['application.rating == 1', 1],
      ['application.rating == 2', 2],
      ['application.rating == 3', 3],
    );
    const body = { opportunity_id: own['opportunity_id'], user_id: (own['user'] as Item).id };
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, index) =>
        index % 2 ? score(api, own.id) : api.put(`/applications/${own.id}`, { ...body, rating: 1 + (index % 3) }),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const { rating, score: last } = (await score(api, own.id)).item;
    expect(last).toBe(rating);
    const steps = (
      [...(await changesOf(api, own.id))].reverse() as (readonly {
        readonly path: string;
        readonly old: unknown;
        readonly new: unknown;
      }[])[]
    )
      .flat()
      .filter(({ path }) => path === '/score');
    expect(steps.map(({ old }) => old)).toEqual([null, ...steps.slice(0, -1).map((step) => step.new)]);
  });
});

describe.each([
  [
    'vacancies',
    'applications',
    () => make.vacancy(),
    (opportunity_id: number, source: string) => make.application({ opportunity_id, source }),
  ],
  [
    'events',
    'event_applications',
    () => make.event(),
    (opportunity_id: number, source: string) => make.eventApplication({ opportunity_id, source }),
  ],
])('POST /%s/<id>/score', (collection, applications, makeOpportunity, apply) => {
  test('scores applications in every state and returns how many changed', async () => {
    const { id } = await makeOpportunity();
    const made = [await apply(id, 'a'), await apply(id, 'b'), await apply(id, 'c')];
    const elsewhere = await apply((await makeOpportunity()).id, 'a');
    await api.put(`/${applications}/${made[2]?.id ?? 0}/process_state`, {
      state: collection === 'vacancies' ? 'rejected' : 'declined',
    });
    const { start_dt, end_dt } = (await api.get(`/${collection}/${id}`)).item;
    const body = {
      title: 'T',
      ...(collection === 'events' && { start_dt, end_dt }),
      ...toRules([['application.source IN {"a", "c"}', 1.5]]),
    };
    expect((await api.put(`/${collection}/${id}`, body)).status).toBe(200);
    const before = (await api.get(`/${collection}/${id}`)).text;

    const first = await api.post(`/${collection}/${id}/score`);
    expect([first.status, first.json]).toEqual([200, { scored: 3, changed: 3, next_after_id: null }]);
    const scores = await Promise.all(
      made.map(async (one) => (await api.get(`/${applications}/${one.id}`)).item['score']),
    );
    expect([...scores, (await api.get(`/${applications}/${elsewhere.id}`)).item['score']]).toEqual([1.5, 0, 1.5, null]);
    expect((await api.post(`/${collection}/${id}/score`, {})).json).toEqual({
      scored: 3,
      changed: 0,
      next_after_id: null,
    });
    // Scoring its applications does not change the opportunity itself.
    expect((await api.get(`/${collection}/${id}`)).text).toBe(before);
  });

  test('scores the applications in batches', async () => {
    const { id } = await makeOpportunity();
    const ids = [];
    for (let index = 0; index < 5; index++) ids.push((await apply(id, 'a')).id);
    const post = async (body: object): Promise<unknown> => (await api.post(`/${collection}/${id}/score`, body)).json;
    expect(await post({ limit: 2 })).toEqual({ scored: 2, changed: 0, next_after_id: ids[1] });
    expect(await post({ limit: 2, after_id: ids[1] })).toEqual({ scored: 2, changed: 0, next_after_id: ids[3] });
    expect(await post({ limit: 2, after_id: ids[3] })).toEqual({ scored: 1, changed: 0, next_after_id: null });
    expect(await post({ limit: 3, after_id: ids[1] })).toEqual({ scored: 3, changed: 0, next_after_id: null });
    expect(await post({ limit: null, after_id: null })).toEqual({ scored: 5, changed: 0, next_after_id: null });
    expect(await post({ after_id: Number.MAX_SAFE_INTEGER })).toEqual({ scored: 0, changed: 0, next_after_id: null });
  });

  test('changes nothing for an opportunity without applications, and answers 404 for one of the other kind', async () => {
    const { id } = await makeOpportunity();
    expect((await api.post(`/${collection}/${id}/score`)).json).toEqual({ scored: 0, changed: 0, next_after_id: null });
    expect((await api.post(`/${collection === 'vacancies' ? 'events' : 'vacancies'}/${id}/score`)).status).toBe(404);
  });

  test.each([
    [{ limit: 0 }, 'invalid /limit'],
    [{ limit: 1_001 }, 'invalid /limit'],
    [{ limit: 'all' }, 'invalid /limit'],
    [{ limit: 1.5 }, 'invalid /limit'],
    [{ after_id: -1 }, 'invalid /after_id'],
    [{ after_id: '1' }, 'invalid /after_id'],
    [{ x: 1 }, 'invalid /x'],
  ])('rejects the body %p', async (body, violation) => {
    const { status, violations } = await api.post(`/${collection}/${(await makeOpportunity()).id}/score`, body);
    expect([status, violations]).toEqual([422, [violation]]);
  });
});
