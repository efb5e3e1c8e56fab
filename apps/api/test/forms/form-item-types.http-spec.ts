// @group sample: npm test runs a quarter of its tests
// @group split: npm test tests the form values of applications, npm run test:all those of all other owners
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Item } from '../support/answer.js';
import { expectStatus } from '../support/factories.js';
import { ITEM_TYPES, type Properties, valuesOf } from '../support/form-factories.js';
import { describeShort, isLong } from '../support/long-part.js';
import { useApi } from '../support/use-api.js';
import { OPTIONS, ROUND_TRIPS, INVALID } from './item-type-values.js';

const { api, make, forms } = useApi();

const withOptions = (type: string): Properties => ({ type, ...(type.endsWith('select') && { options: OPTIONS }) });

/** Maps a collection to a function that creates an owner of form values. */
const OWNERS: Readonly<Record<string, () => Promise<Item>>> = {
  applications: () => make.application(),
  event_applications: () => make.eventApplication(),
  vacancies: () => make.vacancy(),
  events: () => make.event(),
};

const short = (value: unknown): string => JSON.stringify(value).slice(0, 60);

const owners = Object.keys(OWNERS).filter((resource) => (resource !== 'applications') === isLong);

describe.each(owners)('values of %s', (resource) => {
  let owner: Item;
  let items: Readonly<Record<string, number>>;

  beforeAll(async () => {
    owner = await (OWNERS[resource] ?? (() => make.application()))();
    items = await forms.itemsOf(Object.fromEntries(ITEM_TYPES.map((type) => [type, withOptions(type)])), { resource });
  });

  test.each(ITEM_TYPES)('are read as written and cleared by null: type %s', async (type) => {
    const item_id = items[type];
    for (const [, value, shown = value] of ROUND_TRIPS.filter(([of]) => of === type)) {
      const [written] = valuesOf(await forms.write(owner, [{ item_id, value }], resource));
      expect([short(value), written]).toEqual([
        short(value),
        {
          item_id,
          section_instance: 1,
          form_instance: 1,
          value: shown,
          ...(type.endsWith('select') && { value_raw: expect.anything() }),
        },
      ]);
      expect(await forms.read(owner, resource)).toEqual([written]);
      // A value can be sent back as it was read.
      expect(valuesOf(await forms.write(owner, [written], resource))).toEqual([written]);
      expect(valuesOf(await forms.write(owner, [{ item_id, value: null }], resource))).toEqual([]);
    }
  });

  test.each(ITEM_TYPES)('are rejected with their pointers when they are invalid: type %s', async (type) => {
    const item_id = items[type];
    for (const [, value] of INVALID.filter(([of]) => of === type)) {
      const answer = await forms.write(owner, [{ item_id, value }], resource);
      expect([short(value), answer.status, answer.violations]).toEqual([
        short(value),
        422,
        ['invalid /form_values/0/value'],
      ]);
      expect(answer.problem.errors?.[0]?.info).toMatch(/^(expected|a text cannot)/);
    }
    expect(await forms.read(owner, resource)).toEqual([]);
  });

  test('are written and cleared together for all types', async () => {
    const first = ITEM_TYPES.flatMap((type) => ROUND_TRIPS.filter(([of]) => of === type).slice(0, 1));
    const written = valuesOf(
      await forms.write(
        owner,
        first.map(([type, value]) => ({ item_id: items[type], value })),
        resource,
      ),
    );
    expect(written.map(({ value }) => value)).toEqual(first.map(([, value, shown = value]) => shown));
    expect(
      valuesOf(
        await forms.write(
          owner,
          ITEM_TYPES.map((type) => ({ item_id: items[type], value: null })),
          resource,
        ),
      ),
    ).toEqual([]);
  });
});

describeShort('the limits of an item', () => {
  test.each<[type: string, limits: Properties, good: readonly unknown[], bad: readonly unknown[]]>([
    ['integer', { min: 1, max: 3 }, [1, 3], [0, 4]],
    ['integer', { min: -0.5 }, [0], [-1]],
    ['decimal', { min: 0.1, max: 1.5 }, [0.1, 1.5], [0.099999, 1.500001]],
    ['text', { max_length: 3 }, ['', 'abc', '😀😀a'], ['abcd', '😀😀😀😀', 'e\u0301e\u0301']],
    ['textarea', { max_length: 1 }, ['', '\n'], ['ab', '\r\n']],
    ['email', { max_length: 13 }, ['a@example.com'], ['ab@example.com']],
    ['phone', { max_length: 3 }, ['112'], ['1120']],
    ['rich_text', { max_length: 2 }, ['<b>ab</b>'], ['<b>abc</b>']],
    ['text', { pattern: '[a-c]+' }, ['abc', ''], ['abcd', 'xabc', 'abc\n']],
    ['text', { pattern: '\\p{Lu}\\d?' }, ['Ä1', 'Ä'], ['ä', '1']],
    ['text', { pattern: 'é' }, ['é'], ['e\u0301']],
    ['textarea', { pattern: '(?s)a.b' }, ['a\nb'], ['ab']],
    ['email', { pattern: '.*@example\\.com' }, ['a@example.com'], ['a@example.org']],
    ['phone', { pattern: '\\+.*' }, ['+44 123'], ['0123']],
    ['text', { pattern: '(a*)*b' }, ['ab'], ['a'.repeat(500)]],
    ['text', { pattern: 'a{3}', max_length: 3 }, ['aaa'], ['aa', 'aaaa']],
    ['textarea', { pattern: 'a*' }, ['a'.repeat(2000)], ['a'.repeat(2001)]],
  ])('apply to values of the type %s: %j', async (type, validation, good, bad) => {
    const [{ answer }, application] = [await forms.itemsOf({ answer: { type, validation } }), await make.application()];
    for (const value of bad)
      expect([value, (await forms.write(application, [{ item_id: answer, value }])).violations]).toEqual([
        value,
        ['invalid /form_values/0/value'],
      ]);
    for (const value of good) expectStatus(200, await forms.write(application, [{ item_id: answer, value }]));
  });
});

describeShort('form values', () => {
  test('have the ids of the chosen options in value_raw', async () => {
    const form = await make.form({
      sections: [
        {
          name: 'S',
          items: [
            { key: 'a', label: 'A', ...withOptions('single_select') },
            { key: 'b', label: 'B', ...withOptions('multi_select') },
          ],
        },
      ],
    });
    const [a, b] =
      (form['sections'] as readonly { readonly items: readonly (Item & { readonly options: readonly Item[] })[] }[])[0]
        ?.items ?? [];
    const application = await make.application();
    const values = valuesOf(
      await forms.write(application, [
        { item_id: a?.id, value: 'C' },
        { item_id: b?.id, value: ['C', 'B'] },
      ]),
    );
    expect(values.map(({ value_raw }) => value_raw)).toEqual([
      a?.options[1]?.id,
      [b?.options[1]?.id, b?.options[0]?.id],
    ]);
  });

  test('keep the formatting of a rich text that is sent back', async () => {
    const [{ answer }, application] = [
      await forms.itemsOf({ answer: { type: 'rich_text' } }),
      await make.application(),
    ];
    await forms.write(application, [{ item_id: answer, value: '<p>Bold <b>words</b></p>' }]);
    await forms.write(application, [{ item_id: answer, value: 'Bold words' }]);
    const [row] = await api.database.query<{ rich_value: string }>(
      'SELECT rich_value FROM application_form_values WHERE item_id = $1',
      [answer],
    );
    expect(row?.rich_value).toBe('<p>Bold <b>words</b></p>');
    const path = `/applications/${application.id}/form_values`;
    expect(valuesOf(await api.get(`${path}?rich_txt_fmt=html`))[0]?.['value']).toBe('<p>Bold <b>words</b></p>');
    expect((await api.get(`${path}?rich_txt_fmt=text&x=1`)).violations).toEqual([
      'invalid ?x',
      'invalid ?rich_txt_fmt',
    ]);
  });
});
