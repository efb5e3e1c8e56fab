import { setImmediate as nextTurn } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Answer, type Item } from '../support/answer.js';
import { useApi } from '../support/use-api.js';

const { api, make } = useApi();

type Rule = readonly [expression: string, points: number];
const UNKNOWN = 987_654_321;
const toRules = (rules: readonly Rule[]): Readonly<Record<string, unknown>> => ({
  scoring_rules: rules.map(([expression, points]) => ({ expression, points })),
});
const score = (id: number, body?: unknown): Promise<Answer> => api.post(`/applications/${id}/score`, body);

/** Replaces the scoring rules of the application's vacancy. */
const setRules = async ({ opportunity_id }: Item, ...rules: readonly Rule[]): Promise<void> => {
  expect((await api.put(`/vacancies/${Number(opportunity_id)}`, { title: 'Engineer', ...toRules(rules) })).status).toBe(
    200,
  );
};

async function scoreBy(application: Item, ...rules: readonly Rule[]): Promise<unknown> {
  await setRules(application, ...rules);
  const { status, item } = await score(application.id);
  expect(status).toBe(200);
  return item['score'];
}

const changesOf = async (id: number): Promise<readonly unknown[]> =>
  (
    (await api.get(`/applications/${id}/history`)).json as {
      readonly items: readonly { readonly type: string; readonly changes: unknown }[];
    }
  ).items
    .filter(({ type }) => type === 'field_change')
    .map(({ changes }) => changes);

async function itemsOf(items: readonly object[]): Promise<readonly number[]> {
  const form = await make.form({ sections: [{ name: 'Section', repeatable: true, items }] });
  const [section] = form['sections'] as readonly { readonly items: readonly Item[] }[];
  return (section?.items ?? []).map(({ id }) => id);
}

describe('the score of an application', () => {
  let application: Item;
  beforeAll(async () => {
    const candidate = await make.candidate({
      tags: ['maths'],
      Address: [
        { Label: 'home', CountryCode: 'GB' },
        { Label: 'term', CountryCode: 'DE' },
      ],
    });
    application = await make.application({ user_id: candidate.id, source: 'fair', tags: ['a', 'b'], rating: 4 });
  });

  test.each<[string, readonly Rule[], number | null]>([
    ['null without rules', [], null],
    ['zero when none holds', [['application.source == "web"', 5]], 0],
    [
      'the sum of the points of matching rules',
      [
        ['application.source == "fair"', 5],
        ['application.rating == 1', 3],
        ['application.rating >= 4', 2],
      ],
      7,
    ],
    [
      'exact for decimal points',
      [
        ['application.id > 0', 0.1],
        ['application.rating == 4', 0.2],
      ],
      0.3,
    ],
    ['exact where sums of fractions are not', Array.from({ length: 100 }, (): Rule => ['application.id > 0', 0.07]), 7],
    [
      'below zero',
      [
        ['application.id > 0', -1.25],
        ['application.rating == 4', 1],
      ],
      -0.25,
    ],
    [
      'zero where points cancel out',
      [
        ['application.id > 0', -1.1],
        ['application.rating == 4', 1.1],
      ],
      0,
    ],
    ['nothing for points of zero', [['application.id > 0', 0]], 0],
    [
      'the sum of 100 rules',
      Array.from({ length: 100 }, (): Rule => ['application.id > 0', 99_999_999.99]),
      9_999_999_999,
    ],
    ['as small', Array.from({ length: 100 }, (): Rule => ['application.id > 0', -99_999_999.99]), -9_999_999_999],
    [
      'twice the points of a rule that stands twice',
      [
        ['application.id > 0', 1],
        ['application.id > 0', 1],
      ],
      2,
    ],
    [
      'by any of the tags',
      [
        ['application.tags == "b"', 1],
        ['application.tags != "b"', 2],
        ['application.tags IN {"x", "a"}', 4],
        ['application.tags =~ "c"', 8],
      ],
      5,
    ],
    [
      'by any of the candidate’s addresses',
      [
        ['application.candidate.Address.CountryCode == "DE"', 1],
        ['application.candidate.Address.CountryCode != "DE"', 2],
        ['application.candidate.Address.City == null', 4],
      ],
      5,
    ],
    [
      'computed from missing values',
      [
        ['application.posting.closing_date == null', 1],
        ['application.posting.closing_date <= DATE("today")', 2],
        ['NOT (application.posting.closing_date <= DATE("today"))', 4],
      ],
      5,
    ],
    [
      'by its vacancy',
      [
        ['application.opportunity.title == "Engineer"', 1],
        ['application.vacancy.openings == 1', 2],
        ['application.event.venue == null', 4],
      ],
      7,
    ],
    [
      'by its own state and age',
      [
        ['application.main_process_state.state.state == "submitted"', 1],
        ['application.days_in_state == 0', 2],
        ['application.age_days > 0', 4],
      ],
      3,
    ],
    [
      'by dates',
      [
        ['application.submitted_dt >= DATE("today") - DTDURATION(1,0,0,0)', 1],
        ['application.submitted_dt > DATE("now")', 2],
        ['application.hired_dt == null', 4],
      ],
      5,
    ],
    [
      'by the rules themselves, without end',
      [
        ['application.opportunity.scoring_rules.points > 1', 1],
        ['application.vacancy.scoring_rules.expression =~ "scoring_rules"', 2],
      ],
      3,
    ],
  ])('is %s', async (_, rules, expected) => {
    expect(await scoreBy(application, ...rules)).toBe(expected);
    expect((await api.get(`/applications/${application.id}`)).item['score']).toBe(expected);
  });

  test('is recorded in the history with the user, and changes updated_dt and the ETag', async () => {
    const { id } = await make.application({
      opportunity_id: (
        await make.vacancy(
          toRules([
            ['application.id > 0', 0.1],
            ['application.rating == null', 0.2],
          ]),
        )
      ).id,
    });
    const before = await api.get(`/applications/${id}`);
    const first = await score(id);
    expect([first.etag, first.etag === before.etag, first.item['updated_dt'] === before.item['updated_dt']]).toEqual([
      (await api.get(`/applications/${id}`)).etag,
      false,
      false,
    ]);
    expect({ ...first.item, score: null, updated_dt: before.item['updated_dt'] }).toEqual(before.item);
    expect(await changesOf(id)).toEqual([[{ path: '/score', old: null, new: 0.3 }]]);

    const again = await score(id, {});
    expect([again.status, again.text, again.etag]).toEqual([200, first.text, first.etag]);
    expect(await changesOf(id)).toHaveLength(1);
  });

  test('stays until it is computed again, and is null when there are no rules left', async () => {
    const own = await make.application();
    expect(await scoreBy(own, ['application.id > 0', 5])).toBe(5);
    await setRules(own);
    expect((await api.get(`/applications/${own.id}`)).item['score']).toBe(5);
    expect((await score(own.id)).item['score']).toBeNull();
    expect(await changesOf(own.id)).toEqual([
      [{ path: '/score', old: 5, new: null }],
      [{ path: '/score', old: null, new: 5 }],
    ]);
  });

  test('is not changed by any other write', async () => {
    const own = await make.application({ source: 'fair' });
    expect(await scoreBy(own, ['application.source == "fair"', 5])).toBe(5);
    const replaced = await api.put(`/applications/${own.id}`, {
      opportunity_id: own['opportunity_id'],
      user_id: (own['user'] as Item).id,
      source: 'web',
    });
    const moved = await api.put(`/applications/${own.id}/process_state`, { state: 'interview' });
    expect([replaced.item['score'], moved.item['score'], (await score(own.id)).item['score']]).toEqual([5, 5, 0]);
  });

  test('becomes null when the application moves to another vacancy, with a history entry', async () => {
    const own = await make.application();
    expect(await scoreBy(own, ['application.id > 0', 5])).toBe(5);
    const { id: opportunity_id } = await make.vacancy(toRules([['application.id > 0', 3]]));
    const body = { opportunity_id, user_id: (own['user'] as Item).id };
    const moved = await api.put(`/applications/${own.id}`, body);
    expect([moved.status, moved.item['score'], (await api.get(`/applications/${own.id}`)).item['score']]).toEqual([
      200,
      null,
      null,
    ]);
    const [changes] = (await changesOf(own.id)) as readonly (readonly { readonly path: string }[])[];
    expect(changes).toContainEqual({ path: '/score', old: 5, new: null });
    expect(changes).toContainEqual({ path: '/opportunity_id', old: own['opportunity_id'], new: opportunity_id });
    expect((await score(own.id)).item['score']).toBe(3);
    expect((await api.put(`/applications/${own.id}`, { ...body, rating: 2 })).item['score']).toBe(3);
  });

  test('raises no event', async () => {
    const own = await make.application();
    const count = async (): Promise<unknown> => api.database.query('SELECT count(*) AS count FROM domain_events');
    const before = await count();
    await scoreBy(own, ['application.id > 0', 5]);
    expect(await count()).toEqual(before);
  });

  test('can be searched and sorted by', async () => {
    const { id } = await make.vacancy(
      toRules([
        ['application.source == "a"', 2],
        ['application.source != "c"', 0.5],
      ]),
    );
    const ids = [];
    for (const source of ['a', 'b', 'c']) ids.push((await make.application({ opportunity_id: id, source })).id);
    await api.post(`/vacancies/${id}/score`);
    const found = await api.get(
      `/applications?search=/opportunity_id=${id}&search=/score>=0.5&sort=application.score!asc`,
    );
    expect(found.items.map((item) => [item.id, item['score']])).toEqual([
      [ids[1], 0.5],
      [ids[0], 2.5],
    ]);
  });
});

describe('form values in scoring rules', () => {
  const options = [{ value: 'a' }, { value: 'b' }, { value: 'c' }];

  test.each<[type: string, value: unknown, holds: string, holdsNot: string, more?: object]>([
    ['text', 'Zoë 漢 😀', '== "Zoë 漢 😀"', '== "zoë 漢 😀"'],
    ['textarea', 'two\nlines', '=~ "LINES"', '== "two lines"'],
    ['rich_text', '<p>a <strong>b</strong></p>', '== "a b"', '=~ "strong"'],
    ['integer', -7, '< 0', '>= -6'],
    ['decimal', 0.3, '== 0.3', '> 0.3'],
    ['boolean', false, '== false', '== true'],
    ['date', '2024-02-29', '< DATE("2024-03-01")', '== DATE("2024-03-01")'],
    ['datetime', '2026-03-01T00:00:00.001Z', '> DATE("2026-03-01T00:00:00Z")', '>= DATE("2026-03-01T00:00:00.002Z")'],
    ['single_select', 'b', '== "b"', '== "a"', { options }],
    ['multi_select', ['c', 'a'], 'IN {"x", "a"}', '== "b"', { options }],
    ['email', 'Ada@example.com', '=~ "@EXAMPLE"', '== "ada@example.com"'],
    ['phone', '+44 20 7946 0000', '=~ "7946"', '== null'],
  ])(
    'of the type %s are compared, and count as null without a value',
    async (type, value, holds, holdsNot, more = {}) => {
      const [id = 0] = await itemsOf([{ key: 'item', label: 'Item', type, ...more }]);
      const application = await make.application();
      const path = `application.formdata.${id}`;
      const rules: readonly Rule[] = [
        [`${path} ${holds}`, 1],
        [`${path} ${holdsNot}`, 2],
        [`${path} == null`, 4],
      ];
      expect(await scoreBy(application, ...rules)).toBe(holdsNot === '== null' ? 6 : 4);
      expect(
        (await api.post(`/applications/${application.id}/form_values`, { form_values: [{ item_id: id, value }] }))
          .status,
      ).toBe(200);
      expect((await score(application.id)).item['score']).toBe(1);
    },
  );

  test('are read per instance', async () => {
    const [id = 0] = await itemsOf([{ key: 'item', label: 'Item', type: 'integer' }]);
    const application = await make.application();
    const form_values = [
      [1, 1],
      [2, 1],
      [1, 3],
    ].map(([section_instance, form_instance], index) => ({
      item_id: id,
      section_instance,
      form_instance,
      value: 10 + index,
    }));
    await api.post(`/applications/${application.id}/form_values`, { form_values });
    const path = `application.formdata.${id}`;
    const rules: readonly Rule[] = [
      [`${path} == 10`, 1],
      [`${path}:2 == 11`, 2],
      [`${path}:1:3 == 12`, 4],
      [`${path}:2:3 == null`, 8],
      [`${path}:1:1 == 10`, 16],
    ];
    expect(await scoreBy(application, ...rules)).toBe(31);
  });

  test('can belong to the vacancy or to other applications', async () => {
    const vacancyForm = await make.form({ resource: 'vacancies' });
    const idIn = (form: Item): number =>
      (form['sections'] as readonly { readonly items: readonly Item[] }[])[0]?.items[0]?.id ?? 0;
    const application = await make.application();
    const [own, other] = [idIn(await make.form()), idIn(vacancyForm)];
    await api.post(`/vacancies/${Number(application['opportunity_id'])}/form_values`, {
      form_values: [{ item_id: other, value: 'x' }],
    });
    await api.post(`/applications/${application.id}/form_values`, { form_values: [{ item_id: own, value: 'y' }] });
    const copied = (await api.post(`/applications/${application.id}/copy`, { opp_id: (await make.vacancy()).id })).item;
    await api.post(`/applications/${copied.id}/form_values`, { form_values: [{ item_id: own, value: 'z' }] });
    expect(
      await scoreBy(
        application,
        [`application.opportunity.formdata.${other} == "x"`, 1],
        [`application.formdata.${own} == "y"`, 2],
      ),
    ).toBe(3);
    expect(
      await scoreBy(
        copied,
        [`application.copied_from.formdata.${own} == "y"`, 1],
        [`application.formdata.${own} == "z"`, 2],
      ),
    ).toBe(3);
  });

  test('add no points and raise no error after their form item was deleted', async () => {
    const form = await make.form();
    const [section] = form['sections'] as readonly { readonly items: readonly Item[] }[];
    const path = `application.formdata.${section?.items[0]?.id ?? 0}`;
    const application = await make.application();
    await setRules(
      application,
      [`${path} == null`, 1],
      [`${path} != "x" OR application.id > 0`, 2],
      ['application.id > 0', 4],
    );
    expect((await score(application.id)).item['score']).toBe(7);
    expect((await api.delete(`/forms/${form.id}`)).status).toBe(204);
    const after = await score(application.id);
    expect([after.status, after.item['score']]).toEqual([200, 4]);
    await api.database.query(`DELETE FROM scoring_rules WHERE opportunity_id = $1 AND points = 4`, [
      application['opportunity_id'],
    ]);
    expect((await score(application.id)).item['score']).toBe(0);
  });
});

describe('DATE("today")', () => {
  test('is the day in the time zone of the system', async () => {
    const [id = 0] = await itemsOf([{ key: 'item', label: 'Item', type: 'date' }]);
    const application = await make.application();
    const scoreIn = async (zone: string): Promise<unknown> => {
      await api.database.query('UPDATE systems SET timezone = $1', [zone]);
      return (await score(application.id)).item['score'];
    };
    const dayIn = async (zone: string): Promise<string> =>
      (
        await api.database.query<{ day: string }>(`SELECT to_char(now() AT TIME ZONE $1, 'YYYY-MM-DD') AS day`, [zone])
      )[0]?.day ?? '';
    await setRules(
      application,
      [`application.formdata.${id} == DATE("today")`, 1],
      [`application.formdata.${id} > DATE("today")`, 2],
    );
    // These two time zones are always on different days.
    const [east, west] = ['Pacific/Kiritimati', 'Etc/GMT+12'];
    try {
      for (;;) {
        const day = await dayIn(east);
        await api.post(`/applications/${application.id}/form_values`, { form_values: [{ item_id: id, value: day }] });
        const scores = [await scoreIn(east), await scoreIn(west)];
        if (day !== (await dayIn(east))) continue; // midnight
        expect(scores).toEqual([1, 2]);
        break;
      }
    } finally {
      await api.database.query(`UPDATE systems SET timezone = 'UTC'`);
    }
  });
});

describe('POST …/score', () => {
  test.each([
    ['applications', 'vacancy_applications', () => make.application(), () => make.eventApplication()],
    ['event_applications', 'event_registrations', () => make.eventApplication(), () => make.application()],
  ])('serves %s and %s, each for its own kind of application', async (first, second, own, other) => {
    const [{ id }, { id: otherId }] = [await own(), await other()];
    for (const name of [first, second]) {
      expect([
        (await api.post(`/${name}/${id}/score`)).status,
        (await api.post(`/${name}/${otherId}/score`)).status,
      ]).toEqual([200, 404]);
    }
  });

  test.each([{ x: 1 }, [], 'text', null, 7])('rejects the body %p, unless the application is missing', async (body) => {
    const application = await make.application();
    expect([(await score(application.id, body)).status, (await score(UNKNOWN, body)).status]).toEqual([422, 404]);
    expect((await api.post(`/vacancies/${Number(application['opportunity_id'])}/score`, body)).status).toBe(422);
    expect((await api.post(`/vacancies/${UNKNOWN}/score`, body)).status).toBe(404);
  });

  test('needs applications:write, but no scope of the datapaths in the rules', async () => {
    const own = await make.application();
    await setRules(own, ['application.user.language == null', 3]);
    const post = async (path: string, ...scopes: readonly string[]): Promise<number> =>
      (await api.post(path, undefined, { token: await make.token(...scopes) })).status;
    for (const path of [`/applications/${own.id}/score`, `/vacancies/${Number(own['opportunity_id'])}/score`]) {
      expect([
        await post(path, 'applications:read', 'vacancies:write'),
        await post(path, 'applications:write'),
      ]).toEqual([403, 200]);
    }
  });

  test('runs once per Idempotency-Key', async () => {
    const own = await make.application();
    await setRules(own, ['application.id > 0', 1]);
    const headers = { 'idempotency-key': 'score once' };
    const first = await api.post(`/applications/${own.id}/score`, {}, { headers });
    await setRules(own, ['application.id > 0', 2]);
    const again = await api.post(`/applications/${own.id}/score`, {}, { headers });
    expect([
      again.text,
      again.headers['idempotency-replayed'],
      (await api.get(`/applications/${own.id}`)).item['score'],
    ]).toEqual([first.text, 'true', 1]);
  });

  test('in concurrent requests ends with the latest score and a complete history', async () => {
    const own = await make.application();
    await setRules(own, ['application.rating == 1', 1], ['application.rating == 2', 2], ['application.rating == 3', 3]);
    const body = { opportunity_id: own['opportunity_id'], user_id: (own['user'] as Item).id };
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, index) =>
        index % 2 ? score(own.id) : api.put(`/applications/${own.id}`, { ...body, rating: 1 + (index % 3) }),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const { rating, score: last } = (await score(own.id)).item;
    expect(last).toBe(rating);
    const steps = (
      [...(await changesOf(own.id))].reverse() as (readonly {
        readonly path: string;
        readonly old: unknown;
        readonly new: unknown;
      }[])[]
    )
      .flat()
      .filter(({ path }) => path === '/score');
    expect(steps.map(({ old }) => old)).toEqual([null, ...steps.slice(0, -1).map((step) => step.new)]);
  });
});

describe.each([
  [
    'vacancies',
    'applications',
    () => make.vacancy(),
    (opportunity_id: number, source: string) => make.application({ opportunity_id, source }),
  ],
  [
    'events',
    'event_applications',
    () => make.event(),
    (opportunity_id: number, source: string) => make.eventApplication({ opportunity_id, source }),
  ],
])('POST /%s/<id>/score', (collection, applications, makeOpportunity, apply) => {
  test('scores applications in every state and returns how many changed', async () => {
    const { id } = await makeOpportunity();
    const made = [await apply(id, 'a'), await apply(id, 'b'), await apply(id, 'c')];
    const elsewhere = await apply((await makeOpportunity()).id, 'a');
    await api.put(`/${applications}/${made[2]?.id ?? 0}/process_state`, {
      state: collection === 'vacancies' ? 'rejected' : 'declined',
    });
    const { start_dt, end_dt } = (await api.get(`/${collection}/${id}`)).item;
    const body = {
      title: 'T',
      ...(collection === 'events' && { start_dt, end_dt }),
      ...toRules([['application.source IN {"a", "c"}', 1.5]]),
    };
    expect((await api.put(`/${collection}/${id}`, body)).status).toBe(200);
    const before = (await api.get(`/${collection}/${id}`)).text;

    const first = await api.post(`/${collection}/${id}/score`);
    expect([first.status, first.json]).toEqual([200, { scored: 3, changed: 3, next_after_id: null }]);
    const scores = await Promise.all(
      made.map(async (one) => (await api.get(`/${applications}/${one.id}`)).item['score']),
    );
    expect([...scores, (await api.get(`/${applications}/${elsewhere.id}`)).item['score']]).toEqual([1.5, 0, 1.5, null]);
    expect((await api.post(`/${collection}/${id}/score`, {})).json).toEqual({
      scored: 3,
      changed: 0,
      next_after_id: null,
    });
    // The opportunity itself does not change.
    expect((await api.get(`/${collection}/${id}`)).text).toBe(before);
  });

  test('scores in batches', async () => {
    const { id } = await makeOpportunity();
    const ids = [];
    for (let index = 0; index < 5; index++) ids.push((await apply(id, 'a')).id);
    const post = async (body: object): Promise<unknown> => (await api.post(`/${collection}/${id}/score`, body)).json;
    expect(await post({ limit: 2 })).toEqual({ scored: 2, changed: 0, next_after_id: ids[1] });
    expect(await post({ limit: 2, after_id: ids[1] })).toEqual({ scored: 2, changed: 0, next_after_id: ids[3] });
    expect(await post({ limit: 2, after_id: ids[3] })).toEqual({ scored: 1, changed: 0, next_after_id: null });
    expect(await post({ limit: 3, after_id: ids[1] })).toEqual({ scored: 3, changed: 0, next_after_id: null });
    expect(await post({ limit: null, after_id: null })).toEqual({ scored: 5, changed: 0, next_after_id: null });
    expect(await post({ after_id: Number.MAX_SAFE_INTEGER })).toEqual({ scored: 0, changed: 0, next_after_id: null });
  });

  test('does nothing without applications, and answers 404 under the other kind', async () => {
    const { id } = await makeOpportunity();
    expect((await api.post(`/${collection}/${id}/score`)).json).toEqual({ scored: 0, changed: 0, next_after_id: null });
    expect((await api.post(`/${collection === 'vacancies' ? 'events' : 'vacancies'}/${id}/score`)).status).toBe(404);
  });

  test.each([
    [{ limit: 0 }, 'invalid /limit'],
    [{ limit: 1_001 }, 'invalid /limit'],
    [{ limit: 'all' }, 'invalid /limit'],
    [{ limit: 1.5 }, 'invalid /limit'],
    [{ after_id: -1 }, 'invalid /after_id'],
    [{ after_id: '1' }, 'invalid /after_id'],
    [{ x: 1 }, 'invalid /x'],
  ])('rejects %p', async (body, violation) => {
    const { status, violations } = await api.post(`/${collection}/${(await makeOpportunity()).id}/score`, body);
    expect([status, violations]).toEqual([422, [violation]]);
  });
});

describe('slow scoring rules', () => {
  // The slowest case of a substring search: each comparison fails only after half of the pattern.
  const sought = `${'a'.repeat(480)}b${'a'.repeat(480)}`;
  let path: string;
  let applications: readonly Item[];

  beforeAll(async () => {
    const [item_id = 0] = await itemsOf([{ key: 'item', label: 'Item', type: 'textarea' }]);
    const expression = Array.from({ length: 4 }, () => `application.formdata.${item_id} =~ "${sought}"`).join(' OR ');
    const { id } = await make.vacancy(toRules(Array.from({ length: 4 }, (_, points): Rule => [expression, points])));
    const form_values = [{ item_id, value: 'a'.repeat(30_000) }];
    applications = await Promise.all(Array.from({ length: 30 }, () => make.application({ opportunity_id: id })));
    for (const application of applications)
      expect((await api.post(`/applications/${application.id}/form_values`, { form_values })).status).toBe(200);
    path = `/vacancies/${id}/score`;
  });

  test('score a smaller batch first, then the rest', async () => {
    let [scored, calls, after_id]: [number, number, number | null] = [0, 0, null];
    do {
      const { status, json } = await api.post(path, { after_id });
      expect(status).toBe(200);
      const part = json as { readonly scored: number; readonly next_after_id: number | null };
      expect(part.scored).toBeGreaterThan(0);
      scored += part.scored;
      calls++;
      after_id = part.next_after_id;
    } while (after_id !== null);
    expect([scored, calls > 1]).toEqual([applications.length, true]);
  });

  test('do not block other requests', async () => {
    const begin = performance.now();
    let isOver = false;
    const scoring = api.post(path).finally(() => (isOver = true));
    let [last, longest] = [begin, 0];
    while (!isOver) {
      await nextTurn();
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
    }
    expect((await scoring).status).toBe(200);
    expect(longest).toBeLessThan((last - begin) / 2);
  });
});

describe('scoring with concurrent writers', () => {
  test('waits for a locked application and reads its committed state', async () => {
    const { id } = await make.vacancy(toRules([['application.source == "fair"', 1]]));
    const applications: Item[] = [];
    for (let index = 0; index < 3; index++) applications.push(await make.application({ opportunity_id: id }));
    let answer: Promise<Answer> | undefined;
    await api.database.transaction(async (transaction) => {
      await transaction.query(`UPDATE applications SET source = 'fair' WHERE id = $1`, [applications[1]?.id]);
      answer = api.post(`/vacancies/${id}/score`);
      await waitsForLock();
    });
    expect((await answer)?.json).toEqual({ scored: 3, changed: 3, next_after_id: null });
    expect((await api.get(`/applications/${applications[1]?.id ?? 0}`)).item['score']).toBe(1);
  });

  test('in several concurrent requests finishes with correct scores', async () => {
    const { id } = await make.vacancy(
      toRules([
        ['application.source == "a"', 1],
        ['application.source == "b"', 2],
      ]),
    );
    const applications: Item[] = [];
    for (let index = 0; index < 6; index++)
      applications.push(await make.application({ opportunity_id: id, source: 'a' }));
    const [itemId] = await itemsOf([{ key: 'item', label: 'Item', type: 'text' }]);
    const requests = applications.flatMap((application, index) => [
      api.post(`/vacancies/${id}/score`, index % 2 ? {} : { limit: 3 }),
      score(application.id),
      api.put(`/applications/${application.id}`, {
        opportunity_id: id,
        user_id: (application['user'] as Item).id,
        source: 'b',
      }),
      api.post('/applications/bulk_form_values', {
        items: [...applications]
          .reverse()
          .map(({ id: one }) => ({ id: one, form_values: [{ item_id: itemId, value: String(index) }] })),
      }),
      api.post(`/candidates/${(application['user'] as Item).id}/anonymise`),
    ]);
    const statuses = (await Promise.all(requests)).map(({ status }) => status);
    expect(statuses.filter((status) => status !== 200 && status !== 422)).toEqual([]);
    await api.post(`/vacancies/${id}/score`);
    for (const application of applications) {
      const { source, score: scored } = (await api.get(`/applications/${application.id}`)).item;
      expect(scored).toBe(source === 'a' ? 1 : 2);
    }
  });

  async function waitsForLock(): Promise<void> {
    for (;;) {
      const waiting = await api.database.query(
        `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'ats-api' AND wait_event_type = 'Lock'`,
      );
      if (waiting.length > 0) return;
    }
  }
});
