import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Item } from '../support/answer.js';
import { expectStatus } from '../support/factories.js';
import { useApi } from '../support/use-api.js';

const { api, make } = useApi();
const ids = new Map<string, number>();
let filled: Item;
let empty: Item;

const LABEL = { en: 'Car', de: 'Auto' };

beforeAll(async () => {
  const options = [
    { value: 'B', label: LABEL },
    { value: 'C', label: 'Lorry' },
  ];
  const items = [
    { key: 'text' },
    { key: 'rich', type: 'rich_text' },
    { key: 'number', type: 'decimal' },
    { key: 'at', type: 'datetime' },
    { key: 'one', type: 'single_select', options },
    { key: 'many', type: 'multi_select', options },
  ];
  const form = await make.form({
    sections: [{ name: 'S', repeatable: true, items: items.map((item) => ({ label: 'L', type: 'text', ...item })) }],
  });
  for (const item of (form['sections'] as readonly { readonly items: readonly Item[] }[])[0]?.items ?? [])
    ids.set(String(item['key']), item.id);
  const grade = await make.form({ resource: 'vacancies' });
  ids.set('grade', (grade['sections'] as readonly { readonly items: readonly Item[] }[])[0]?.items[0]?.id ?? 0);
  [filled, empty] = [await make.application(), await make.application()];
  const given = {
    text: 'a "b" \\ \u0007',
    rich: '<p>Bold <b>words</b></p>',
    number: 12.5,
    at: '2026-11-21T09:00:00Z',
    one: 'B',
    many: ['C', 'B'],
  };
  const form_values = [
    ...Object.entries(given).map(([key, value]) => ({ item_id: ids.get(key), value })),
    { item_id: ids.get('text'), section_instance: 2, value: 'second' },
  ];
  expectStatus(200, await api.post(`/applications/${filled.id}/form_values`, { form_values }));
  const vacancy = filled['opportunity'] as Item;
  expectStatus(
    200,
    await api.post(`/vacancies/${vacancy.id}/form_values`, {
      form_values: [{ item_id: ids.get('grade'), value: 'senior' }],
    }),
  );
});

const layout = (...datapaths: readonly string[]): Promise<Item> =>
  make.layout({
    resource: 'applications',
    columns: datapaths.map((datapath) => ({
      title: 'T',
      datapath: datapath.replace(/\$(\w+)/, (_, key: string) => String(ids.get(key))),
    })),
  });
const shown = async (id: number, layoutId: number, query = '', language = 'en'): Promise<unknown> =>
  expectStatus(
    200,
    await api.get(`/applications/${id}?layout=${layoutId}${query}`, { headers: { 'accept-language': language } }),
  ).item['layout_data'];

describe('layout columns on form values', () => {
  test('show values as people read them, and option ids in value_raw', async () => {
    const { id } = await layout(
      'formdata.$text',
      'application.formdata.$text:2',
      'formdata.$rich',
      'formdata.$number',
      'formdata.$at',
      'formdata.$one',
      'formdata.$many',
      'vacancy.formdata.$grade',
    );
    const { items } = await api.get(`/applications?layout=${id}&search=id=${filled.id}`);
    const expected = [
      { value: 'a "b" \\ \u0007' },
      { value: 'second' },
      { value: 'Bold words' },
      { value: 12.5 },
      { value: '2026-11-21T09:00:00.000Z' },
      { value: 'Car', value_raw: expect.any(Number) },
      { value: ['Lorry', 'Car'], value_raw: [expect.any(Number), expect.any(Number)] },
      { value: 'senior' },
    ];
    expect(await shown(filled.id, id)).toEqual(expected);
    expect(items.map((item) => item['layout_data'])).toEqual([expected]);
    expect(await shown(filled.id, id, '', 'de')).toMatchObject({
      5: { value: 'Auto' },
      6: { value: ['Lorry', 'Auto'] },
    });
    expect(await shown(filled.id, id, '&rich_txt_fmt=html')).toMatchObject({
      2: { value: '<p>Bold <b>words</b></p>' },
    });
  });

  test('are null without a value, and an empty list for to-many', async () => {
    const { id } = await layout('formdata.$text', 'formdata.$one', 'formdata.$many', 'vacancy.formdata.$grade');
    expect(await shown(empty.id, id)).toEqual([
      { value: null },
      { value: null, value_raw: null },
      { value: [], value_raw: [] },
      { value: null },
    ]);
  });

  test('have the type of their item', async () => {
    const { columns } = (await layout('formdata.$many', 'formdata.$number')) as Item & {
      readonly columns: readonly Item[];
    };
    expect(columns.map(({ type, is_many }) => [type, is_many])).toEqual([
      ['text', true],
      ['decimal', false],
    ]);
  });

  test('must name existing items', async () => {
    const answer = await api.post('/layouts', {
      name: 'L',
      resource: 'applications',
      columns: [
        { title: 'T', datapath: 'formdata.987654321' },
        { title: 'T', datapath: 'user.formdata.1' },
      ],
    });
    expect(answer.violations).toEqual(['invalid /columns/0/datapath', 'invalid /columns/1/datapath']);
  });

  test('are rejected when their item was deleted', async () => {
    const form = await make.form();
    const item = (form['sections'] as readonly { readonly items: readonly Item[] }[])[0]?.items[0]?.id;
    const { id } = await layout(`formdata.${item}`);
    expectStatus(204, await api.delete(`/forms/${form.id}`));
    expect((await api.get(`/applications?layout=${id}`)).violations).toEqual(['invalid ?layout']);
  });
});
