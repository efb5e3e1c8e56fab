// @group sample: npm test runs a quarter of its tests
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Item } from '../support/answer.js';
import { useApi } from '../support/use-api.js';
import { UNKNOWN, copy, idOf, historyOf, formWith } from './copies.js';

const { api, make } = useApi();

describe('the copy of an application', () => {
  let source: Item;
  beforeAll(async () => void (source = await make.application()));

  test.each([
    ['no opportunity', {}, ['missing /opp_id']],
    ['null', { opp_id: null }, ['missing /opp_id']],
    ['a text', { opp_id: '12' }, ['invalid /opp_id']],
    ['a fraction', { opp_id: 1.5 }, ['invalid /opp_id']],
    ['a list', { opp_id: [1] }, ['invalid /opp_id']],
    ['zero', { opp_id: 0 }, ['invalid /opp_id']],
    ['the largest id', { opp_id: Number.MAX_SAFE_INTEGER }, ['invalid /opp_id']],
    ['an id that nothing has', { opp_id: UNKNOWN }, ['invalid /opp_id']],
    ['the name of older versions', { vacancy_id: 1 }, ['invalid /vacancy_id', 'missing /opp_id']],
    ['an unknown property', { opp_id: UNKNOWN, rating: 3 }, ['invalid /opp_id', 'invalid /rating']],
    [
      'an invalid flag',
      { opp_id: UNKNOWN, run_config_autoscoring: 'yes' },
      ['invalid /opp_id', 'invalid /run_config_autoscoring'],
    ],
    ['a list for the body', [{ opp_id: UNKNOWN }], ['invalid ']],
  ])('is rejected for %s', async (_, body, violations) => {
    const answer = await copy(api, source.id, body);
    expect([answer.status, [...answer.violations].sort()]).toEqual([422, violations]);
  });

  test('is rejected without a body', async () => {
    const { status, problem } = await copy(api, source.id, undefined);
    expect([status, problem.message]).toEqual([400, 'The request body is missing']);
  });

  test('is rejected from a vacancy to an event, and from an event to a vacancy', async () => {
    const event = await make.event();
    const { status, problem } = await copy(api, source.id, { opp_id: event.id });
    expect([status, problem.errors]).toEqual([
      422,
      [{ resource: 'applications', path: '/opp_id', code: 'invalid', info: `there is no vacancy ${event.id}` }],
    ]);
    const registration = await make.eventApplication();
    const vacancy = await make.vacancy();
    const other = await api.post(`/event_applications/${registration.id}/copy`, { opp_id: vacancy.id });
    expect(other.problem.errors).toEqual([
      { resource: 'event_applications', path: '/opp_id', code: 'invalid', info: `there is no event ${vacancy.id}` },
    ]);
  });

  test.each(['draft', 'on_hold', 'closed', 'filled', 'cancelled', 'archived'])(
    'is rejected for a vacancy that is %s',
    async (state) => {
      const { problem } = await copy(api, source.id, { opp_id: (await make.vacancy({ state })).id });
      expect(problem.errors).toEqual([
        {
          resource: 'applications',
          path: '/opp_id',
          code: 'opportunity_not_open',
          info: `the present state is ${state}`,
        },
      ]);
    },
  );

  test('is rejected when the candidate has a live application to the target, but not when it has ended', async () => {
    expect((await copy(api, source.id, { opp_id: source['opportunity_id'] })).violations).toEqual([
      'already_exists /opp_id',
    ]);
    const target = await make.vacancy();
    const other = await make.application({ opportunity_id: target.id, user_id: idOf(source['user']) });
    expect((await copy(api, source.id, { opp_id: target.id })).violations).toEqual(['already_exists /opp_id']);
    await api.put(`/applications/${other.id}/process_state`, { state: 'withdrawn' });
    expect((await copy(api, source.id, { opp_id: target.id })).status).toBe(201);
  });

  test('is rejected for an anonymised candidate, together with all other violations', async () => {
    const application = await make.application();
    await api.post(`/candidates/${idOf(application['user'])}/anonymise`);
    const draft = await make.vacancy({ state: 'draft' });
    expect((await copy(api, application.id, { opp_id: draft.id, x: 1 })).violations).toEqual([
      'invalid /x',
      'opportunity_not_open /opp_id',
      'anonymised ',
    ]);
    expect((await copy(api, application.id, { opp_id: (await make.vacancy()).id })).violations).toEqual([
      'anonymised ',
    ]);
  });

  test('is rejected with 404 when its source is missing, even if the body is invalid', async () => {
    for (const body of [{ opp_id: 1 }, {}, { x: 1 }, undefined])
      expect((await copy(api, UNKNOWN, body)).status).toBe(404);
    expect((await api.post('/applications/x/copy', { opp_id: 1 })).status).toBe(404);
  });

  test('changes nothing when it is rejected', async () => {
    const application = await make.application();
    const before = (await api.get(`/applications/${application.id}`)).text;
    await copy(api, application.id, { opp_id: (await make.vacancy({ state: 'closed' })).id });
    expect([
      (await api.get(`/applications/${application.id}`)).text,
      (await historyOf(api, `/applications/${application.id}`)).map(({ type }) => type),
    ]).toEqual([before, ['created']]);
  });
});

describe('concurrent and repeated copies', () => {
  test('create one application for the same vacancy, and the other requests get already_exists', async () => {
    const source = await make.application();
    const { id: opp_id } = await make.vacancy();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => copy(api, source.id, { opp_id, run_config_autoscoring: true })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 7 }, () => 422)]);
    for (const { status, violations } of answers)
      if (status === 422) expect(violations).toEqual(['already_exists /opp_id']);
  });

  test('are decided by the unique index when the checks of both requests passed', async () => {
    const candidate = await make.candidate();
    const sources = [
      await make.application({ user_id: candidate.id }),
      await make.application({ user_id: candidate.id }),
    ];
    for (let round = 0; round < 5; round++) {
      const { id: opp_id } = await make.vacancy();
      const answers = await Promise.all([
        ...sources.map(({ id }) => copy(api, id, { opp_id })),
        api.post('/applications', { opportunity_id: opp_id, user_id: candidate.id }),
      ]);
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 422, 422]);
    }
  });

  test('run once per Idempotency-Key; the stored answer is deleted when the person is anonymised', async () => {
    const source = await make.application();
    const body = { opp_id: (await make.vacancy()).id };
    const headers = { 'idempotency-key': 'copy once' };
    const [first, again] = [
      await copy(api, source.id, body, { headers }),
      await copy(api, source.id, body, { headers }),
    ];
    expect([
      first.status,
      again.status,
      again.text,
      again.headers['idempotency-replayed'],
      again.headers['location'],
    ]).toEqual([201, 201, first.text, 'true', first.headers['location']]);
    expect((await copy(api, source.id, { ...body, run_config_autoscoring: true }, { headers })).violations).toEqual([
      'idempotency_mismatch ',
    ]);
    await api.post(`/candidates/${idOf(source['user'])}/anonymise`);
    expect(await api.database.query(`SELECT FROM idempotency_keys WHERE key = 'copy once'`)).toEqual([]);
  });

  test('happen before the anonymisation of the person or are rejected', async () => {
    for (let round = 0; round < 5; round++) {
      const [source, target] = [await make.application(), await make.vacancy()];
      const {
        items: [item_id],
      } = await formWith(make, [{ key: 'answer', label: 'Answer', type: 'text' }]);
      await api.post(`/applications/${source.id}/form_values`, { form_values: [{ item_id, value: 'secret' }] });
      const [copied, anonymised] = await Promise.all([
        copy(api, source.id, { opp_id: target.id }),
        api.post(`/candidates/${idOf(source['user'])}/anonymise`),
      ]);
      expect([201, 422]).toContain(copied.status);
      expect(anonymised.status).toBe(200);
      const left = await api.database.query(
        `SELECT FROM application_form_values v JOIN applications a ON a.id = v.owner_id WHERE a.user_id = $1`,
        [idOf(source['user'])],
      );
      expect(left).toEqual([]);
    }
  });

  test('either succeed or are rejected while their vacancy is being closed', async () => {
    for (let round = 0; round < 5; round++) {
      const [source, target] = [await make.application(), await make.vacancy()];
      const [copied, closed] = await Promise.all([
        copy(api, source.id, { opp_id: target.id }),
        api.put(`/vacancies/${target.id}/state`, { state: 'closed' }),
      ]);
      expect([`201 200`, '422 200']).toContain(`${copied.status} ${closed.status}`);
    }
  });
});
