// @group sample: npm test runs a quarter of its tests
import { describe, expect, test } from '@jest/globals';
import { expectRefused, type Kind, person } from '../applications/one-call.js';
import { type Answer } from '../support/answer.js';
import { expectStatus } from '../support/factories.js';
import { type ItemIds, type Properties } from '../support/form-factories.js';
import { useApi } from '../support/use-api.js';

const { api, make, forms } = useApi();

const OPPORTUNITIES = { applications: () => make.vacancy(), event_applications: () => make.event() } as const;

/** The items of the form. `name` is required, `since` is required while `licence` is true, and `note` is optional. */
const ITEMS = {
  name: { required: true },
  licence: { type: 'boolean' },
  since: { type: 'date', required: true, visible_if: 'application.formdata.licence == true' },
  note: {},
};

const errorsOf = (answer: Answer): readonly Properties[] =>
  ((answer.problem as { readonly errors?: readonly Properties[] }).errors ?? []).map((error) =>
    Object.fromEntries(Object.entries(error).filter(([name]) => name !== 'resource' && name !== 'info')),
  );

describe.each(Object.keys(OPPORTUNITIES) as Kind[])('a form in POST /%s', (kind) => {
  const apply = (body: Properties): Promise<Answer> => api.post(`/${kind}`, { candidate: person(), ...body });

  async function formOf(
    on_apply: string | undefined,
  ): Promise<{ readonly opportunity_id: number; readonly items: ItemIds }> {
    const { id } = await OPPORTUNITIES[kind]();
    const items = await forms.itemsOf(ITEMS, { resource: kind, opportunity_ids: [id], ...(on_apply && { on_apply }) });
    return { opportunity_id: id, items };
  }

  test('with on_apply required needs every visible required item, even if the body has no form values', async () => {
    const { opportunity_id, items } = await formOf('required');
    await expectRefused(api, () => apply({ opportunity_id }), ['missing /form_values']);
    await expectRefused(api, () => apply({ opportunity_id, form_values: [] }), ['missing /form_values']);
    await expectRefused(api, () => apply({ opportunity_id, rating: 9 }), ['invalid /rating', 'missing /form_values']);
    const licence = { item_id: items['licence'], value: true };
    const answer = await apply({ opportunity_id, form_values: [licence] });
    expect([answer.status, errorsOf(answer)]).toEqual([
      422,
      ['name', 'since'].map((item_key) => ({
        path: '/form_values',
        code: 'missing',
        item_id: items[item_key],
        item_key,
        section_instance: 1,
        form_instance: 1,
      })),
    ]);
    const name = { item_id: items['name'], value: 'Ada' };
    const since = { item_id: items['since'], value: '2020-01-01' };
    expectStatus(201, await apply({ opportunity_id, form_values: [name, licence, since] }));
    expectStatus(201, await apply({ opportunity_id, form_values: [name] }));
  });

  test('with on_apply required is not needed for other opportunities and in later writes', async () => {
    const { opportunity_id, items } = await formOf('required');
    const other = await OPPORTUNITIES[kind]();
    const { item } = expectStatus(201, await apply({ opportunity_id: other.id }));
    const user_id = (item['user'] as { readonly id: number }).id;
    expectStatus(200, await api.put(`/${kind}/${item.id}`, { opportunity_id, user_id }));
    expect((await forms.write(item, [{ item_id: items['note'], value: 'x' }], kind)).violations).toEqual([
      'missing /form_values',
    ]);
  });

  test.each([undefined, 'optional'])(
    'with on_apply %s is needed only when the request has values of the form',
    async (on) => {
      const { opportunity_id, items } = await formOf(on);
      expectStatus(201, await apply({ opportunity_id }));
      await expectRefused(api, () => apply({ opportunity_id, form_values: [{ item_id: items['note'], value: 'x' }] }), [
        'missing /form_values',
      ]);
    },
  );

  test('with on_apply hidden takes no values in the POST, but takes them in later writes', async () => {
    const { opportunity_id, items } = await formOf('hidden');
    const form_values = [
      { item_id: items['name'], value: 'Ada' },
      { item_id: items['note'], value: null },
    ];
    await expectRefused(api, () => apply({ opportunity_id, form_values }), ['form_hidden /form_values/0/item_id']);
    const { item } = expectStatus(201, await apply({ opportunity_id, form_values: form_values.slice(1) }));
    expectStatus(200, await forms.write(item, form_values, kind));
  });
});

describe('on_apply', () => {
  test('of a form is read as it was written, is optional by default, and has no other values', async () => {
    const form = await make.form({ on_apply: 'hidden' });
    expect(form['on_apply']).toBe('hidden');
    const { name, resource, sections } = form;
    const body = {
      name,
      resource,
      sections: (sections as readonly Properties[]).map(() => ({ name: 'S', items: [] })),
    };
    expect(expectStatus(200, await api.put(`/forms/${form.id}`, body)).item['on_apply']).toBe('optional');
    expect((await api.post('/forms', { ...body, on_apply: 'never' })).violations).toEqual(['invalid /on_apply']);
  });
});

describe('a violation about a form item', () => {
  const placed = (item: string, items: ItemIds, section_instance = 1): Properties => ({
    item_id: items[item],
    item_key: item,
    section_instance,
    form_instance: 1,
  });

  test('names the item and the instance in every request that writes form values', async () => {
    const items = await forms.itemsOf(
      { name: { required: true }, age: { type: 'integer' }, more: { visible_if: 'application.formdata.age > 3' } },
      { section: { repeatable: true } },
    );
    const vacancy = await make.vacancy();
    const application = await make.application({ opportunity_id: vacancy.id });
    const form_values = [
      { item_id: items['age'], section_instance: 2, value: 'x' },
      { item_id: items['more'], value: 'x' },
      { item_id: items['name'], section_instance: 2 },
      { item_id: items['age'], value: 1, bogus: 1 },
    ];
    const expected = (pointer: string): readonly Properties[] => [
      { path: `${pointer}/2/value`, code: 'missing', ...placed('name', items, 2) },
      { path: `${pointer}/3/bogus`, code: 'invalid', ...placed('age', items) },
      { path: `${pointer}/0/value`, code: 'invalid', ...placed('age', items, 2) },
      { path: `${pointer}/1/value`, code: 'not_visible', ...placed('more', items) },
      { path: pointer, code: 'missing', ...placed('name', items) },
    ];
    const [one, bulk, applying] = [
      await forms.write(application, form_values),
      await api.post('/applications/bulk_form_values', { items: [{ id: application.id, form_values }] }),
      await api.post('/applications', { opportunity_id: vacancy.id, candidate: person(), form_values }),
    ];
    expect(errorsOf(one)).toEqual(expected('/form_values'));
    expect(errorsOf(bulk)).toEqual(expected('/items/0/form_values'));
    expect(errorsOf(applying)).toEqual(expected('/form_values'));
  });

  test('names no instance that cannot exist', async () => {
    const { name, note } = await forms.itemsOf({ name: { required: true }, note: { validation: { max_length: 3 } } });
    const application = await make.application();
    const { violations } = await forms.write(application, [
      { item_id: name, value: 'Ada' },
      { item_id: note, value: 'too long' },
      { item_id: note, section_instance: 2, value: 'x' },
    ]);
    expect(violations).toEqual(['invalid /form_values/1/value', 'invalid /form_values/2/section_instance']);
  });
});
