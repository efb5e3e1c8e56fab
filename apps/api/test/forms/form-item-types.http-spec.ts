// @group split: npm test writes all values to applications, npm run test:all to the other owners
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Item } from '../support/answer.js';
import { expectStatus } from '../support/factories.js';
import { ITEM_TYPES, type Properties, valuesOf } from '../support/form-factories.js';
import { describeShort, isLong } from '../support/long-part.js';
import { useApi } from '../support/use-api.js';

const { api, make, forms } = useApi();

/** An e-mail address of the maximum length. */
const EMAIL_254 = `${'a'.repeat(64)}@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(57)}.com`;

const OPTIONS = [
  { value: 'B', label: 'Car' },
  { value: 'C', label: 'Lorry' },
  { value: 'ÄÖ 漢', label: 'Other' },
];

const ROUND_TRIPS: readonly (readonly [type: string, value: unknown, read?: unknown])[] = [
  ['text', 'é (composed) and e\u0301 (not), ﬁ, Å'],
  ['text', '👩\u200d👩\u200d👧\u200d👦 🏳️\u200d🌈'],
  ['text', 'שלום \u202b(مرحبا)\u202c'],
  ['text', '\ufeff\u200b'],
  ['text', 'null'],
  ['text', '{"a":"\\"}'],
  ['text', 'Grüße 漢字 😀 e\u0301 \u202e%_\\'],
  ['text', ''],
  ['text', ' '],
  ['text', 'x'.repeat(500)],
  ['text', '😀'.repeat(500)],
  ['textarea', 'One\nTwo\r\n\tThree'],
  ['textarea', ''],
  ['textarea', 'ß'.repeat(30_000)],
  ['textarea', '😀'.repeat(30_000)],
  ['rich_text', '<p>Bold <b>words</b></p>', 'Bold words'],
  ['rich_text', 'a<script>alert(1)</script>', 'a'],
  ['rich_text', '', ''],
  ['rich_text', 'Grüße &amp; 漢字 e\u0301', 'Grüße & 漢字 e\u0301'],
  ['rich_text', 'x'.repeat(100_000)],
  ['integer', 0],
  ['integer', -7],
  ['integer', Number.MAX_SAFE_INTEGER],
  ['integer', -Number.MAX_SAFE_INTEGER],
  ['integer', -0, 0],
  ['decimal', 0.1],
  ['decimal', -0.000001],
  ['decimal', 999_999_999_999],
  ['decimal', 12.5],
  ['decimal', 123_456.654321],
  ['decimal', -999_999_999_999],
  ['decimal', 1e3, 1000],
  ['decimal', -0, 0],
  ['boolean', true],
  ['boolean', false],
  ['date', '2024-02-29'],
  ['date', '0001-01-01'],
  ['date', '9999-12-31'],
  ['datetime', '2026-11-21T09:00:00.123Z'],
  ['datetime', '2026-11-21T10:00:00+01:00', '2026-11-21T09:00:00.000Z'],
  ['datetime', '0001-01-01T00:00:00.000Z'],
  ['single_select', 'C'],
  ['single_select', 'ÄÖ 漢'],
  ['multi_select', ['C', 'B']],
  ['multi_select', []],
  ['multi_select', ['ÄÖ 漢']],
  ['email', 'Ada.Byron+x@example.com'],
  ['email', EMAIL_254],
  ['phone', '1'.repeat(20)],
  ['phone', `+${'1 '.repeat(19)}1`],
  ['phone', '123'],
  ['phone', '+44 20 7946 0000'],
  ['phone', '(0)30/1234-56 ext. 12'],
  ['phone', '112'],
];

const INVALID: readonly (readonly [type: string, value: unknown])[] = [
  ['text', 1],
  ['text', '\udc00'],
  ['text', true],
  ['text', ['a']],
  ['text', {}],
  ['text', 'x'.repeat(501)],
  ['text', '😀'.repeat(501)],
  ['text', 'a\u0000b'],
  ['text', 'a\ud800b'],
  ['textarea', 'x'.repeat(30_001)],
  ['textarea', '😀'.repeat(30_001)],
  ['textarea', ['x']],
  ['textarea', 7],
  ['rich_text', 'x'.repeat(100_001)],
  ['rich_text', '\u0000'],
  ['rich_text', 1],
  ['integer', '1'],
  ['integer', 1.5],
  ['integer', 2 ** 53],
  ['integer', 1e300],
  ['integer', [1]],
  ['integer', -(2 ** 53)],
  ['integer', true],
  ['integer', ''],
  ['decimal', '1.5'],
  ['decimal', 0.0000001],
  ['decimal', 1_000_000_000_000],
  ['decimal', -1e300],
  ['decimal', true],
  ['decimal', 1_000_000_000_000],
  ['decimal', ''],
  ['boolean', 'true'],
  ['boolean', 1],
  ['boolean', ''],
  ['boolean', 'false'],
  ['boolean', 0],
  ['date', '2026-02-30'],
  ['date', '2026-1-1'],
  ['date', '0000-01-01'],
  ['date', '10000-01-01'],
  ['date', '2026-01-01T00:00:00Z'],
  ['date', ''],
  ['date', 20260101],
  ['datetime', '2026-11-21'],
  ['datetime', '2026-11-21T09:00:00'],
  ['datetime', '2026-11-21T25:00:00Z'],
  ['datetime', '0000-01-01T00:00:00Z'],
  ['datetime', ''],
  ['datetime', 1],
  ['datetime', '2016-12-31T23:59:60Z'],
  ['datetime', '10000-01-01T00:00:00Z'],
  ['single_select', 'c'],
  ['single_select', ''],
  ['single_select', 1],
  ['single_select', ['C']],
  ['single_select', '__proto__'],
  ['multi_select', 'C'],
  ['multi_select', ['C', 'X']],
  ['multi_select', ['C', 'C']],
  ['multi_select', [null]],
  ['multi_select', { 0: 'C' }],
  ['multi_select', [['C']]],
  ['multi_select', ''],
  ['email', 'ada'],
  ['email', ''],
  ['email', 'a@b@c'],
  ['email', `${'a'.repeat(64)}@${'b'.repeat(190)}.com`],
  ['email', 'a@b.c\u0000'],
  ['email', `x${EMAIL_254}`],
  ['email', ['ada@example.com']],
  ['phone', 'call me'],
  ['phone', ''],
  ['phone', '12'],
  ['phone', '1'.repeat(21)],
  ['phone', '1 '.repeat(21)],
  ['phone', `${'1'.repeat(20)}${' '.repeat(31)}`],
  ['phone', 112],
  ['phone', '+'],
  ['phone', '٣٣٣٣'],
];

const withOptions = (type: string): Properties => ({ type, ...(type.endsWith('select') && { options: OPTIONS }) });

/** Owners of form values by collection name. */
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

  test.each(ITEM_TYPES)('type %s: are read as written, and null clears them', async (type) => {
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

  test.each(ITEM_TYPES)('type %s: invalid values are rejected with their pointers', async (type) => {
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

describeShort('limits of an item', () => {
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
  ])('of the type %s: %j', async (type, validation, good, bad) => {
    const [{ answer }, application] = [await forms.itemsOf({ answer: { type, validation } }), await make.application()];
    for (const value of bad)
      expect([value, (await forms.write(application, [{ item_id: answer, value }])).violations]).toEqual([
        value,
        ['invalid /form_values/0/value'],
      ]);
    for (const value of good) expectStatus(200, await forms.write(application, [{ item_id: answer, value }]));
  });
});

describeShort('a value', () => {
  test('have the ids of the options of a select in value_raw', async () => {
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
