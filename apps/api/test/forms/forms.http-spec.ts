import { describe, expect, test } from '@jest/globals';
import { ITEM_TYPES, OPTIONS } from '../support/form-factories.js';
import { type Answer, type Item } from '../support/answer.js';
import { BASE_URL } from '../support/api-harness.js';
import { expectStatus } from '../support/factories.js';
import { useApi } from '../support/use-api.js';

type Properties = Readonly<Record<string, unknown>>;

const { api, make } = useApi();

const question = (properties: Properties = {}): Properties => ({
  key: 'answer',
  label: 'Answer',
  type: 'text',
  ...properties,
});
const formOf = (items: readonly Properties[], properties: Properties = {}): Properties => ({
  name: 'Form',
  resource: 'applications',
  sections: [{ name: 'Section', items }],
  ...properties,
});
const violationsOf = async (body: Properties): Promise<readonly string[]> =>
  (await api.post('/forms', body)).violations;
const itemViolations = (...items: readonly Properties[]): Promise<readonly string[]> => violationsOf(formOf(items));

interface Section extends Item {
  readonly items: readonly (Item & { readonly options: readonly Item[] })[];
}
const sectionsOf = (form: Item): readonly Section[] => form['sections'] as readonly Section[];
const itemOf = (form: Item, key: string): Section['items'][number] => {
  const found = sectionsOf(form)
    .flatMap(({ items }) => items)
    .find((item) => item['key'] === key);
  if (!found) throw new Error(`the form has no item ${key}`);
  return found;
};

describe('a form', () => {
  test('reads as it was written, in order, with ids for all parts', async () => {
    const vacancy = await make.vacancy();
    const body = {
      name: 'Driving',
      resource: 'applications',
      opportunity_ids: [vacancy.id],
      sections: [
        {
          name: 'Licences',
          repeatable: true,
          items: [
            question({ key: 'b', type: 'single_select', options: OPTIONS, required: true }),
            question({
              key: 'a',
              type: 'integer',
              visible_if: 'application.formdata.b == "C"',
              validation: { min: 0, max: 18.5 },
            }),
          ],
        },
        { name: 'Others', items: [] },
      ],
    };
    const { item, headers } = expectStatus(201, await api.post('/forms', body));
    const id = expect.any(Number);
    expect(item).toEqual({
      id,
      uuid: expect.any(String),
      url: `${BASE_URL}/api/v1/forms/${item.id}`,
      created_dt: expect.any(String),
      updated_dt: item['created_dt'],
      name: 'Driving',
      resource: 'applications',
      opportunity_ids: [vacancy.id],
      sections: [
        {
          id,
          name: 'Licences',
          repeatable: true,
          items: [
            {
              id,
              key: 'b',
              label: 'Answer',
              type: 'single_select',
              required: true,
              visible_if: null,
              validation: null,
              options: [
                { id, value: 'B', label: 'Car' },
                { id, value: 'C', label: 'Lorry' },
              ],
            },
            {
              id,
              key: 'a',
              label: 'Answer',
              type: 'integer',
              required: false,
              visible_if: 'application.formdata.b == "C"',
              options: [],
              validation: { min: 0, max: 18.5, max_length: null, pattern: null },
            },
          ],
        },
        { id, name: 'Others', repeatable: false, items: [] },
      ],
    });
    expect(headers['location']).toBe(item.url);
    expect((await api.get(`/forms/${item.id}`)).item).toEqual(item);
    expect((await api.get('/forms?search=/sections/*/items/*/options/*/label=Lorry')).items).toEqual([item]);
  });

  test.each(ITEM_TYPES)('has items of the type %s', async (type) => {
    const isSelect = type.endsWith('select');
    const form = await make.form(formOf([question({ type, ...(isSelect && { options: OPTIONS }) })]));
    expect(itemOf(form, 'answer')).toMatchObject({ type, options: isSelect ? OPTIONS : [] });
  });

  test('can be created for each resource', async () => {
    const [vacancy, event] = [await make.vacancy(), await make.event()];
    const cases = { applications: vacancy, event_applications: event, vacancies: vacancy, events: event };
    for (const [resource, { id }] of Object.entries(cases)) {
      expect(await make.form({ resource, opportunity_ids: [id] })).toMatchObject({ resource, opportunity_ids: [id] });
      const other = id === vacancy.id ? event.id : vacancy.id;
      expect(
        (await api.post('/forms', { ...formOf([]), resource, opportunity_ids: [id, other, 987_654_321] })).violations,
      ).toEqual(['invalid /opportunity_ids/1', 'invalid /opportunity_ids/2']);
    }
  });

  test('is read in the language of the request', async () => {
    const label = { en: 'Driver', de: 'Fahrer' };
    const form = await make.form({
      sections: [
        {
          name: label,
          items: [question({ label, type: 'single_select', options: [{ value: 'B', label }, { value: 'C' }] })],
        },
      ],
    });
    const { item } = await api.get(`/forms/${form.id}`, { headers: { 'accept-language': 'de' } });
    expect(sectionsOf(item)[0]).toMatchObject({
      name: 'Fahrer',
      items: [{ label: 'Fahrer', options: [{ label: 'Fahrer' }, { label: 'C' }] }],
    });
    expect(sectionsOf(form)[0]).toMatchObject({ name: 'Driver', items: [{ label: 'Driver' }] });
  });

  test('of the maximum body size and its values are checked in seconds', async () => {
    const items = Array.from({ length: 9_000 }, (_, index) =>
      question({ key: `k${index}`, label: 'l', visible_if: 'application.formdata.k0=="x"', required: index === 0 }),
    );
    const sections = Array.from({ length: 18 }, (_, index) => ({
      name: 'S',
      items: items.slice(index * 500, (index + 1) * 500),
    }));
    const form = await make.form({ sections });
    expectStatus(200, await api.put(`/forms/${form.id}`, { name: 'Form', resource: 'applications', sections }));
    const form_values = Array.from({ length: 1_000 }, (_, index) => ({
      item_id: itemOf(form, `k${index}`).id,
      value: 'x',
    }));
    expectStatus(200, await api.post(`/applications/${(await make.application()).id}/form_values`, { form_values }));
  }, 60_000);

  test('needs a name, a resource and sections', async () => {
    expect([...(await violationsOf({}))].sort()).toEqual(['missing /name', 'missing /resource', 'missing /sections']);
  });

  test('reports every violation of its parts with its pointer', async () => {
    const body = {
      name: '',
      resource: 'candidates',
      opportunity_ids: [0],
      bogus: 1,
      sections: [
        {
          items: [
            { key: '1', label: {}, type: 'number', options: 'x', required: 1, visible_if: 5, validation: [], bogus: 1 },
          ],
        },
        { name: { xx: 'x' }, repeatable: 'no', items: 1 },
        7,
      ],
    };
    expect([...(await violationsOf(body))].sort()).toEqual(
      [
        'invalid /bogus',
        'invalid /name',
        'invalid /opportunity_ids/0',
        'invalid /resource',
        'invalid /sections/0/items/0/bogus',
        'invalid /sections/0/items/0/key',
        'invalid /sections/0/items/0/label',
        'invalid /sections/0/items/0/options',
        'invalid /sections/0/items/0/required',
        'invalid /sections/0/items/0/type',
        'invalid /sections/0/items/0/validation',
        'invalid /sections/0/items/0/visible_if',
        'invalid /sections/1/items',
        'invalid /sections/1/name/xx',
        'invalid /sections/1/repeatable',
        'invalid /sections/2',
        'missing /sections/0/name',
      ].sort(),
    );
  });

  test('rejects parts that are not objects, and lists that are too long', async () => {
    const { errors } = (await api.post('/forms', formOf([question(), 7 as unknown as Properties]))).problem;
    expect(errors).toEqual([
      { resource: 'forms', path: '/sections/0/items/1', code: 'invalid', info: 'expected a JSON object' },
    ]);
    expect(
      await itemViolations(...Array.from({ length: 501 }, () => question({ visible_if: 'application.nothing' }))),
    ).toEqual(['invalid /sections/0/items']);
  });

  test('limits the total cost of its patterns', async () => {
    const patterns = Array.from({ length: 150 }, (_, index) =>
      question({ key: `a${index}`, validation: { pattern: `\\pL{${800 + index}}\\pL{1000}` } }),
    );
    const { errors = [] } = (await api.post('/forms', formOf(patterns))).problem;
    expect(errors.map(({ path }) => path)).toEqual(
      patterns.map((_, index) => `/sections/0/items/${index}/validation/pattern`),
    );
    expect(errors.at(-1)?.info).toContain('too long to read');
  });

  test('requires unique keys, options and ids', async () => {
    expect(await itemViolations(question(), question())).toEqual(['already_exists /sections/0/items/1/key']);
    const twice = [OPTIONS[0], OPTIONS[0]];
    expect(await itemViolations(question({ type: 'multi_select', options: twice }))).toEqual([
      'already_exists /sections/0/items/0/options/1/value',
    ]);
    const id = itemOf(await make.form(), 'answer').id;
    expect(await itemViolations(question({ id }))).toEqual(['invalid /sections/0/items/0/id']);
  });

  test.each<[Properties, string]>([
    [{ type: 'single_select' }, 'missing /options'],
    [{ type: 'multi_select', options: [] }, 'missing /options'],
    [{ type: 'text', options: OPTIONS }, 'invalid /options'],
    [{ type: 'single_select', options: [{ value: ' ' }] }, 'invalid /options/0/value'],
    [{ type: 'single_select', options: [{ label: 'x' }] }, 'missing /options/0/value'],
    [{ type: 'text', validation: { min: 1 } }, 'invalid /validation/min'],
    [{ type: 'date', validation: { max: 1 } }, 'invalid /validation/max'],
    [{ type: 'integer', validation: { max_length: 1 } }, 'invalid /validation/max_length'],
    [{ type: 'rich_text', validation: { pattern: 'a' } }, 'invalid /validation/pattern'],
    [{ type: 'decimal', validation: { min: 2, max: 1 } }, 'invalid /validation/max'],
    [{ type: 'text', validation: { max_length: 0 } }, 'invalid /validation/max_length'],
    [{ type: 'text', validation: { max_length: 1.5 } }, 'invalid /validation/max_length'],
    [{ type: 'text', validation: { pattern: '(' } }, 'invalid /validation/pattern'],
    [{ type: 'text', validation: { pattern: '(a)\\1' } }, 'invalid /validation/pattern'],
    [{ type: 'text', validation: { pattern: '((a{1000}){1000}){1000}' } }, 'invalid /validation/pattern'],
    [{ type: 'text', validation: { pattern: '(\\pL{1000})?'.repeat(38) } }, 'invalid /validation/pattern'],
    [{ type: 'text', validation: { pattern: 'a'.repeat(501) } }, 'invalid /validation/pattern'],
    [{ type: 'text', validation: { pattern: '('.repeat(501) } }, 'invalid /validation/pattern'],
    [{ type: 'textarea', validation: { pattern: 'a*', max_length: 2001 } }, 'invalid /validation/max_length'],
    [{ visible_if: 'x'.repeat(4097) }, 'invalid /visible_if'],
    [{ key: 'x'.repeat(65) }, 'invalid /key'],
    [{ label: '' }, 'invalid /label'],
    [{ label: { en: '\u0000' } }, 'invalid /label/en'],
  ])('rejects an item %j', async (properties, violation) => {
    const [code, path = ''] = violation.split(' ');
    expect(await itemViolations(question(properties))).toEqual([`${code} /sections/0/items/0${path}`]);
  });

  test('has conditions over its owner and over its own items by key', async () => {
    const conditions = [
      'application.opportunity.location == "Berlin" AND application.formdata.answer =~ "x"',
      `application.formdata.${itemOf(await make.form(), 'answer').id}:2:1 == NULL`,
      'application.formdata.later > 3',
      'application.formdata.tags IN ("B")',
      '  ',
    ];
    const items = conditions.map((visible_if, index) => question({ key: `k${index}`, visible_if }));
    const others = [
      question(),
      question({ key: 'later', type: 'integer' }),
      question({ key: 'tags', type: 'multi_select', options: OPTIONS }),
    ];
    const form = await make.form(formOf([...items, ...others]));
    expect(items.map(({ key }) => itemOf(form, String(key))['visible_if'])).toEqual([...conditions.slice(0, -1), null]);
  });

  test.each([
    ['application.formdata.nothing == 1', 'application has no form item "nothing"'],
    ['application.formdata.987654321 == 1', 'application has no form item "987654321"'],
    ['application.formdata.answer > 3', 'cannot compare "application.formdata.answer" (a text) with a number'],
    ['application.fistname == 1', 'fistname'],
    ['vacancy.id == 1', 'a datapath starts here with "application"'],
    ['application.id =', 'write =='],
  ])('rejects the condition %s', async (visible_if, info) => {
    const { problem, status } = await api.post('/forms', formOf([question({ visible_if })]));
    expect([status, problem.errors?.[0]]).toEqual([
      422,
      {
        resource: 'forms',
        path: '/sections/0/items/0/visible_if',
        code: 'invalid',
        info: expect.stringContaining(info),
      },
    ]);
  });

  test('has conditions limited to the read scopes of its writer', async () => {
    const token = await make.token('forms:write', 'applications:read');
    const withCondition = (visible_if: string): Properties => formOf([question({ visible_if })]);
    expectStatus(201, await api.post('/forms', withCondition('application.rating == 1'), { token }));
    const answer = expectStatus(
      403,
      await api.post('/forms', withCondition('application.user.language == "de"'), { token }),
    );
    expect(answer.problem.message).toContain('users:read');
    const { id } = await make.form();
    expectStatus(403, await api.put(`/forms/${id}`, withCondition('application.user.language == "de"'), { token }));
  });

  test.each([
    ['applications', 'vacancies:read', 'events:read'],
    ['event_applications', 'events:read', 'vacancies:read'],
  ])('for %s with a condition on opportunities needs the scope %s', async (resource, scope, other) => {
    const form = { ...formOf([question({ visible_if: 'application.opportunity.location == "x"' })]), resource };
    const write = async (read: string): Promise<Answer> =>
      api.post('/forms', form, { token: await make.token('forms:write', 'applications:read', read) });
    expectStatus(201, await write(scope));
    expect(expectStatus(403, await write(other)).problem.message).toContain(scope);
  });
});

describe('a replaced form', () => {
  const full = (): Properties => ({
    name: 'Form',
    resource: 'applications',
    sections: [
      {
        name: 'One',
        repeatable: true,
        items: [question({ key: 'a' }), question({ key: 'b', type: 'multi_select', options: OPTIONS })],
      },
      { name: 'Two', items: [question({ key: 'c', type: 'single_select', options: OPTIONS })] },
    ],
  });
  const value = (form: Item, key: string, more: Properties = {}): Properties => ({
    item_id: itemOf(form, key).id,
    ...more,
  });

  async function withValues(...values: readonly ((form: Item) => Properties)[]): Promise<Item> {
    const form = await make.form(full());
    const { id } = await make.application();
    expectStatus(200, await api.post(`/applications/${id}/form_values`, { form_values: values.map((of) => of(form)) }));
    return form;
  }

  test('keeps the ids of parts that stay, wherever they move', async () => {
    const form = await make.form(full());
    const [one, two] = sectionsOf(form);
    const { item } = expectStatus(
      200,
      await api.put(`/forms/${form.id}`, {
        name: 'Renamed',
        resource: 'applications',
        sections: [
          {
            id: two?.id,
            name: 'Second',
            items: [question({ key: 'b', type: 'multi_select', options: [OPTIONS[1], { value: 'D' }] })],
          },
          { name: 'New', items: [question({ id: itemOf(form, 'a').id, key: 'renamed' })] },
        ],
      }),
    );
    expect(itemOf(item, 'b').id).toBe(itemOf(form, 'b').id);
    expect(itemOf(item, 'renamed').id).toBe(itemOf(form, 'a').id);
    expect(itemOf(item, 'b').options.map(({ id, value: of }) => [id, of])).toEqual([
      [itemOf(form, 'b').options[1]?.id, 'C'],
      [expect.any(Number), 'D'],
    ]);
    expect(sectionsOf(item).map(({ id, name }) => [id, name])).toEqual([
      [two?.id, 'Second'],
      [expect.any(Number), 'New'],
    ]);
    expect(sectionsOf(item)[1]?.id).not.toBe(one?.id);
    expect(Date.parse(String(item['updated_dt']))).toBeGreaterThan(Date.parse(String(form['updated_dt'])));
  });

  test('does not change when the body equals it', async () => {
    const form = await make.form(full());
    expect(expectStatus(200, await api.put(`/forms/${form.id}`, full())).item).toEqual(form);
  });

  test('changes when one language of a label changes', async () => {
    const form = await make.form(formOf([question({ label: { en: 'a', de: 'b' } })]));
    const { item } = await api.put(`/forms/${form.id}`, formOf([question({ label: { en: 'a', de: 'c' } })]));
    expect(item['updated_dt']).not.toBe(form['updated_dt']);
  });

  test('cannot drop parts that have values', async () => {
    const form = await withValues(
      (of) => value(of, 'a', { value: 'x', section_instance: 2 }),
      (of) => value(of, 'b', { value: ['B'] }),
      (of) => value(of, 'c', { value: 'C' }),
    );
    const put = async (sections: readonly Properties[], more: Properties = {}): Promise<readonly string[]> =>
      (await api.put(`/forms/${form.id}`, { ...full(), sections, ...more })).violations;
    const [a, b, c] = [
      question({ key: 'a' }),
      question({ key: 'b', type: 'multi_select', options: OPTIONS }),
      question({ key: 'c', type: 'single_select', options: OPTIONS }),
    ];
    const one = (...items: readonly Properties[]): Properties => ({ name: 'One', repeatable: true, items });
    expect(await put([])).toEqual(['in_use /sections', 'in_use /sections', 'in_use /sections']);
    expect(await put([one({ ...a, type: 'textarea' }, b, c)])).toEqual(['in_use /sections/0/items/0/type']);
    expect(await put([one(a, { ...b, options: [OPTIONS[1]] }, { ...c, options: [OPTIONS[0]] })])).toEqual([
      'in_use /sections/0/items/1/options',
      'in_use /sections/0/items/2/options',
    ]);
    expect(await put([{ name: 'One', items: [a, b, c] }])).toEqual(['in_use /sections/0/repeatable']);
    expect(await put([one(a, b, c)], { resource: 'event_applications' })).toEqual(['in_use /resource']);
    expect(await put([one(a, { ...b, options: [OPTIONS[0]] }, { ...c, options: [OPTIONS[1]] })])).toEqual([]);
    expect((await api.delete(`/forms/${form.id}`)).violations).toEqual(['in_use ']);
  });

  test('renames options together with the stored values', async () => {
    const form = await make.form(full());
    const { id } = await make.application();
    const given = [value(form, 'b', { value: ['C', 'B'] }), value(form, 'c', { value: 'B' })];
    expectStatus(200, await api.post(`/applications/${id}/form_values`, { form_values: given }));
    const swapped = (key: string): readonly Properties[] =>
      itemOf(form, key).options.map((option, index) => ({ id: option.id, value: ['C', 'X'][index], label: 'x' }));
    const items = [
      question({ key: 'b', type: 'multi_select', options: swapped('b') }),
      question({ key: 'c', type: 'single_select', options: swapped('c') }),
    ];
    expectStatus(200, await api.put(`/forms/${form.id}`, formOf(items)));
    const { form_values } = (await api.get(`/applications/${id}/form_values`)).json as {
      readonly form_values: readonly Properties[];
    };
    expect(form_values.map((of) => of['value'])).toEqual([['X', 'C'], 'C']);
  });

  test('changes updated_dt only of owners that chose a renamed option', async () => {
    const form = await make.form(full());
    const [chosen, other] = [await make.application(), await make.application()];
    const write = async ({ id }: Item, of: string): Promise<Item> => {
      expectStatus(
        200,
        await api.post(`/applications/${id}/form_values`, { form_values: [value(form, 'c', { value: of })] }),
      );
      return (await api.get(`/applications/${id}`)).item;
    };
    const [before, otherBefore] = [await write(chosen, 'B'), await write(other, 'C')];
    const [first, second] = itemOf(form, 'c').options;
    const items = [
      question({
        key: 'c',
        type: 'single_select',
        options: [
          { id: first?.id, value: 'renamed' },
          { id: second?.id, value: 'C', label: 'Lorry' },
        ],
      }),
    ];
    expectStatus(200, await api.put(`/forms/${form.id}`, formOf(items)));
    const after = (await api.get(`/applications/${chosen.id}`)).item;
    expect(Date.parse(String(after['updated_dt']))).toBeGreaterThan(Date.parse(String(before['updated_dt'])));
    expect((await api.get(`/applications/${other.id}`)).item['updated_dt']).toBe(otherBefore['updated_dt']);
  });

  test('can reuse the key of a removed part', async () => {
    const form = await make.form(full());
    const [a, c] = [itemOf(form, 'a'), itemOf(form, 'c')];
    const options = [{ id: c.options[0]?.id, value: 'X' }, { value: 'B' }];
    const { item } = expectStatus(
      200,
      await api.put(
        `/forms/${form.id}`,
        formOf([
          question({ id: a.id, key: 'renamed' }),
          question({ key: 'a' }),
          question({ key: 'c', type: 'single_select', options }),
        ]),
      ),
    );
    expect([itemOf(item, 'renamed').id, itemOf(item, 'c').id, itemOf(item, 'c').options[0]?.id]).toEqual([
      a.id,
      c.id,
      c.options[0]?.id,
    ]);
    expect([a.id, c.id]).not.toContain(itemOf(item, 'a').id);
    expect(c.options.map(({ id }) => id)).not.toContain(itemOf(item, 'c').options[1]?.id);
    const back = expectStatus(
      200,
      await api.put(`/forms/${form.id}`, formOf([question({ key: 'renamed' }), question({ id: a.id, key: 'a' })])),
    );
    expect(back.item).toMatchObject({ sections: [{ items: [{ key: 'renamed' }, { id: a.id, key: 'a' }] }] });
    expect(itemOf(back.item, 'renamed').id).not.toBe(a.id);
  });

  test('can swap the keys of parts, which keep their values', async () => {
    const form = await make.form(full());
    const { id } = await make.application();
    expectStatus(
      200,
      await api.post(`/applications/${id}/form_values`, {
        form_values: [value(form, 'a', { value: 'x' }), value(form, 'c', { value: 'B' })],
      }),
    );
    const [a, b, c] = [itemOf(form, 'a'), itemOf(form, 'b'), itemOf(form, 'c')];
    const options = c.options.map((option, index) => ({ id: option.id, value: ['C', 'B'][index] }));
    expectStatus(
      200,
      await api.put(
        `/forms/${form.id}`,
        formOf([
          question({ id: b.id, key: 'a', type: 'multi_select', options: OPTIONS }),
          question({ id: a.id, key: 'b' }),
          question({ key: 'c', type: 'single_select', options }),
        ]),
      ),
    );
    const { form_values } = (await api.get(`/applications/${id}/form_values`)).json as {
      readonly form_values: readonly Properties[];
    };
    expect(form_values.map((of) => [of['item_id'], of['value']])).toEqual([
      [a.id, 'x'],
      [c.id, 'C'],
    ]);
  });

  test('can be deleted only without values', async () => {
    const { id } = await make.form(full());
    expectStatus(204, await api.delete(`/forms/${id}`));
    expect((await api.get(`/forms/${id}`)).status).toBe(404);
  });
});
