import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Answer, type Item } from './answer.js';
import { Api } from './api-harness.js';
import { expectStatus, Factories } from './factories.js';

type Properties = Readonly<Record<string, unknown>>;

let api: Api;
let make: Factories;

beforeAll(async () => {
  api = await Api.start();
  make = new Factories(api);
});
afterAll(() => api.close());

const OPTIONS = [{ value: 'B', label: 'Car' }, { value: 'C', label: 'Lorry' }, { value: 'ÄÖ 漢', label: 'Other' }];

/** A form with the given items in one section, and the ids of its items by key. */
async function formWith(items: Readonly<Record<string, Properties>>, properties: Properties = {}): Promise<Readonly<Record<string, number>>> {
  const given = Object.entries(items).map(([key, item]) => ({ key, label: key, type: 'text', ...item }));
  return idsOf(await make.form({ sections: [{ name: 'Section', items: given, ...properties }] }));
}

function idsOf(form: Item): Readonly<Record<string, number>> {
  const sections = form['sections'] as readonly { readonly items: readonly Item[] }[];
  return Object.fromEntries(sections.flatMap(({ items }) => items.map((item) => [String(item['key']), item.id])));
}

const write = (application: Item, form_values: unknown, path = 'applications'): Promise<Answer> => api.post(`/${path}/${application.id}/form_values`, { form_values });
const valuesOf = (answer: Answer): readonly Properties[] => (expectStatus(200, answer).json as { readonly form_values: readonly Properties[] }).form_values;
const read = async (application: Item, path = 'applications'): Promise<readonly Properties[]> => valuesOf(await api.get(`/${path}/${application.id}/form_values`));

const ROUND_TRIPS: readonly (readonly [type: string, value: unknown, read?: unknown])[] = [
  ['text', 'Grüße 漢字 😀 e\u0301 \u202e%_\\'], ['text', ''], ['text', ' '], ['text', 'x'.repeat(500)], ['text', '😀'.repeat(250)],
  ['textarea', 'One\nTwo\r\n\tThree'], ['textarea', ''], ['textarea', 'ß'.repeat(30_000)],
  ['rich_text', '<p>Bold <b>words</b></p>', 'Bold words'], ['rich_text', 'a<script>alert(1)</script>', 'a'], ['rich_text', '', ''],
  ['integer', 0], ['integer', -7], ['integer', Number.MAX_SAFE_INTEGER], ['integer', -Number.MAX_SAFE_INTEGER], ['integer', -0, 0],
  ['decimal', 0.1], ['decimal', -0.000001], ['decimal', 999_999_999_999], ['decimal', 12.5], ['decimal', 123_456.654321],
  ['boolean', true], ['boolean', false],
  ['date', '2024-02-29'], ['date', '0001-01-01'], ['date', '9999-12-31'],
  ['datetime', '2026-11-21T09:00:00.123Z'], ['datetime', '2026-11-21T10:00:00+01:00', '2026-11-21T09:00:00.000Z'], ['datetime', '0001-01-01T00:00:00.000Z'],
  ['single_select', 'C'], ['single_select', 'ÄÖ 漢'],
  ['multi_select', ['C', 'B']], ['multi_select', []], ['multi_select', ['ÄÖ 漢']],
  ['email', 'Ada.Byron+x@example.com'], ['phone', '+44 20 7946 0000'], ['phone', '(0)30/1234-56 ext. 12'], ['phone', '112'],
];

const FAULTY: readonly (readonly [type: string, value: unknown])[] = [
  ['text', 1], ['text', true], ['text', ['a']], ['text', {}], ['text', 'x'.repeat(501)], ['text', 'a\u0000b'], ['text', 'a\ud800b'],
  ['textarea', 'x'.repeat(30_001)], ['textarea', 7],
  ['rich_text', 'x'.repeat(100_001)], ['rich_text', '\u0000'], ['rich_text', 1],
  ['integer', '1'], ['integer', 1.5], ['integer', 2 ** 53], ['integer', 1e300], ['integer', [1]],
  ['decimal', '1.5'], ['decimal', 0.0000001], ['decimal', 1_000_000_000_000], ['decimal', -1e300], ['decimal', true],
  ['boolean', 'true'], ['boolean', 1], ['boolean', ''],
  ['date', '2026-02-30'], ['date', '2026-1-1'], ['date', '0000-01-01'], ['date', '10000-01-01'], ['date', '2026-01-01T00:00:00Z'], ['date', ''], ['date', 20260101],
  ['datetime', '2026-11-21'], ['datetime', '2026-11-21T09:00:00'], ['datetime', '2026-11-21T25:00:00Z'], ['datetime', '0000-01-01T00:00:00Z'], ['datetime', ''], ['datetime', 1],
  ['single_select', 'c'], ['single_select', ''], ['single_select', 1], ['single_select', ['C']], ['single_select', '__proto__'],
  ['multi_select', 'C'], ['multi_select', ['C', 'X']], ['multi_select', ['C', 'C']], ['multi_select', [null]], ['multi_select', { 0: 'C' }],
  ['email', 'ada'], ['email', ''], ['email', 'a@b@c'], ['email', `${'a'.repeat(64)}@${'b'.repeat(190)}.com`], ['email', 'a@b.c\u0000'],
  ['phone', 'call me'], ['phone', ''], ['phone', '12'], ['phone', '1'.repeat(21)], ['phone', '+'], ['phone', '٣٣٣٣'],
];

const withOptions = (type: string): Properties => ({ type, ...(type.endsWith('select') && { options: OPTIONS }) });

describe('a value', () => {
  test.each(ROUND_TRIPS.map(([type, value, shown = value]) => [type, JSON.stringify(value).slice(0, 40), value, shown] as const))('of the type %s reads as it was written: %s', async (type, _, value, shown) => {
    const [{ answer }, application] = [await formWith({ answer: withOptions(type) }), await make.application()];
    const [written] = valuesOf(await write(application, [{ item_id: answer, value }]));
    expect(written).toMatchObject({ item_id: answer, section_instance: 1, form_instance: 1, value: shown });
    expect(await read(application)).toEqual([written]);
    expect('value_raw' in (written ?? {})).toBe(type.endsWith('select'));
    expect(valuesOf(await write(application, [written]))).toEqual([written]);
    expect(valuesOf(await write(application, [{ item_id: answer, value: null }]))).toEqual([]);
  });

  test.each(FAULTY.map(([type, value]) => [type, JSON.stringify(value).slice(0, 40), value] as const))('of the type %s cannot be %s', async (type, _, value) => {
    const [{ answer }, application] = [await formWith({ answer: withOptions(type) }), await make.application()];
    const answered = await write(application, [{ item_id: answer, value }]);
    expect([answered.status, answered.faults]).toEqual([422, ['invalid /form_values/0/value']]);
    expect(answered.problem.errors?.[0]?.info).toMatch(/^(expected|a text cannot)/);
  });

  test('of a select has the ids of its options beside it', async () => {
    const form = await make.form({ sections: [{ name: 'S', items: [{ key: 'a', label: 'A', ...withOptions('single_select') }, { key: 'b', label: 'B', ...withOptions('multi_select') }] }] });
    const [a, b] = (form['sections'] as readonly { readonly items: readonly (Item & { readonly options: readonly Item[] })[] }[])[0]?.items ?? [];
    const application = await make.application();
    const values = valuesOf(await write(application, [{ item_id: a?.id, value: 'C' }, { item_id: b?.id, value: ['C', 'B'] }]));
    expect(values.map(({ value_raw }) => value_raw)).toEqual([a?.options[1]?.id, [b?.options[1]?.id, b?.options[0]?.id]]);
  });

  test.each<[string, Properties, unknown, unknown]>([
    ['integer', { min: 1, max: 3 }, 3, 4], ['integer', { min: 1 }, 1, 0], ['decimal', { max: 1.5 }, 1.5, 1.6],
    ['text', { max_length: 3 }, 'abc', 'abcd'], ['textarea', { max_length: 1 }, '', 'ab'], ['rich_text', { max_length: 2 }, '<b>ab</b>', '<b>abc</b>'],
    ['text', { pattern: '[a-c]+' }, 'abc', 'abcd'], ['text', { pattern: '\\p{Lu}\\d?' }, 'Ä1', 'ä'], ['email', { pattern: '.*@example\\.com' }, 'a@example.com', 'a@example.org'],
    ['text', { pattern: '(a*)*b' }, 'ab', 'a'.repeat(500)],
  ])('of the type %s keeps to %j', async (type, validation, good, bad) => {
    const [{ answer }, application] = [await formWith({ answer: { type, validation } }), await make.application()];
    expect((await write(application, [{ item_id: answer, value: bad }])).faults).toEqual(['invalid /form_values/0/value']);
    expectStatus(200, await write(application, [{ item_id: answer, value: good }]));
  });

  test('of a rich text keeps its formatting when it is sent as it reads', async () => {
    const [{ answer }, application] = [await formWith({ answer: { type: 'rich_text' } }), await make.application()];
    await write(application, [{ item_id: answer, value: '<p>Bold <b>words</b></p>' }]);
    await write(application, [{ item_id: answer, value: 'Bold words' }]);
    const [row] = await api.database.query<{ rich_value: string }>('SELECT rich_value FROM application_form_values WHERE item_id = $1', [answer]);
    expect(row?.rich_value).toBe('<p>Bold <b>words</b></p>');
    const path = `/applications/${application.id}/form_values`;
    expect(valuesOf(await api.get(`${path}?rich_txt_fmt=html`))[0]?.['value']).toBe('<p>Bold <b>words</b></p>');
    expect((await api.get(`${path}?rich_txt_fmt=text&x=1`)).faults).toEqual(['invalid ?x', 'invalid ?rich_txt_fmt']);
  });
});

describe('a write of values', () => {
  test('sets what it names, and leaves the others', async () => {
    const [{ a, b }, application] = [await formWith({ a: {}, b: {} }), await make.application()];
    await write(application, [{ item_id: a, value: 'one' }]);
    expect(valuesOf(await write(application, [{ item_id: b, value: 'two' }])).map(({ value }) => value)).toEqual(['one', 'two']);
    expect(valuesOf(await write(application, [{ item_id: a, value: null }])).map(({ value }) => value)).toEqual(['two']);
    expect(valuesOf(await write(application, []))).toHaveLength(1);
  });

  test('is done as a whole or not at all, and names every fault', async () => {
    const [{ a, b }, { r }, application] = [await formWith({ a: { type: 'integer' }, b: {} }), await formWith({ r: {} }, { repeatable: true }), await make.application()];
    const answer = await write(application, [
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
    expect([...answer.faults].sort()).toEqual([
      'invalid /form_values/1/value', 'invalid /form_values/10', 'invalid /form_values/2/item_id', 'invalid /form_values/3/section_instance', 'invalid /form_values/4',
      'invalid /form_values/5/form_instance', 'invalid /form_values/9/bogus', 'missing /form_values/6/value', 'missing /form_values/7/item_id',
    ]);
    expect(await read(application)).toEqual([]);
  });

  test.each<[unknown, readonly string[]]>([
    [{}, ['missing /form_values']], [{ form_values: {} }, ['invalid /form_values']], [{ form_values: null }, ['missing /form_values']],
    [{ form_values: [], x: 1 }, ['invalid /x']], [[], ['invalid ']],
    [{ form_values: Array.from({ length: 1001 }, () => ({ item_id: 1, value: 1 })) }, ['invalid /form_values']],
  ])('refuses a body of another form', async (body, faults) => {
    const { id } = await make.application();
    expect((await api.post(`/applications/${id}/form_values`, body)).faults).toEqual(faults);
  });

  test('keeps instances apart, and lists them in order', async () => {
    const [{ r, s }, application] = [await formWith({ r: {}, s: {} }, { repeatable: true }), await make.application()];
    const places = [[1, 1], [2, 1], [1, 2], [2, 2]] as const;
    const given = places.flatMap(([section_instance, form_instance]) => [s, r].map((item_id) => ({ item_id, section_instance, form_instance, value: `${section_instance}${form_instance}` })));
    expectStatus(200, await write(application, [...given].reverse()));
    expect((await read(application)).map(({ item_id, value }) => [item_id, value])).toEqual(places.flatMap(([section, form]) => [[r, `${section}${form}`], [s, `${section}${form}`]]));
    await write(application, [{ item_id: r, section_instance: 2, form_instance: 2, value: null }]);
    expect(await read(application)).toHaveLength(7);
  });

  test('is told in the history, and moves the moment of change; one that changes nothing does neither', async () => {
    const [{ a, b }, application] = [await formWith({ a: {}, b: { type: 'integer' } }), await make.application()];
    const given = [{ item_id: a, value: 'x' }, { item_id: b, value: 7 }];
    await write(application, given);
    const { item } = await api.get(`/applications/${application.id}`);
    expect(Date.parse(String(item['updated_dt']))).toBeGreaterThan(Date.parse(String(application['updated_dt'])));
    await write(application, given);
    await write(application, [{ item_id: b, value: 8 }]);
    const { items } = (await api.get(`/applications/${application.id}/history`)).json as { readonly items: readonly Properties[] };
    expect(items.map(({ type, changes }) => [type, changes])).toEqual([
      ['form_submitted', [{ path: `/form_values/${b}:1:1`, old: 7, new: 8 }]],
      ['form_submitted', [{ path: `/form_values/${a}:1:1`, old: null, new: 'x' }, { path: `/form_values/${b}:1:1`, old: null, new: 7 }]],
      ['created', null],
    ]);
  });

  test('belongs to each kind of object, under each of its names', async () => {
    const cases = [
      ['applications', 'applications', () => make.application()], ['vacancy_applications', 'applications', () => make.application()],
      ['event_applications', 'event_applications', () => make.eventApplication()], ['event_registrations', 'event_applications', () => make.eventApplication()],
      ['vacancies', 'vacancies', () => make.vacancy()], ['events', 'events', () => make.event()],
    ] as const;
    for (const [path, resource, item] of cases) {
      const { answer } = idsOf(await make.form({ resource }));
      const owner = await item();
      expect(valuesOf(await write(owner, [{ item_id: answer, value: path }], path)).map(({ value }) => value)).toEqual([path]);
      expect(await read(owner, path)).toHaveLength(1);
      const isApplication = resource.endsWith('applications');
      const others = cases.filter(([, other]) => other !== resource && other.endsWith('applications') === isApplication);
      for (const [other] of others) expect([other, (await api.get(`/${other}/${owner.id}/form_values`)).status]).toEqual([other, 404]);
    }
  });

  test('takes the items of forms that are for the object alone', async () => {
    const [one, other] = [await make.vacancy(), await make.vacancy()];
    const { answer } = idsOf(await make.form({ opportunity_ids: [one.id] }));
    const { answer: ofVacancies } = idsOf(await make.form({ resource: 'vacancies', opportunity_ids: [one.id] }));
    const { answer: ofEvents } = idsOf(await make.form({ resource: 'event_applications' }));
    expectStatus(200, await write(await make.application({ opportunity_id: one.id }), [{ item_id: answer, value: 'x' }]));
    expectStatus(200, await write(one, [{ item_id: ofVacancies, value: 'x' }], 'vacancies'));
    const elsewhere = await make.application({ opportunity_id: other.id });
    expect((await write(elsewhere, [{ item_id: answer, value: 'x' }, { item_id: ofEvents, value: 'x' }])).faults).toEqual(['invalid /form_values/0/item_id', 'invalid /form_values/1/item_id']);
    expect((await write(other, [{ item_id: ofVacancies, value: 'x' }], 'vacancies')).faults).toEqual(['invalid /form_values/0/item_id']);
  });

  test('needs the scope of its object, and no other', async () => {
    const [{ a }, application, vacancy] = [await formWith({ a: {} }), await make.application(), await make.vacancy()];
    const [reader, writer] = [await make.token('applications:read'), await make.token('applications:write')];
    const form_values = [{ item_id: a, value: 'x' }];
    expectStatus(200, await api.get(`/applications/${application.id}/form_values`, { token: reader }));
    expectStatus(200, await api.post(`/applications/${application.id}/form_values`, { form_values }, { token: writer }));
    expectStatus(403, await api.get(`/vacancies/${vacancy.id}/form_values`, { token: reader }));
    expectStatus(403, await api.post(`/vacancies/${vacancy.id}/form_values`, { form_values }, { token: writer }));
    expectStatus(403, await api.post('/vacancies/bulk_form_values', { items: [] }, { token: writer }));
  });

  test('goes with its object', async () => {
    const [{ a }, application, vacancy] = [await formWith({ a: {} }), await make.application(), await make.vacancy()];
    const { answer } = idsOf(await make.form({ resource: 'vacancies' }));
    await write(application, [{ item_id: a, value: 'x' }]);
    await write(vacancy, [{ item_id: answer, value: 'x' }], 'vacancies');
    expectStatus(204, await api.delete(`/applications/${application.id}`));
    expectStatus(204, await api.delete(`/vacancies/${vacancy.id}`));
    expect(await api.database.query('SELECT FROM application_form_values WHERE item_id = $1 UNION ALL SELECT FROM opportunity_form_values WHERE item_id = $2', [a, answer])).toEqual([]);
  });

  test('is done once for one Idempotency-Key', async () => {
    const [{ a }, application] = [await formWith({ a: {} }), await make.application()];
    const send = (): Promise<Answer> => api.post(`/applications/${application.id}/form_values`, { form_values: [{ item_id: a, value: 'x' }] }, { headers: { 'idempotency-key': 'once' } });
    const first = await send();
    await write(application, [{ item_id: a, value: null }]);
    expect((await send()).json).toEqual(first.json);
    expect(await read(application)).toEqual([]);
  });

  test('is forgotten as an answer, too, when its person is anonymised', async () => {
    const [{ a }, application] = [await formWith({ a: {} }), await make.application()];
    const headers = { 'idempotency-key': 'forget' };
    const send = (): Promise<Answer> => api.post('/applications/bulk_form_values', { items: [{ id: application.id, form_values: [{ item_id: a, value: 'Quillonia' }] }] }, { headers });
    expectStatus(200, await send());
    expectStatus(200, await api.post(`/candidates/${(application['candidate'] as Item).id}/anonymise`));
    expect((await send()).text).not.toContain('Quillonia');
  });

  test('adds nothing to who is anonymised, and anonymising leaves nothing', async () => {
    const [{ a }, application] = [await formWith({ a: {} }), await make.application()];
    await write(application, [{ item_id: a, value: 'Quillonia' }]);
    const { id } = application['candidate'] as Item;
    expectStatus(200, await api.post(`/candidates/${id}/anonymise`));
    expect(await read(application)).toEqual([]);
    expect((await write(application, [{ item_id: a, value: 'x' }])).faults).toEqual(['anonymised ']);
    expect((await api.get(`/applications/${application.id}/history`)).text).not.toContain('Quillonia');
  });
});

describe('conditions and what is required', () => {
  const driving = (): Promise<Readonly<Record<string, number>>> =>
    formWith({
      has: { type: 'boolean', required: true },
      class: { ...withOptions('single_select'), required: true, visible_if: 'application.formdata.has == true' },
      note: { visible_if: 'application.opportunity.location == "Berlin" AND application.formdata.class != "B"' },
    });

  test('are judged on the values as they are afterwards', async () => {
    const { has, class: of } = await driving();
    const application = await make.application();
    const [yes, no, chosen] = [{ item_id: has, value: true }, { item_id: has, value: false }, { item_id: of, value: 'C' }];
    expect((await write(application, [chosen])).faults).toEqual(['not_visible /form_values/0/value', 'missing /form_values']);
    expect((await write(application, [no, chosen])).faults).toEqual(['not_visible /form_values/1/value']);
    expect((await write(application, [yes])).faults).toEqual(['missing /form_values']);
    expect((await write(application, [yes, { item_id: of, value: null }])).faults).toEqual(['missing /form_values/1/value']);
    expectStatus(200, await write(application, [chosen, yes]));
    expect((await write(application, [{ item_id: of, value: null }])).faults).toEqual(['missing /form_values/0/value']);
    expect(valuesOf(await write(application, [no])).map(({ value }) => value)).toEqual([false, 'C']);
    expectStatus(200, await write(application, [{ item_id: of, value: null }]));
    expect((await write(application, [{ item_id: has, value: null }])).faults).toEqual(['missing /form_values/0/value']);
  });

  test('say nothing of what depends on a value that is wrong itself', async () => {
    const { has, class: of } = await driving();
    expect((await write(await make.application(), [{ item_id: has, value: 'yes' }, { item_id: of, value: 'C' }])).faults).toEqual(['invalid /form_values/0/value']);
  });

  test('look at what the object is and is for', async () => {
    const { has, note } = await driving();
    const inBerlin = await make.application({ opportunity_id: (await make.vacancy({ location: 'Berlin' })).id });
    const given = [{ item_id: has, value: false }, { item_id: note, value: 'x' }];
    expectStatus(200, await write(inBerlin, given));
    expect((await write(await make.application(), given)).faults).toEqual(['not_visible /form_values/1/value']);
  });

  test('look at items of other forms, by their ids', async () => {
    const { a } = await formWith({ a: { type: 'integer' } });
    const { answer } = idsOf(await make.form({ resource: 'vacancies' }));
    const { b } = await formWith({ b: { visible_if: `application.formdata.${a} > 5 AND application.vacancy.formdata.${answer} == "x"` } });
    const vacancy = await make.vacancy();
    const application = await make.application({ opportunity_id: vacancy.id });
    await write(vacancy, [{ item_id: answer, value: 'x' }], 'vacancies');
    expect((await write(application, [{ item_id: b, value: 'x' }])).faults).toEqual(['not_visible /form_values/0/value']);
    expectStatus(200, await write(application, [{ item_id: a, value: 6 }]));
    expectStatus(200, await write(application, [{ item_id: b, value: 'x' }]));
  });

  test('ask for the form that a write touches, and for each of its instances', async () => {
    const { a } = await formWith({ a: {} });
    const { q, r } = await formWith({ q: { required: true }, r: {} }, { repeatable: true });
    const application = await make.application();
    expectStatus(200, await write(application, [{ item_id: a, value: 'x' }]));
    expect((await write(application, [{ item_id: r, value: 'x' }])).faults).toEqual(['missing /form_values']);
    const first = { item_id: q, value: 'x' };
    expect((await write(application, [first, { item_id: r, section_instance: 2, value: 'x' }])).faults).toEqual(['missing /form_values']);
    expect((await write(application, [first, { item_id: r, form_instance: 2, value: 'x' }])).faults).toEqual(['missing /form_values']);
    expect((await write(application, [{ item_id: q, value: ' ' }])).faults).toEqual(['missing /form_values/0/value']);
    expectStatus(200, await write(application, [first, { item_id: q, section_instance: 2, value: 'y' }, { item_id: r, section_instance: 2, value: 'x' }]));
  });
});

describe('values of many objects', () => {
  const bulk = (items: unknown, path = 'applications'): Promise<Answer> => api.post(`/${path}/bulk_form_values`, { items });

  test('are written together', async () => {
    const [{ a }, one, two] = [await formWith({ a: {} }), await make.application(), await make.application()];
    const answer = expectStatus(200, await bulk([{ id: two.id, form_values: [{ item_id: a, value: '2' }] }, { id: one.id, form_values: [{ item_id: a, value: '1' }] }]));
    expect(answer.json).toEqual({ items: [{ id: two.id, form_values: await read(two) }, { id: one.id, form_values: await read(one) }] });
    expect((await read(two)).map(({ value }) => value)).toEqual(['2']);
  });

  test('are written as a whole or not at all, and every fault is told', async () => {
    const [{ a, b }, one, event] = [await formWith({ a: { type: 'integer' }, b: { required: true } }), await make.application(), await make.eventApplication()];
    const good = { id: one.id, form_values: [{ item_id: a, value: 1 }, { item_id: b, value: 'x' }] };
    const answer = await bulk([
      good,
      { id: event.id, form_values: [] },
      { id: one.id, form_values: [] },
      { id: (await make.application()).id, form_values: [{ item_id: a, value: 'x' }] },
      { id: (await make.application()).id, form_values: [{ item_id: b, value: 'x', bogus: 1 }] },
      { id: 'x', form_values: {} },
    ]);
    expect(answer.status).toBe(422);
    expect([...answer.faults].sort()).toEqual([
      'invalid /items/1/id', 'invalid /items/2/id', 'invalid /items/3/form_values/0/value', 'invalid /items/4/form_values/0/bogus', 'invalid /items/5/form_values', 'invalid /items/5/id', 'missing /items/3/form_values',
    ]);
    expect(await read(one)).toEqual([]);
    expect((await bulk([good, { id: (await make.application()).id, form_values: [{ item_id: a, value: 2 }] }])).faults).toEqual(['missing /items/1/form_values']);
  });

  test('can be a thousand, and no more', async () => {
    const { answer } = idsOf(await make.form({ resource: 'vacancies' }));
    await api.database.query(`INSERT INTO opportunities (kind, title, state_id, process_id) SELECT 'vacancy', 'Many', 302, 1 FROM generate_series(1, 1001)`);
    const rows = await api.database.query<{ id: number }>(`SELECT id FROM opportunities WHERE title = 'Many' ORDER BY id`);
    const items = rows.map(({ id }) => ({ id, form_values: [{ item_id: answer, value: String(id) }] }));
    expect((await bulk(items, 'vacancies')).faults).toEqual(['invalid /items']);
    expectStatus(200, await bulk(items.slice(1), 'vacancies'));
    const [count] = await api.database.query<{ n: number }>('SELECT count(*) AS n FROM opportunity_form_values WHERE item_id = $1', [answer]);
    expect(count?.n).toBe(1000);
  });
});

describe('values that come with an application', () => {
  test('are written with it, or neither is', async () => {
    const { a, b } = await formWith({ a: { required: true }, b: { type: 'integer' } });
    const { id: opportunity_id } = await make.vacancy();
    const { id: user_id } = await make.candidate();
    const body = (...form_values: readonly Properties[]): Properties => ({ opportunity_id, user_id, form_values });
    expect((await api.post('/applications', body({ item_id: b, value: 'x' }))).faults).toEqual(['invalid /form_values/0/value', 'missing /form_values']);
    expect((await api.post('/applications', body({ item_id: b, value: 1, bogus: 1 }))).faults).toEqual(['invalid /form_values/0/bogus', 'missing /form_values']);
    expect((await api.get(`/applications?search=opportunity_id=${opportunity_id}`)).items).toEqual([]);
    const { item } = expectStatus(201, await api.post('/applications', body({ item_id: a, value: 'x' }, { item_id: b, value: 1 })));
    expect((await read(item)).map(({ value }) => value)).toEqual(['x', 1]);
    const { items } = (await api.get(`/applications/${item.id}/history`)).json as { readonly items: readonly Properties[] };
    expect(items.map(({ type }) => type)).toEqual(['form_submitted', 'created']);
    expectStatus(200, await api.put(`/applications/${item.id}`, body({ item_id: b, value: null })));
    expect((await read(item)).map(({ value }) => value)).toEqual(['x']);
    expectStatus(200, await api.put(`/applications/${item.id}`, { opportunity_id, user_id }));
    expect(await read(item)).toHaveLength(1);
  });
});

describe('topics', () => {
  const move = (application: Item, state: string): Promise<Answer> => api.put(`/applications/${application.id}/process_state`, { state });
  const lastFacts = async (): Promise<Properties> => (await api.database.query<{ facts: Properties }>('SELECT facts FROM domain_events ORDER BY id DESC LIMIT 1'))[0]?.facts ?? {};

  test('name items, whose values every event carries as they are at that moment', async () => {
    const { a, b, c } = await formWith({ a: { type: 'date' }, b: withOptions('multi_select'), c: { type: 'rich_text' } }, { repeatable: true });
    const { answer } = idsOf(await make.form({ resource: 'vacancies' }));
    const paths = [`application.formdata.${a}:2`, `application.formdata.${b}`, `application.formdata.${c}`, `application.opportunity.formdata.${answer}`];
    await make.topic({ expression: `${paths[0]} <= DATE("today") AND ${paths[1]} == "B" AND ${paths[2]} =~ "x" AND ${paths[3]} == "y"` });
    const vacancy = await make.vacancy();
    const application = await make.application({ opportunity_id: vacancy.id });
    await write(application, [{ item_id: a, section_instance: 2, value: '2026-01-02' }, { item_id: b, value: ['B', 'C'] }, { item_id: c, value: '<b>x</b>' }]);
    await write(vacancy, [{ item_id: answer, value: 'y' }], 'vacancies');
    expectStatus(200, await move(application, 'in_review'));
    expect(await lastFacts()).toMatchObject({ [paths[0] ?? '']: '2026-01-02', [paths[1] ?? '']: ['B', 'C'], [paths[2] ?? '']: 'x', [paths[3] ?? '']: 'y' });
    await write(application, [{ item_id: a, section_instance: 2, value: null }, { item_id: b, value: null }]);
    expectStatus(200, await move(application, 'interview'));
    expect(await lastFacts()).toMatchObject({ [paths[0] ?? '']: null, [paths[1] ?? '']: null });
  });

  test('do without an item that is gone', async () => {
    const form = await make.form();
    const path = `application.formdata.${idsOf(form)['answer']}`;
    await make.topic({ expression: `${path} == "x"` });
    expectStatus(204, await api.delete(`/forms/${form.id}`));
    expectStatus(200, await move(await make.application(), 'in_review'));
    expect((await lastFacts())[path]).toBeNull();
  });

  test.each([
    ['application.formdata.987654321 == 1', 'has no form item "987654321"'],
    ['application.formdata.$a == 1', 'cannot compare'],
    ['application.user.formdata.$a == "x"', 'user has no form data'],
  ])('refuse %s', async (expression, info) => {
    const { a } = await formWith({ a: {} });
    const { problem } = await api.post('/notification_topics', { type: 'STATE_CHANGE_APPLICATION', name: 'Topic', expression: expression.replace('$a', String(a)) });
    expect(problem.errors).toEqual([{ resource: 'notification_topics', path: '/expression', code: 'invalid', info: expect.stringContaining(info) }]);
  });

  test('need the scopes of what they go through', async () => {
    const { answer } = idsOf(await make.form({ resource: 'vacancies' }));
    const body = { type: 'STATE_CHANGE_APPLICATION', name: 'Topic', expression: `application.vacancy.formdata.${answer} == "x"` };
    const token = await make.token('notifications:write', 'applications:read');
    expectStatus(403, await api.post('/notification_topics', body, { token }));
    expectStatus(201, await api.post('/notification_topics', body, { token: await make.token('notifications:write', 'applications:read', 'vacancies:read') }));
  });
});
