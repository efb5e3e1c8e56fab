// @group long: tries every operator on every item type
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Answer, type Item } from '../support/answer.js';
import { expectStatus } from '../support/factories.js';
import { OPTIONS, type ItemIds } from '../support/form-factories.js';
import { useApi } from '../support/use-api.js';

const { api, make, forms } = useApi();
let items: ItemIds;
/** Three applications: one without a form value, one with the lower value, and one with the higher value. */
let none: Item;
let low: Item;
let high: Item;

interface Example {
  /** The values to write. `low` comes before `high` in the order. */
  readonly low: unknown;
  readonly high: unknown;
  /** Both values as a search writes them. By default, each is `String(value)`. */
  readonly texts?: readonly [low: string, high: string];
  /** A substring of the lower text, in another letter case. The higher text does not contain this substring. */
  readonly part?: string;
  /** The lower value as a layout shows it. Defaults to `low`. */
  readonly shown?: unknown;
  /** The lower value as a literal of an expression. */
  readonly literal: string;
}

const EXAMPLES: Readonly<Record<string, Example>> = {
  text: { low: 'äpfel, {x}', high: 'Zebra', texts: ['äpfel, {x}', 'Zebra'], part: 'ÄPF', literal: '"äpfel, {x}"' },
  textarea: { low: 'apple\npie', high: 'zebra', part: 'E\nP', literal: '"apple\\npie"' },
  rich_text: {
    low: '<b>apple</b> pie',
    high: '<i>zebra</i>',
    texts: ['apple pie', 'zebra'],
    part: 'LE PI',
    shown: 'apple pie',
    literal: '"apple pie"',
  },
  integer: { low: -3, high: 10, part: '-', literal: '-3' },
  decimal: { low: 1.5, high: 10.25, part: '1.5', literal: '1.5' },
  boolean: { low: false, high: true, literal: 'FALSE' },
  date: { low: '2026-03-01', high: '2026-10-01', part: '6-03', literal: 'DATE("2026-03-01")' },
  datetime: {
    low: '2026-03-01T12:00:00.000Z',
    high: '2026-10-01T12:00:00.000Z',
    part: '03-01t12',
    literal: 'DATE("2026-03-01T12:00Z")',
  },
  single_select: { low: 'B', high: 'C', part: 'b', shown: 'Car', literal: '"B"' },
  multi_select: { low: ['B'], high: ['C'], part: 'b', shown: ['Car'], literal: '"B"' },
  email: { low: 'a.b@example.com', high: 'z@example.com', part: 'A.B@', literal: '"a.b@example.com"' },
  phone: { low: '+44 20', high: '112', part: '+4', literal: '"+44 20"' },
};
const TYPES = Object.keys(EXAMPLES);
const exampleOf = (type: string): Example => EXAMPLES[type] ?? { low: null, high: null, literal: '' };
const textsOf = ({ low, high, texts = [String(low), String(high)] }: Example): readonly [string, string] => texts;

beforeAll(async () => {
  items = await forms.itemsOf(
    Object.fromEntries(TYPES.map((type) => [type, { type, ...(type.endsWith('select') && { options: OPTIONS }) }])),
  );
  [none, low, high] = [await make.application(), await make.application(), await make.application()];
  for (const [application, which] of [
    [low, 'low'],
    [high, 'high'],
  ] as const) {
    expectStatus(
      200,
      await forms.write(
        application,
        TYPES.map((type) => ({ item_id: items[type], value: exampleOf(type)[which] })),
      ),
    );
  }
});

const ask = (...parameters: readonly string[]): Promise<Answer> =>
  api.get(
    `/applications?${parameters.map((parameter) => parameter.replace(/=(.*)$/s, (_, value: string) => `=${encodeURIComponent(value)}`)).join('&')}`,
  );
const find = async (...parameters: readonly string[]): Promise<readonly number[]> =>
  expectStatus(200, await ask(...parameters)).items.map(({ id }) => id);
const ids = (...applications: readonly Item[]): readonly number[] => applications.map(({ id }) => id);

describe.each(TYPES)('values of the type %s', (type) => {
  const key = (operation: string): string => `search=application.formdata.${items[type]}${operation}`;
  const escaped = (text: string): string => text.replace(/[\\{},]/g, (character) => `\\${character}`);

  test('are found by equality, by lists and by an empty value', async () => {
    const [lower, higher] = textsOf(exampleOf(type));
    expect(await find(key(`=${lower}`))).toEqual(ids(low));
    expect(await find(key(`!=${lower}`))).toEqual(ids(none, high));
    expect(await find(key(`={${escaped(lower)},${escaped(higher)}}`))).toEqual(ids(low, high));
    expect(await find(key(`!={${escaped(lower)},${escaped(higher)}}`))).toEqual(ids(none));
    expect(await find(key('='))).toEqual(ids(none));
    expect(await find(key('!='))).toEqual(ids(low, high));
    expect(await find(key(`={${escaped(lower)},}`))).toEqual(ids(none, low));
  });

  test('are found by substring, except booleans', async () => {
    const { part } = exampleOf(type);
    if (part === undefined) return expect((await ask(key('=~t'))).violations).toEqual(['invalid ?search']);
    expect(await find(key(`=~${part}`))).toEqual(ids(low));
    expect(await find(key(`!~${part}`))).toEqual(ids(none, high));
  });

  test('are found by order comparisons, except booleans; missing values never match', async () => {
    const [lower, higher] = textsOf(exampleOf(type));
    if (type === 'boolean') return expect((await ask(key('<true'))).violations).toEqual(['invalid ?search']);
    expect(await find(key(`<${higher}`))).toEqual(ids(low));
    expect(await find(key(`<=${lower}`))).toEqual(ids(low));
    expect(await find(key(`>${lower}`))).toEqual(ids(high));
    expect(await find(key(`>=${lower}`))).toEqual(ids(low, high));
  });

  test('sort applications, with missing values last; only to-many values cannot be used to sort', async () => {
    const sort = (direction: string): string => `sort=formdata.${items[type]}!${direction}`;
    if (type === 'multi_select') return expect((await ask(sort('asc'))).violations).toEqual(['invalid ?sort']);
    expect(await find(sort('asc'))).toEqual(ids(low, high, none));
    expect(await find(sort('desc'))).toEqual(ids(high, low, none));
  });

  test('are shown by a layout', async () => {
    const { low: value, shown = value } = exampleOf(type);
    const { id } = await make.layout({ columns: [{ title: 'T', datapath: `application.formdata.${items[type]}` }] });
    const { item } = expectStatus(200, await api.get(`/applications/${low.id}?layout=${id}`));
    expect(item['layout_data']).toEqual([
      { value: shown, ...(type.endsWith('select') && { value_raw: expect.anything() }) },
    ]);
  });

  test('are distinguished by a topic expression', async () => {
    const { literal } = exampleOf(type);
    const expression = `application.formdata.${items[type]} == ${literal}`;
    await make.topic({ expression });
    for (const application of [none, low, high]) {
      const [{ n: before }] = (await api.database.query<{ n: number }>(
        'SELECT coalesce(max(id), 0) AS n FROM domain_events',
      )) as [{ n: number }];
      const { item } = await api.get(`/applications/${application.id}/process_state`);
      const state = item['state'] === 'in_review' ? 'on_hold' : 'in_review';
      expectStatus(200, await api.put(`/applications/${application.id}/process_state`, { state }));
      const { json } = expectStatus(
        200,
        await api.post('/notification_topics/preview', { type: 'STATE_CHANGE_APPLICATION', expression, limit: 1 }),
      );
      const { events } = json as {
        readonly events: readonly { readonly event_id: number; readonly matched: boolean }[];
      };
      expect([application.id, events[0]?.matched, (events[0]?.event_id ?? 0) > before]).toEqual([
        application.id,
        application === low,
        true,
      ]);
    }
  });

  test('cannot be compared with another type', async () => {
    const literal = ['integer', 'decimal'].includes(type) ? '"x"' : type === 'boolean' ? '1' : '5';
    expect(
      (
        await api.post('/notification_topics', {
          type: 'STATE_CHANGE_APPLICATION',
          name: 'T',
          expression: `application.formdata.${items[type]} == ${literal}`,
        })
      ).violations,
    ).toEqual(['invalid /expression']);
  });
});
