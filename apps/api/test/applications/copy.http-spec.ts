// @group sample: npm test runs a quarter of its tests
import { describe, expect, test } from '@jest/globals';
import { BASE_URL } from '../support/api-harness.js';
import { useApi } from '../support/use-api.js';
import { copy, idOf, historyOf, valuesOf, formWith } from './copies.js';

const { api, make } = useApi();

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

    const { status, item, headers } = await copy(api, source.id, { opp_id: target.id });
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
    // A copy counts as submitted at the time of the copy, like a new application.
    expect([item['submitted_dt'], item['updated_dt']]).toEqual([item['created_dt'], item['created_dt']]);
    expect((await api.get(`/applications/${item.id}`)).item).toEqual(item);
  });

  test('is recorded in the histories of both applications, and changes only updated_dt of its source', async () => {
    const source = await make.application();
    const target = await make.vacancy();
    const { item } = await copy(api, source.id, { opp_id: target.id });
    const [told] = await historyOf(api, `/applications/${source.id}`);
    expect(told).toMatchObject({
      type: 'copied',
      from: null,
      to: null,
      changes: [{ path: '/copied_to', old: null, new: { id: item.id, url: item.url } }],
    });
    expect(told?.user.id).toBeGreaterThan(0);
    expect(await historyOf(api, `/applications/${item.id}`)).toMatchObject([
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

  test('can be copied again, and an ended application can be copied to its own vacancy', async () => {
    const source = await make.application();
    await api.put(`/applications/${source.id}/process_state`, { state: 'rejected' });
    const again = await copy(api, source.id, { opp_id: source['opportunity_id'] });
    expect([again.status, again.item['copied_from']]).toEqual([201, { id: source.id, url: source.url }]);
    const further = await copy(api, again.item.id, { opp_id: (await make.vacancy()).id });
    expect([further.status, further.item['copied_from']]).toEqual([201, { id: again.item.id, url: again.item.url }]);
  });

  test.each(['applications', 'vacancy_applications'])(
    'is created under /%s, which answers 404 to applications of the other kind',
    async (name) => {
      const [own, other] = [await make.application(), await make.eventApplication()];
      const opp_id = (await make.vacancy()).id;
      expect((await api.post(`/${name}/${other.id}/copy`, { opp_id })).status).toBe(404);
      expect((await api.post(`/${name}/${own.id}/copy`, { opp_id })).status).toBe(201);
    },
  );

  test.each(['event_applications', 'event_registrations'])(
    'is created under /%s, which answers 404 to applications of the other kind',
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
    const { status, problem } = await copy(api, source.id, { opp_id: target.id }, { token });
    expect([status, problem.message]).toEqual([403, 'The credential lacks the scope applications:write']);
    expect(
      (await copy(api, source.id, { opp_id: target.id }, { token: await make.token('applications:write') })).status,
    ).toBe(201);
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
    const { items } = await formWith(make, ITEMS);
    const source = await make.application();
    const given = items.flatMap((item_id, index) => [
      { item_id, value: VALUES[index] },
      { item_id, section_instance: 2, form_instance: 3, value: VALUES[index] },
    ]);
    const written = await api.post(`/applications/${source.id}/form_values`, { form_values: given });
    expect(written.status).toBe(200);
    const { item } = await copy(api, source.id, { opp_id: (await make.vacancy()).id });
    expect(await valuesOf(api, item.id)).toEqual((written.json as { readonly form_values: unknown }).form_values);
    // The form values of the original application do not change.
    expect(await valuesOf(api, source.id)).toEqual(await valuesOf(api, item.id));
    const [rich] = await api.database.query(
      'SELECT rich_value FROM application_form_values WHERE owner_id = $1 AND rich_value IS NOT NULL',
      [item.id],
    );
    expect(rich).toEqual({ rich_value: VALUES[2] });
  });

  test('are copied only for forms that apply to both vacancies', async () => {
    const [from, to, third] = [await make.vacancy(), await make.vacancy(), await make.vacancy()];
    const answer = { key: 'answer', label: 'Answer', type: 'text' };
    const ofAll = await formWith(make, [answer]);
    const ofBoth = await formWith(make, [answer], { opportunity_ids: [third.id, to.id, from.id] });
    const ofSource = await formWith(make, [answer], { opportunity_ids: [from.id, third.id] });
    const source = await make.application({ opportunity_id: from.id });
    const given = [ofAll, ofBoth, ofSource].map(({ items: [item_id] }) => ({ item_id, value: 'x' }));
    expect((await api.post(`/applications/${source.id}/form_values`, { form_values: given })).status).toBe(200);
    const { item } = await copy(api, source.id, { opp_id: to.id });
    expect(
      ((await valuesOf(api, item.id)) as readonly { readonly item_id: number }[]).map(({ item_id }) => item_id),
    ).toEqual([ofAll.items[0], ofBoth.items[0]]);
  });

  test('are not copied when their form no longer applies to the source', async () => {
    const [from, to] = [await make.vacancy(), await make.vacancy()];
    const { id, items } = await formWith(make, [{ key: 'answer', label: 'Answer', type: 'text' }], {
      opportunity_ids: [from.id],
    });
    const source = await make.application({ opportunity_id: from.id });
    await api.post(`/applications/${source.id}/form_values`, { form_values: [{ item_id: items[0], value: 'x' }] });
    await api.database.query('UPDATE forms SET opportunity_ids = $2 WHERE id = $1', [id, [to.id]]);
    expect(await valuesOf(api, (await copy(api, source.id, { opp_id: to.id })).item.id)).toEqual([]);
  });
});

describe('run_config_autoscoring', () => {
  const rules = (...conditions: readonly [string, number][]): Readonly<Record<string, unknown>> => ({
    scoring_rules: conditions.map(([expression, points]) => ({ expression, points })),
  });

  test('scores the copy by the rules of its vacancy on the copied values', async () => {
    const {
      items: [item],
    } = await formWith(make, [{ key: 'years', label: 'Years', type: 'integer' }]);
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
    const copied = await copy(api, source.id, { opp_id: target.id, run_config_autoscoring: true });
    expect([copied.status, copied.item['score']]).toEqual([201, 0.3]);
    expect((await api.get(`/applications/${source.id}`)).item['score']).toBeNull();
    expect(
      (await historyOf(api, `/applications/${copied.item.id}`)).map(({ type, changes }) => [type, changes?.[0]?.path]),
    ).toEqual([
      ['field_change', '/score'],
      ['copied', '/copied_from'],
    ]);
  });

  test.each([undefined, null, false])('computes no score when it is %s', async (run_config_autoscoring) => {
    const target = await make.vacancy(rules(['application.id > 0', 1]));
    const { status, item } = await copy(api, (await make.application()).id, {
      opp_id: target.id,
      run_config_autoscoring,
    });
    expect([status, item['score']]).toEqual([201, null]);
  });

  test('leaves the score null when the vacancy has no rules', async () => {
    const { status, item } = await copy(api, (await make.application()).id, {
      opp_id: (await make.vacancy()).id,
      run_config_autoscoring: true,
    });
    expect([status, item['score']]).toEqual([201, null]);
  });
});
