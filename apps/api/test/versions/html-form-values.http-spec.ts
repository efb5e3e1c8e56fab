// @group sample: npm test runs a quarter of its tests
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Answer, type Item } from '../support/answer.js';
import { expectStatus } from '../support/factories.js';
import { type ItemIds, type Properties } from '../support/form-factories.js';
import { asTexts, at, BELOW, ESCAPED, HOSTILE, HTML, RICH, RICH_PLAIN, type Version } from './html-reading.js';
import { useApi } from '../support/use-api.js';

/** A value that a layout or a form shows, with its `value_raw` if there is one. */
interface Shown {
  readonly value: unknown;
  readonly value_raw?: unknown;
}

const { api, make, forms } = useApi();

const OPTIONS = [
  { value: 'A&B', label: 'Car <small>' },
  { value: 'C', label: { en: 'Lorry', de: 'Laster' } },
];

/** For each item type: the value that is sent, the value that is read, and its HTML below 1.9. */
const FORM_VALUES: readonly (readonly [type: string, given: unknown, plain: unknown, below: unknown])[] = [
  ['text', HOSTILE, HOSTILE, ESCAPED],
  ['textarea', `One\r\n${HOSTILE}`, `One\r\n${HOSTILE}`, `One\r\n${ESCAPED}`],
  ['rich_text', RICH, RICH_PLAIN, RICH],
  ['integer', Number.MAX_SAFE_INTEGER, 9007199254740991, '9007199254740991'],
  ['decimal', -0.000001, -0.000001, '-0.000001'],
  ['boolean', false, false, 'false'],
  ['date', '0001-01-01', '0001-01-01', '0001-01-01'],
  ['datetime', '2026-11-21T10:00:00+01:00', '2026-11-21T09:00:00.000Z', '2026-11-21T09:00:00.000Z'],
  ['single_select', 'A&B', 'A&B', 'A&amp;B'],
  ['multi_select', ['C', 'A&B'], ['C', 'A&B'], ['C', 'A&amp;B']],
  ['email', `o'hara&co@example.com`, `o'hara&co@example.com`, 'o&#39;hara&amp;co@example.com'],
  ['phone', '+44 (20) 7946', '+44 (20) 7946', '+44 (20) 7946'],
];

/** Maps the type of a select item to the labels that layouts show: as plain text from 1.9 on, and as HTML below. */
const LABELS: Readonly<Record<string, readonly [plain: unknown, below: unknown]>> = {
  single_select: ['Car <small>', 'Car &lt;small&gt;'],
  multi_select: [
    ['Lorry', 'Car <small>'],
    ['Lorry', 'Car &lt;small&gt;'],
  ],
};

/** Maps a collection to a function that creates an owner of form values. */
const OWNERS: Readonly<Record<string, () => Promise<Item>>> = {
  applications: () => make.application(),
  event_applications: () => make.eventApplication(),
  vacancies: () => make.vacancy(),
  events: () => make.event(),
};

/** Creates a form with one item of each type. */
const itemsFor = (resource: string): Promise<ItemIds> =>
  forms.itemsOf(
    Object.fromEntries(
      FORM_VALUES.map(([type]) => [type, { type, ...(type.endsWith('select') && { options: OPTIONS }) }]),
    ),
    { resource },
  );

const shownValues = (answer: Answer): readonly Shown[] =>
  (expectStatus(200, answer).json as { readonly form_values: readonly (Shown & Properties)[] }).form_values.map(
    ({ value, value_raw }) => ({ value, ...(value_raw !== undefined && { value_raw }) }),
  );

describe.each(Object.keys(OWNERS))('form values of %s', (resource) => {
  let path: string;
  let owner: Item;
  let items: ItemIds;
  const given = () => FORM_VALUES.map(([type, value]) => ({ item_id: items[type], value }));
  /** Returns the form values as version 1.9 shows them without `rich_txt_fmt`. */
  const plain = async () => shownValues(await api.get(path, at('1.9')));

  beforeAll(async () => {
    items = await itemsFor(resource);
    owner = await (OWNERS[resource] ?? (() => make.application()))();
    path = `/${resource}/${owner.id}/form_values`;
    expectStatus(200, await api.post(path, { form_values: given() }));
  });

  test('are the same in all versions without rich_txt_fmt', async () => {
    const expected = FORM_VALUES.map(([, , value]) => value);
    for (const version of [...BELOW, '1.9'] as const)
      expect(shownValues(await api.get(path, at(version))).map(({ value }) => value)).toEqual(expected);
  });

  test('show only rich text as HTML from 1.9 on', async () => {
    const values = await plain();
    const expected = values.map((shown, index) => (FORM_VALUES[index]?.[0] === 'rich_text' ? { value: RICH } : shown));
    expect(shownValues(await api.get(`${path}?${HTML}`, at('1.9')))).toEqual(expected);
  });

  test('show every scalar value as HTML below 1.9', async () => {
    const values = await plain();
    const expected = values.map(({ value_raw }, index) => ({
      value: FORM_VALUES[index]?.[3],
      ...(value_raw !== undefined && { value_raw: asTexts(value_raw) }),
    }));
    for (const version of BELOW) expect(shownValues(await api.get(`${path}?${HTML}`, at(version)))).toEqual(expected);
    const { form_values } = (await api.get(`${path}?${HTML}`, at('1.8'))).json as {
      readonly form_values: readonly Properties[];
    };
    expect(form_values[0]).toEqual({ item_id: items['text'], section_instance: 1, form_instance: 1, value: ESCAPED });
  });

  test('are the same in the answer to a write as in a read', async () => {
    for (const version of ['1.8', '1.9'] as const) {
      const read = await api.get(`${path}?${HTML}`, at(version));
      const written = expectStatus(200, await api.post(`${path}?${HTML}`, { form_values: given() }, at(version)));
      expect([written.text, written.etag]).toEqual([read.text, read.etag]);
      expect(shownValues(await api.post(path, { form_values: [] }, at(version)))).toEqual(await plain());
      expect((await api.post(`${path}?rich_txt_fmt=text`, { form_values: [] }, at(version))).violations).toEqual([
        'invalid ?rich_txt_fmt',
      ]);
      if (resource === 'events') continue;
      const bulk = await api.post(
        `/${resource}/bulk_form_values?${HTML}`,
        { items: [{ id: owner.id, form_values: given() }] },
        at(version),
      );
      expect(expectStatus(200, bulk).json).toEqual({ items: [{ id: owner.id, ...(read.json as object) }] });
    }
  });

  test('stay empty as HTML when they are empty, and null when they are null', async () => {
    const { id } = await (OWNERS[resource] ?? (() => make.application()))();
    const own = `/${resource}/${id}/form_values`;
    expect(shownValues(await api.get(`${own}?${HTML}`))).toEqual([]);
    expectStatus(
      200,
      await api.post(own, {
        form_values: [
          { item_id: items['text'], value: '' },
          { item_id: items['rich_text'], value: '' },
          { item_id: items['multi_select'], value: [] },
          { item_id: items['integer'], value: 0 },
        ],
      }),
    );
    expect(shownValues(await api.get(`${own}?${HTML}`)).map(({ value }) => value)).toEqual(['', '', '0', []]);
  });

  test('look the same in a layout', async () => {
    const layout = await make.layout({
      resource,
      columns: FORM_VALUES.map(([type]) => ({ title: 'T', datapath: `formdata.${items[type]}` })),
    });
    const empty = await (OWNERS[resource] ?? (() => make.application()))();
    const shown = async (version: Version, more: string, id = owner.id) => {
      const alone = expectStatus(200, await api.get(`/${resource}/${id}?layout=${layout.id}${more}`, at(version))).item[
        'layout_data'
      ] as readonly Shown[];
      const [item] = expectStatus(
        200,
        await api.get(`/${resource}?layout=${layout.id}&search=id=${id}${more}`, at(version)),
      ).items;
      expect(item?.['layout_data']).toEqual(alone);
      return alone;
    };
    const raws = (await plain()).map(({ value_raw }) => (value_raw === undefined ? {} : { value_raw }));
    const inPlain = FORM_VALUES.map(([type, , value], index) => ({
      value: LABELS[type]?.[0] ?? value,
      ...raws[index],
    }));
    const inHtml = FORM_VALUES.map(([type, , value, below], index) => ({
      value: type === 'rich_text' ? below : (LABELS[type]?.[0] ?? value),
      ...raws[index],
    }));
    const inHtmlBelow = FORM_VALUES.map(([type, , , below], index) => ({
      value: LABELS[type]?.[1] ?? below,
      ...(raws[index] && 'value_raw' in raws[index] && { value_raw: asTexts(raws[index].value_raw) }),
    }));
    expect([await shown('1.9', ''), await shown('1.8', ''), await shown(undefined, '')]).toEqual([
      inPlain,
      inPlain,
      inPlain,
    ]);
    expect(await shown('1.9', `&${HTML}`)).toEqual(inHtml);
    for (const version of BELOW) expect(await shown(version, `&${HTML}`)).toEqual(inHtmlBelow);
    const nothing = FORM_VALUES.map(([type]) =>
      type === 'multi_select'
        ? { value: [], value_raw: [] }
        : type === 'single_select'
          ? { value: null, value_raw: null }
          : { value: null },
    );
    expect([await shown('1.8', `&${HTML}`, empty.id), await shown('1.9', `&${HTML}`, empty.id)]).toEqual([
      nothing,
      nothing,
    ]);
  });
});
