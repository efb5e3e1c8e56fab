import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Answer, type Item } from '../support/answer.js';
import { BASE_URL, type RequestOptions } from '../support/api-harness.js';
import { useApi } from '../support/use-api.js';

const { api, make } = useApi();

const UNKNOWN = 987_654_321;
const copy = (id: number, body: unknown, options?: RequestOptions): Promise<Answer> =>
  api.post(`/applications/${id}/copy`, body, options);
const idOf = (value: unknown): number => (value as Item).id;

interface Entry {
  readonly type: string;
  readonly from: object | null;
  readonly to: { readonly state: string } | null;
  readonly user: Item;
  readonly changes: readonly { readonly path: string; readonly old: unknown; readonly new: unknown }[] | null;
}
const historyOf = async (path: string): Promise<readonly Entry[]> =>
  ((await api.get(`${path}/history`)).json as { readonly items: readonly Entry[] }).items;
const valuesOf = async (id: number): Promise<unknown> =>
  ((await api.get(`/applications/${id}/form_values`)).json as { readonly form_values: unknown }).form_values;

/** A form for applications with one repeatable section, and the ids of its items. */
async function formWith(
  items: readonly object[],
  properties: object = {},
): Promise<{ readonly id: number; readonly items: readonly number[] }> {
  const form = await make.form({ sections: [{ name: 'Section', repeatable: true, items }], ...properties });
  const [section] = form['sections'] as readonly { readonly items: readonly Item[] }[];
  return { id: form.id, items: (section?.items ?? []).map(({ id }) => id) };
}

describe('a copy of an application', () => {
  test('is an application of the same candidate to the other vacancy, in its first state', async () => {
    const posting = await make.posting();
    const opportunity_id = idOf(posting['vacancy']);
    const source = await make.application({
      opportunity_id,
      posting_id: posting.id,
      source: 'fair',
      tags: ['a', 'b'],
      rating: 4,
    });
    await api.put(`/applications/${source.id}/process_state`, { state: 'interview' });
    await api.database.query(
      `UPDATE applications SET score = 7, submitted_dt = '2026-01-01', hired_dt = '2026-01-02' WHERE id = $1`,
      [source.id],
    );
    const target = await make.vacancy({ title: 'Other' });

    const { status, item, headers } = await copy(source.id, { opp_id: target.id });
    expect([status, headers['location']]).toEqual([201, `${BASE_URL}/api/v1/vacancy_applications/${item.id}`]);
    expect(item).toMatchObject({
      app_type: 'vacancy_application',
      opportunity_id: target.id,
      opportunity: { id: target.id, title: 'Other' },
      user: source['user'],
      candidate: source['candidate'],
      posting: null,
      process_state: { state: 'submitted' },
      outcome: 'pending',
      source: 'fair',
      score: null,
      tags: ['a', 'b'],
      rating: null,
      hired_dt: null,
      rejected_dt: null,
      withdrawn_dt: null,
      copied_from: { id: source.id, url: source.url },
    });
    expect([item.id === source.id, item['reference'] === source['reference']]).toEqual([false, false]);
    // A copy counts as submitted now, like a new application.
    expect([item['submitted_dt'], item['updated_dt']]).toEqual([item['created_dt'], item['created_dt']]);
    expect((await api.get(`/applications/${item.id}`)).item).toEqual(item);
  });

  test('is recorded in both histories; only updated_dt of the source changes', async () => {
    const source = await make.application();
    const target = await make.vacancy();
    const { item } = await copy(source.id, { opp_id: target.id });
    const [told] = await historyOf(`/applications/${source.id}`);
    expect(told).toMatchObject({
      type: 'copied',
      from: null,
      to: null,
      changes: [{ path: '/copied_to', old: null, new: { id: item.id, url: item.url } }],
    });
    expect(told?.user.id).toBeGreaterThan(0);
    expect(await historyOf(`/applications/${item.id}`)).toMatchObject([
      {
        type: 'copied',
        from: null,
        to: { state: 'submitted' },
        changes: [{ path: '/copied_from', old: null, new: { id: source.id, url: source.url } }],
      },
    ]);
    const after = (await api.get(`/applications/${source.id}`)).item;
    expect(String(after['updated_dt']) > String(source['updated_dt'])).toBe(true);
    expect({ ...after, updated_dt: source['updated_dt'] }).toEqual(source);
  });

  test('raises no event, like a creation', async () => {
    const count = async (): Promise<unknown> => api.database.query('SELECT count(*) AS count FROM domain_events');
    const [source, target, before] = [await make.application(), await make.vacancy(), await count()];
    await copy(source.id, { opp_id: target.id });
    expect(await count()).toEqual(before);
  });

  test('can be copied again, as can an ended application, even to the same vacancy', async () => {
    const source = await make.application();
    await api.put(`/applications/${source.id}/process_state`, { state: 'rejected' });
    const again = await copy(source.id, { opp_id: source['opportunity_id'] });
    expect([again.status, again.item['copied_from']]).toEqual([201, { id: source.id, url: source.url }]);
    const further = await copy(again.item.id, { opp_id: (await make.vacancy()).id });
    expect([further.status, further.item['copied_from']]).toEqual([201, { id: again.item.id, url: again.item.url }]);
  });

  test.each(['applications', 'vacancy_applications'])(
    'is created under %s, and is a 404 under the other kind',
    async (name) => {
      const [own, other] = [await make.application(), await make.eventApplication()];
      const opp_id = (await make.vacancy()).id;
      expect((await api.post(`/${name}/${other.id}/copy`, { opp_id })).status).toBe(404);
      expect((await api.post(`/${name}/${own.id}/copy`, { opp_id })).status).toBe(201);
    },
  );

  test.each(['event_applications', 'event_registrations'])(
    'is created under %s, and is a 404 under the other kind',
    async (name) => {
      const [own, other] = [await make.eventApplication(), await make.application()];
      const opp_id = (await make.event()).id;
      expect((await api.post(`/${name}/${other.id}/copy`, { opp_id })).status).toBe(404);
      const { status, item } = await api.post(`/${name}/${own.id}/copy`, { opp_id });
      expect([status, item.url, item['process_state']]).toEqual([
        201,
        `${BASE_URL}/api/v1/event_applications/${item.id}`,
        expect.objectContaining({ state: 'registered' }),
      ]);
    },
  );

  test('needs the scope applications:write', async () => {
    const [source, target] = [await make.application(), await make.vacancy()];
    const token = await make.token('applications:read', 'vacancies:write');
    const { status, problem } = await copy(source.id, { opp_id: target.id }, { token });
    expect([status, problem.message]).toEqual([403, 'The credential lacks the scope applications:write']);
    expect(
      (await copy(source.id, { opp_id: target.id }, { token: await make.token('applications:write') })).status,
    ).toBe(201);
  });
});

describe('a copy is rejected', () => {
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
  ])('for %s', async (_, body, violations) => {
    const answer = await copy(source.id, body);
    expect([answer.status, [...answer.violations].sort()]).toEqual([422, violations]);
  });

  test('without a body', async () => {
    expect((await copy(source.id, undefined)).violations).toEqual(['invalid ']);
  });

  test('from a vacancy to an event and back', async () => {
    const event = await make.event();
    const { status, problem } = await copy(source.id, { opp_id: event.id });
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
    'for a vacancy that is %s',
    async (state) => {
      const { problem } = await copy(source.id, { opp_id: (await make.vacancy({ state })).id });
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

  test('when the candidate has a live application to the target; ended ones do not count', async () => {
    expect((await copy(source.id, { opp_id: source['opportunity_id'] })).violations).toEqual([
      'already_exists /opp_id',
    ]);
    const target = await make.vacancy();
    const other = await make.application({ opportunity_id: target.id, user_id: idOf(source['user']) });
    expect((await copy(source.id, { opp_id: target.id })).violations).toEqual(['already_exists /opp_id']);
    await api.put(`/applications/${other.id}/process_state`, { state: 'withdrawn' });
    expect((await copy(source.id, { opp_id: target.id })).status).toBe(201);
  });

  test('for an anonymised candidate, together with all other violations', async () => {
    const application = await make.application();
    await api.post(`/candidates/${idOf(application['user'])}/anonymise`);
    const draft = await make.vacancy({ state: 'draft' });
    expect((await copy(application.id, { opp_id: draft.id, x: 1 })).violations).toEqual([
      'invalid /x',
      'opportunity_not_open /opp_id',
      'anonymised ',
    ]);
    expect((await copy(application.id, { opp_id: (await make.vacancy()).id })).violations).toEqual(['anonymised ']);
  });

  test('with 404 for a missing source, also with an invalid body', async () => {
    for (const body of [{ opp_id: 1 }, {}, { x: 1 }, undefined]) expect((await copy(UNKNOWN, body)).status).toBe(404);
    expect((await api.post('/applications/x/copy', { opp_id: 1 })).status).toBe(404);
  });

  test('without any effect', async () => {
    const application = await make.application();
    const before = (await api.get(`/applications/${application.id}`)).text;
    await copy(application.id, { opp_id: (await make.vacancy({ state: 'closed' })).id });
    expect([
      (await api.get(`/applications/${application.id}`)).text,
      (await historyOf(`/applications/${application.id}`)).map(({ type }) => type),
    ]).toEqual([before, ['created']]);
  });
});

describe('form values of a copy', () => {
  const ITEMS = [
    { key: 'text', label: 'Text', type: 'text' },
    { key: 'textarea', label: 'Long', type: 'textarea' },
    { key: 'rich', label: 'Rich', type: 'rich_text' },
    { key: 'whole', label: 'Whole', type: 'integer' },
    { key: 'decimal', label: 'Decimal', type: 'decimal' },
    { key: 'flag', label: 'Flag', type: 'boolean' },
    { key: 'day', label: 'Day', type: 'date' },
    { key: 'moment', label: 'Moment', type: 'datetime' },
    { key: 'one', label: 'One', type: 'single_select', options: [{ value: 'a' }, { value: 'b' }] },
    { key: 'many', label: 'Many', type: 'multi_select', options: [{ value: 'a' }, { value: 'b' }, { value: 'c' }] },
    { key: 'mail', label: 'Mail', type: 'email' },
    { key: 'phone', label: 'Phone', type: 'phone' },
  ];
  const VALUES = [
    'Zoë 漢 😀',
    'two\nlines',
    '<p>a <strong>b</strong></p>',
    -7,
    0.3,
    false,
    '2024-02-29',
    '2026-03-01T00:00:00.001Z',
    'b',
    ['c', 'a'],
    'a@example.com',
    '+44 20 7946 0000',
  ];

  test('are copied unchanged, for every type and instance', async () => {
    const { items } = await formWith(ITEMS);
    const source = await make.application();
    const given = items.flatMap((item_id, index) => [
      { item_id, value: VALUES[index] },
      { item_id, section_instance: 2, form_instance: 3, value: VALUES[index] },
    ]);
    const written = await api.post(`/applications/${source.id}/form_values`, { form_values: given });
    expect(written.status).toBe(200);
    const { item } = await copy(source.id, { opp_id: (await make.vacancy()).id });
    expect(await valuesOf(item.id)).toEqual((written.json as { readonly form_values: unknown }).form_values);
    // The source keeps its values.
    expect(await valuesOf(source.id)).toEqual(await valuesOf(item.id));
    const [rich] = await api.database.query(
      'SELECT rich_value FROM application_form_values WHERE owner_id = $1 AND rich_value IS NOT NULL',
      [item.id],
    );
    expect(rich).toEqual({ rich_value: VALUES[2] });
  });

  test('are copied only for forms that apply to both vacancies', async () => {
    const [from, to, third] = [await make.vacancy(), await make.vacancy(), await make.vacancy()];
    const answer = { key: 'answer', label: 'Answer', type: 'text' };
    const ofAll = await formWith([answer]);
    const ofBoth = await formWith([answer], { opportunity_ids: [third.id, to.id, from.id] });
    const ofSource = await formWith([answer], { opportunity_ids: [from.id, third.id] });
    const source = await make.application({ opportunity_id: from.id });
    const given = [ofAll, ofBoth, ofSource].map(({ items: [item_id] }) => ({ item_id, value: 'x' }));
    expect((await api.post(`/applications/${source.id}/form_values`, { form_values: given })).status).toBe(200);
    const { item } = await copy(source.id, { opp_id: to.id });
    expect(
      ((await valuesOf(item.id)) as readonly { readonly item_id: number }[]).map(({ item_id }) => item_id),
    ).toEqual([ofAll.items[0], ofBoth.items[0]]);
  });

  test('are not copied when their form no longer applies to the source', async () => {
    const [from, to] = [await make.vacancy(), await make.vacancy()];
    const { id, items } = await formWith([{ key: 'answer', label: 'Answer', type: 'text' }], {
      opportunity_ids: [from.id],
    });
    const source = await make.application({ opportunity_id: from.id });
    await api.post(`/applications/${source.id}/form_values`, { form_values: [{ item_id: items[0], value: 'x' }] });
    await api.database.query('UPDATE forms SET opportunity_ids = $2 WHERE id = $1', [id, [to.id]]);
    expect(await valuesOf((await copy(source.id, { opp_id: to.id })).item.id)).toEqual([]);
  });
});

describe('run_config_autoscoring', () => {
  const rules = (...conditions: readonly [string, number][]): Readonly<Record<string, unknown>> => ({
    scoring_rules: conditions.map(([expression, points]) => ({ expression, points })),
  });

  test('scores the copy by the rules of its vacancy on the copied values', async () => {
    const {
      items: [item],
    } = await formWith([{ key: 'years', label: 'Years', type: 'integer' }]);
    const source = await make.application({
      opportunity_id: (await make.vacancy(rules(['application.id > 0', 100]))).id,
      source: 'fair',
    });
    await api.post(`/applications/${source.id}/form_values`, { form_values: [{ item_id: item, value: 5 }] });
    const target = await make.vacancy(
      rules(
        [`application.formdata.${item ?? 0} >= 5`, 0.1],
        ['application.source == "fair"', 0.2],
        ['application.rating == 1', 7],
      ),
    );
    const copied = await copy(source.id, { opp_id: target.id, run_config_autoscoring: true });
    expect([copied.status, copied.item['score']]).toEqual([201, 0.3]);
    expect((await api.get(`/applications/${source.id}`)).item['score']).toBeNull();
    expect(
      (await historyOf(`/applications/${copied.item.id}`)).map(({ type, changes }) => [type, changes?.[0]?.path]),
    ).toEqual([
      ['field_change', '/score'],
      ['copied', '/copied_from'],
    ]);
  });

  test.each([undefined, null, false])('does nothing when it is %s', async (run_config_autoscoring) => {
    const target = await make.vacancy(rules(['application.id > 0', 1]));
    const { status, item } = await copy((await make.application()).id, { opp_id: target.id, run_config_autoscoring });
    expect([status, item['score']]).toEqual([201, null]);
  });

  test('leaves the score null without rules', async () => {
    const { status, item } = await copy((await make.application()).id, {
      opp_id: (await make.vacancy()).id,
      run_config_autoscoring: true,
    });
    expect([status, item['score']]).toEqual([201, null]);
  });
});

describe('concurrent and repeated copies', () => {
  test('to one vacancy create one application, the others get already_exists', async () => {
    const source = await make.application();
    const { id: opp_id } = await make.vacancy();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => copy(source.id, { opp_id, run_config_autoscoring: true })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 7 }, () => 422)]);
    for (const { status, violations } of answers)
      if (status === 422) expect(violations).toEqual(['already_exists /opp_id']);
  });

  test('are decided by the unique index when both checks passed', async () => {
    const candidate = await make.candidate();
    const sources = [
      await make.application({ user_id: candidate.id }),
      await make.application({ user_id: candidate.id }),
    ];
    for (let round = 0; round < 5; round++) {
      const { id: opp_id } = await make.vacancy();
      const answers = await Promise.all([
        ...sources.map(({ id }) => copy(id, { opp_id })),
        api.post('/applications', { opportunity_id: opp_id, user_id: candidate.id }),
      ]);
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 422, 422]);
    }
  });

  test('run once per Idempotency-Key, whose answer is deleted when the person is anonymised', async () => {
    const source = await make.application();
    const body = { opp_id: (await make.vacancy()).id };
    const headers = { 'idempotency-key': 'copy once' };
    const [first, again] = [await copy(source.id, body, { headers }), await copy(source.id, body, { headers })];
    expect([
      first.status,
      again.status,
      again.text,
      again.headers['idempotency-replayed'],
      again.headers['location'],
    ]).toEqual([201, 201, first.text, 'true', first.headers['location']]);
    expect((await copy(source.id, { ...body, run_config_autoscoring: true }, { headers })).violations).toEqual([
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
      } = await formWith([{ key: 'answer', label: 'Answer', type: 'text' }]);
      await api.post(`/applications/${source.id}/form_values`, { form_values: [{ item_id, value: 'secret' }] });
      const [copied, anonymised] = await Promise.all([
        copy(source.id, { opp_id: target.id }),
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

  test('to a vacancy that is being closed succeed or are rejected', async () => {
    for (let round = 0; round < 5; round++) {
      const [source, target] = [await make.application(), await make.vacancy()];
      const [copied, closed] = await Promise.all([
        copy(source.id, { opp_id: target.id }),
        api.put(`/vacancies/${target.id}/state`, { state: 'closed' }),
      ]);
      expect([`201 200`, '422 200']).toContain(`${copied.status} ${closed.status}`);
    }
  });
});
