// @group sample: npm test runs a quarter of its tests
import { describe, expect, test } from '@jest/globals';
import { type Answer } from '../support/answer.js';
import { expectStatus } from '../support/factories.js';
import { itemIdsOf } from '../support/form-factories.js';
import { expectNoTrace } from '../support/whole-database.js';
import { useApi } from '../support/use-api.js';

const { api, make, forms } = useApi();

describe('bulk form values', () => {
  const bulk = (items: unknown, path = 'applications'): Promise<Answer> =>
    api.post(`/${path}/bulk_form_values`, { items });

  test('are written in one request', async () => {
    const [{ a }, one, two] = [await forms.itemsOf({ a: {} }), await make.application(), await make.application()];
    const answer = expectStatus(
      200,
      await bulk([
        { id: two.id, form_values: [{ item_id: a, value: '2' }] },
        { id: one.id, form_values: [{ item_id: a, value: '1' }] },
      ]),
    );
    expect(answer.json).toEqual({
      items: [
        { id: two.id, form_values: await forms.read(two) },
        { id: one.id, form_values: await forms.read(one) },
      ],
    });
    expect((await forms.read(two)).map(({ value }) => value)).toEqual(['2']);
  });

  test('are written as a whole or not at all, with every violation reported', async () => {
    const [{ a, b }, one, event] = [
      await forms.itemsOf({ a: { type: 'integer' }, b: { required: true } }),
      await make.application(),
      await make.eventApplication(),
    ];
    const good = {
      id: one.id,
      form_values: [
        { item_id: a, value: 1 },
        { item_id: b, value: 'x' },
      ],
    };
    const answer = await bulk([
      good,
      { id: event.id, form_values: [] },
      { id: one.id, form_values: [] },
      { id: (await make.application()).id, form_values: [{ item_id: a, value: 'x' }] },
      { id: (await make.application()).id, form_values: [{ item_id: b, value: 'x', bogus: 1 }] },
      { id: 'x', form_values: {} },
    ]);
    expect(answer.status).toBe(422);
    expect([...answer.violations].sort()).toEqual([
      'invalid /items/1/id',
      'invalid /items/2/id',
      'invalid /items/3/form_values/0/value',
      'invalid /items/4/form_values/0/bogus',
      'invalid /items/5/form_values',
      'invalid /items/5/id',
      'missing /items/3/form_values',
    ]);
    expect(await forms.read(one)).toEqual([]);
    expect(
      (await bulk([good, { id: (await make.application()).id, form_values: [{ item_id: a, value: 2 }] }])).violations,
    ).toEqual(['missing /items/1/form_values']);
  });

  test('accept 1000 items and reject 1001', async () => {
    const { answer } = itemIdsOf(await make.form({ resource: 'vacancies' }));
    await api.database.query(
      `INSERT INTO opportunities (kind, title, state_id, process_id) SELECT 'vacancy', 'Many', 302, 1 FROM generate_series(1, 1001)`,
    );
    const rows = await api.database.query<{ id: number }>(
      `SELECT id FROM opportunities WHERE title = 'Many' ORDER BY id`,
    );
    const items = rows.map(({ id }) => ({ id, form_values: [{ item_id: answer, value: String(id) }] }));
    expect((await bulk(items, 'vacancies')).violations).toEqual(['invalid /items']);
    expect(
      (
        await bulk(
          Array.from({ length: 1001 }, () => ({ id: 1, form_values: [{ item_id: 1, value: 1 }] })),
          'vacancies',
        )
      ).violations,
    ).toEqual(['invalid /items']);
    expectStatus(200, await bulk(items.slice(1), 'vacancies'));
    const [count] = await api.database.query<{ n: number }>(
      'SELECT count(*) AS n FROM opportunity_form_values WHERE item_id = $1',
      [answer],
    );
    expect(count?.n).toBe(1000);
  });

  test('are rejected when they are not JSON objects', async () => {
    const { errors } = (await bulk([7, { id: (await make.application()).id, form_values: ['x'] }])).problem;
    expect(errors?.map(({ path, info }) => [path, info])).toEqual([
      ['/items/0', 'expected a JSON object'],
      ['/items/1/form_values/0', 'expected a JSON object'],
    ]);
  });

  /**
   * Inserts `count` open vacancies with SQL.
   * @returns their ids
   */
  async function vacancies(count: number, title: string): Promise<readonly number[]> {
    const rows = await api.database.query<{ id: number }>(
      `INSERT INTO opportunities (kind, title, state_id, process_id) SELECT 'vacancy', $2, 302, 1 FROM generate_series(1, $1) RETURNING id`,
      [count, title],
    );
    return rows.map(({ id }) => id);
  }

  test('change nothing when the last of 1000 items is invalid, and are otherwise one transaction', async () => {
    const { answer, number } = await forms.itemsOf(
      { answer: { required: true }, number: { type: 'integer', visible_if: 'vacancy.formdata.answer != "no"' } },
      { resource: 'vacancies' },
    );
    const items = (await vacancies(1000, 'Thousand')).map((id) => ({
      id,
      form_values: [
        { item_id: answer, value: `${id}` },
        { item_id: number, value: id },
      ],
    }));
    const last = items.at(-1);
    const withLast = (...form_values: readonly object[]): Promise<Answer> =>
      bulk([...items.slice(0, -1), { id: last?.id, form_values }], 'vacancies');
    const violations = async (request: () => Promise<Answer>): Promise<readonly string[]> =>
      (await expectNoTrace(api.database, request)).violations;
    expect(await violations(() => withLast({ item_id: answer, value: 7 }))).toEqual([
      'invalid /items/999/form_values/0/value',
    ]);
    expect(await violations(() => withLast({ item_id: answer, value: 'no' }, { item_id: number, value: 1 }))).toEqual([
      'not_visible /items/999/form_values/1/value',
    ]);
    expect(await violations(() => withLast({ item_id: number, value: 1 }))).toEqual(['missing /items/999/form_values']);
    expectStatus(200, await bulk(items, 'vacancies'));
    const transactions = await api.database.query(
      `SELECT xmin::text FROM opportunity_form_values WHERE item_id = ANY($1) UNION SELECT xmin::text FROM opportunities WHERE title = 'Thousand'
       UNION SELECT xmin::text FROM history_entries WHERE subject_type = 'opportunity' AND subject_id = ANY($2)`,
      [[answer, number], items.map(({ id }) => id)],
    );
    expect(transactions).toHaveLength(1);
    const [told] = await api.database.query(
      `SELECT count(*) AS entries, count(DISTINCT subject_id) AS subjects FROM history_entries WHERE type = 'form_submitted' AND subject_id = ANY($1)`,
      [items.map(({ id }) => id)],
    );
    expect(told).toEqual({ entries: 1000, subjects: 1000 });
  }, 300_000);

  test('succeed when two concurrent requests list the same items in opposite orders', async () => {
    const { answer } = await forms.itemsOf({ answer: {} }, { resource: 'vacancies' });
    const ids = await vacancies(200, 'Opposite');
    const items = (value: string): object[] => ids.map((id) => ({ id, form_values: [{ item_id: answer, value }] }));
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        bulk(index % 2 === 0 ? items(`${index}`) : items(`${index}`).reverse(), 'vacancies'),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    const values = await api.database.query(
      'SELECT DISTINCT text_value FROM opportunity_form_values WHERE item_id = $1',
      [answer],
    );
    expect(values).toHaveLength(1);
  });

  test('are applied or rejected as a whole while single writes and anonymising run', async () => {
    const { a } = await forms.itemsOf({ a: {} });
    const applications = await Promise.all(Array.from({ length: 12 }, () => make.application()));
    const items = (value: string): object[] =>
      applications.map(({ id }) => ({ id, form_values: [{ item_id: a, value }] }));
    const [first] = applications;
    const answers = await Promise.all([
      bulk(items('one')),
      bulk(items('two').reverse()),
      bulk(items('three')),
      forms.write(applications[5] ?? { id: 0, url: '' }, [{ item_id: a, value: 'single' }]),
      api.post(`/candidates/${(first?.['candidate'] as { readonly id: number } | undefined)?.id}/anonymise`),
      bulk(items('four').reverse()),
    ]);
    for (const { status, violations } of answers)
      expect([200, 422]).toContain(
        status === 422
          ? (expect(violations).toEqual([expect.stringMatching(/^anonymised \/items\/(0|11)$/)]), 422)
          : status,
      );
  });
});
