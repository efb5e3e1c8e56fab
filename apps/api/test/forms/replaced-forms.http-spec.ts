// @group sample: npm test runs a quarter of its tests
import { describe, expect, test } from '@jest/globals';
import { OPTIONS } from '../support/form-factories.js';
import { type Item } from '../support/answer.js';
import { expectStatus } from '../support/factories.js';
import { useApi } from '../support/use-api.js';
import { type Properties, question, formOf, sectionsOf, itemOf } from './form-bodies.js';

const { api, make } = useApi();

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

  test('does not change when the body equals the stored form', async () => {
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

  test('can be deleted only when it has no values', async () => {
    const { id } = await make.form(full());
    expectStatus(204, await api.delete(`/forms/${id}`));
    expect((await api.get(`/forms/${id}`)).status).toBe(404);
  });
});
