// @group sample: npm test runs a quarter of its tests
import { describe, expect, test } from '@jest/globals';
import { type Answer } from '../support/answer.js';
import { expectStatus } from '../support/factories.js';
import { itemIdsOf, type Properties, valuesOf } from '../support/form-factories.js';
import { useApi } from '../support/use-api.js';

const { api, make, forms } = useApi();

describe('a write of form values', () => {
  test('sets the values in the body and keeps all other values', async () => {
    const [{ a, b }, application] = [await forms.itemsOf({ a: {}, b: {} }), await make.application()];
    await forms.write(application, [{ item_id: a, value: 'one' }]);
    expect(valuesOf(await forms.write(application, [{ item_id: b, value: 'two' }])).map(({ value }) => value)).toEqual([
      'one',
      'two',
    ]);
    expect(valuesOf(await forms.write(application, [{ item_id: a, value: null }])).map(({ value }) => value)).toEqual([
      'two',
    ]);
    expect(valuesOf(await forms.write(application, []))).toHaveLength(1);
  });

  test('is applied as a whole or not at all, and reports every violation', async () => {
    const [{ a, b }, { r }, application] = [
      await forms.itemsOf({ a: { type: 'integer' }, b: {} }),
      await forms.itemsOf({ r: {} }, { section: { repeatable: true } }),
      await make.application(),
    ];
    const answer = await forms.write(application, [
      { item_id: b, value: 'good' },
      { item_id: a, value: 'x' },
      { item_id: 987_654_321, value: 1 },
      { item_id: b, section_instance: 2, value: 'x' },
      { item_id: b, value: 'again' },
      { item_id: a, value: 1, form_instance: 0 },
      { item_id: a },
      { value: 1 },
      { item_id: r, section_instance: 3, form_instance: 2, value: 'good' },
      { item_id: a, form_instance: 2, value: 1, bogus: 1 },
      7,
    ]);
    expect(answer.status).toBe(422);
    expect([...answer.violations].sort()).toEqual([
      'invalid /form_values/1/value',
      'invalid /form_values/10',
      'invalid /form_values/2/item_id',
      'invalid /form_values/3/section_instance',
      'invalid /form_values/4',
      'invalid /form_values/5/form_instance',
      'invalid /form_values/9/bogus',
      'missing /form_values/6/value',
      'missing /form_values/7/item_id',
    ]);
    expect(await forms.read(application)).toEqual([]);
  });

  test.each<[unknown, readonly string[]]>([
    [{}, ['missing /form_values']],
    [{ form_values: {} }, ['invalid /form_values']],
    [{ form_values: null }, ['missing /form_values']],
    [{ form_values: [], x: 1 }, ['invalid /x']],
    [[], ['invalid ']],
    [{ form_values: Array.from({ length: 1001 }, () => ({ item_id: 1, value: 1 })) }, ['invalid /form_values']],
  ])('rejects a body without a valid list of form values (%#)', async (body, violations) => {
    const { id } = await make.application();
    expect((await api.post(`/applications/${id}/form_values`, body)).violations).toEqual(violations);
  });

  test('keeps the values of section and form instances separate and lists them in order', async () => {
    const [{ r, s }, application] = [
      await forms.itemsOf({ r: {}, s: {} }, { section: { repeatable: true } }),
      await make.application(),
    ];
    const places = [
      [1, 1],
      [2, 1],
      [1, 2],
      [2, 2],
    ] as const;
    const given = places.flatMap(([section_instance, form_instance]) =>
      [s, r].map((item_id) => ({
        item_id,
        section_instance,
        form_instance,
        value: `${section_instance}${form_instance}`,
      })),
    );
    expectStatus(200, await forms.write(application, [...given].reverse()));
    expect((await forms.read(application)).map(({ item_id, value }) => [item_id, value])).toEqual(
      places.flatMap(([section, form]) => [
        [r, `${section}${form}`],
        [s, `${section}${form}`],
      ]),
    );
    await forms.write(application, [{ item_id: r, section_instance: 2, form_instance: 2, value: null }]);
    expect(await forms.read(application)).toHaveLength(7);
  });

  test('adds a history entry and changes updated_dt only when a value changes', async () => {
    const [{ a, b }, application] = [await forms.itemsOf({ a: {}, b: { type: 'integer' } }), await make.application()];
    const given = [
      { item_id: a, value: 'x' },
      { item_id: b, value: 7 },
    ];
    await forms.write(application, given);
    const { item } = await api.get(`/applications/${application.id}`);
    expect(Date.parse(String(item['updated_dt']))).toBeGreaterThan(Date.parse(String(application['updated_dt'])));
    await forms.write(application, given);
    await forms.write(application, [{ item_id: b, value: 8 }]);
    const { items } = (await api.get(`/applications/${application.id}/history`)).json as {
      readonly items: readonly Properties[];
    };
    expect(items.map(({ type, changes }) => [type, changes])).toEqual([
      ['form_submitted', [{ path: `/form_values/${b}:1:1`, old: 7, new: 8 }]],
      [
        'form_submitted',
        [
          { path: `/form_values/${a}:1:1`, old: null, new: 'x' },
          { path: `/form_values/${b}:1:1`, old: null, new: 7 },
        ],
      ],
      ['created', null],
    ]);
  });

  test('is possible for each kind of owner, under each of its paths', async () => {
    const cases = [
      ['applications', 'applications', () => make.application()],
      ['vacancy_applications', 'applications', () => make.application()],
      ['event_applications', 'event_applications', () => make.eventApplication()],
      ['event_registrations', 'event_applications', () => make.eventApplication()],
      ['vacancies', 'vacancies', () => make.vacancy()],
      ['events', 'events', () => make.event()],
    ] as const;
    for (const [path, resource, item] of cases) {
      const { answer } = itemIdsOf(await make.form({ resource }));
      const owner = await item();
      expect(
        valuesOf(await forms.write(owner, [{ item_id: answer, value: path }], path)).map(({ value }) => value),
      ).toEqual([path]);
      expect(await forms.read(owner, path)).toHaveLength(1);
      const isApplication = resource.endsWith('applications');
      const others = cases.filter(
        ([, other]) => other !== resource && other.endsWith('applications') === isApplication,
      );
      for (const [other] of others)
        expect([other, (await api.get(`/${other}/${owner.id}/form_values`)).status]).toEqual([other, 404]);
    }
  });

  test('accepts only items of forms that apply to the owner', async () => {
    const [one, other] = [await make.vacancy(), await make.vacancy()];
    const { answer } = itemIdsOf(await make.form({ opportunity_ids: [one.id] }));
    const { answer: ofVacancies } = itemIdsOf(await make.form({ resource: 'vacancies', opportunity_ids: [one.id] }));
    const { answer: ofEvents } = itemIdsOf(await make.form({ resource: 'event_applications' }));
    expectStatus(
      200,
      await forms.write(await make.application({ opportunity_id: one.id }), [{ item_id: answer, value: 'x' }]),
    );
    expectStatus(200, await forms.write(one, [{ item_id: ofVacancies, value: 'x' }], 'vacancies'));
    const elsewhere = await make.application({ opportunity_id: other.id });
    expect(
      (
        await forms.write(elsewhere, [
          { item_id: answer, value: 'x' },
          { item_id: ofEvents, value: 'x' },
        ])
      ).violations,
    ).toEqual(['invalid /form_values/0/item_id', 'invalid /form_values/1/item_id']);
    expect((await forms.write(other, [{ item_id: ofVacancies, value: 'x' }], 'vacancies')).violations).toEqual([
      'invalid /form_values/0/item_id',
    ]);
  });

  test('reports the first 1000 violations', async () => {
    const items = Array.from({ length: 400 }, (_, index) => ({
      key: `k${index}`,
      label: 'L',
      type: 'boolean',
      required: true,
    }));
    const ids = Object.values(itemIdsOf(await make.form({ sections: [{ name: 'S', items }] })));
    const given = Array.from({ length: 500 }, (_, index) => ({
      item_id: ids[0],
      form_instance: index + 1,
      value: true,
    }));
    const { problem, text } = await forms.write(await make.application(), given);
    expect(problem.errors).toHaveLength(1001);
    expect(problem.errors?.at(-1)).toMatchObject({
      path: '',
      code: 'invalid',
      info: expect.stringContaining('more errors are not listed'),
    });
    expect(text.length).toBeLessThan(300_000);
  });

  test('accepts section and form instances up to 1000', async () => {
    const [{ a }, application] = [
      await forms.itemsOf({ a: {} }, { section: { repeatable: true } }),
      await make.application(),
    ];
    expectStatus(
      200,
      await forms.write(application, [{ item_id: a, section_instance: 1000, form_instance: 1000, value: 'x' }]),
    );
    expect(
      (
        await forms.write(application, [
          { item_id: a, section_instance: 1001, value: 'x' },
          { item_id: a, form_instance: 1001, value: 'x' },
        ])
      ).violations,
    ).toEqual(['invalid /form_values/0/section_instance', 'invalid /form_values/1/form_instance']);
  });

  test('needs only the write scope of its owner', async () => {
    const [{ a }, application, vacancy] = [
      await forms.itemsOf({ a: {} }),
      await make.application(),
      await make.vacancy(),
    ];
    const [reader, writer] = [await make.token('applications:read'), await make.token('applications:write')];
    const form_values = [{ item_id: a, value: 'x' }];
    expectStatus(200, await api.get(`/applications/${application.id}/form_values`, { token: reader }));
    expectStatus(
      200,
      await api.post(`/applications/${application.id}/form_values`, { form_values }, { token: writer }),
    );
    expectStatus(403, await api.get(`/vacancies/${vacancy.id}/form_values`, { token: reader }));
    expectStatus(403, await api.post(`/vacancies/${vacancy.id}/form_values`, { form_values }, { token: writer }));
    expectStatus(403, await api.post('/vacancies/bulk_form_values', { items: [] }, { token: writer }));
  });

  test('runs once per Idempotency-Key', async () => {
    const [{ a }, application] = [await forms.itemsOf({ a: {} }), await make.application()];
    const send = (): Promise<Answer> =>
      api.post(
        `/applications/${application.id}/form_values`,
        { form_values: [{ item_id: a, value: 'x' }] },
        { headers: { 'idempotency-key': 'once' } },
      );
    const first = await send();
    await forms.write(application, [{ item_id: a, value: null }]);
    expect((await send()).json).toEqual(first.json);
    expect(await forms.read(application)).toEqual([]);
  });
});

describe('form values in the body of an application', () => {
  test('are written together with the application or not at all', async () => {
    const { a, b } = await forms.itemsOf({ a: { required: true }, b: { type: 'integer' } });
    const { id: opportunity_id } = await make.vacancy();
    const { id: user_id } = await make.candidate();
    const body = (...form_values: readonly Properties[]): Properties => ({ opportunity_id, user_id, form_values });
    expect((await api.post('/applications', body({ item_id: b, value: 'x' }))).violations).toEqual([
      'invalid /form_values/0/value',
      'missing /form_values',
    ]);
    expect((await api.post('/applications', body({ item_id: b, value: 1, bogus: 1 }))).violations).toEqual([
      'invalid /form_values/0/bogus',
      'missing /form_values',
    ]);
    expect((await api.get(`/applications?search=opportunity_id=${opportunity_id}`)).items).toEqual([]);
    const { item } = expectStatus(
      201,
      await api.post('/applications', body({ item_id: a, value: 'x' }, { item_id: b, value: 1 })),
    );
    expect((await forms.read(item)).map(({ value }) => value)).toEqual(['x', 1]);
    const { items } = (await api.get(`/applications/${item.id}/history`)).json as {
      readonly items: readonly Properties[];
    };
    expect(items.map(({ type }) => type)).toEqual(['form_submitted', 'created']);
    expectStatus(200, await api.put(`/applications/${item.id}`, body({ item_id: b, value: null })));
    expect((await forms.read(item)).map(({ value }) => value)).toEqual(['x']);
    expectStatus(200, await api.put(`/applications/${item.id}`, { opportunity_id, user_id }));
    expect(await forms.read(item)).toHaveLength(1);
  });
});
