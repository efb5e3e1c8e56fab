import { describe, expect, test } from '@jest/globals';
import { type Item } from '../support/answer.js';
import { type Api } from '../support/api-harness.js';
import { useApi } from '../support/use-api.js';

const { api, make } = useApi();

const rule = (expression: unknown, points: unknown = 1): object => ({ expression, points });
const RULES = [rule('application.source == "fair"', 2.5), rule('application.rating >= 4', -1)];
const EVENT = { title: 'Open day', start_dt: '2030-05-01T09:00:00.000Z', end_dt: '2030-05-01T17:00:00.000Z' };
const post = (scoring_rules: unknown): ReturnType<Api['post']> =>
  api.post('/vacancies', { title: 'Engineer', scoring_rules });
const violationsOf = async (scoring_rules: unknown): Promise<readonly string[]> => {
  const { status, violations } = await post(scoring_rules);
  expect(status).toBe(422);
  return violations;
};

interface Change {
  readonly path: string;
  readonly old: unknown;
  readonly new: unknown;
}
const changesOf = async (path: string): Promise<readonly (readonly Change[] | null)[]> =>
  (
    (await api.get(`${path}/history`)).json as {
      readonly items: readonly { readonly changes: readonly Change[] | null }[];
    }
  ).items.map(({ changes }) => changes);

describe.each([
  ['vacancies', { title: 'Engineer' }],
  ['events', EVENT],
])('scoring_rules of %s', (collection, body) => {
  test('keep their order', async () => {
    const { status, item } = await api.post(`/${collection}`, { ...body, scoring_rules: RULES });
    expect([status, item['scoring_rules']]).toEqual([201, RULES]);
    expect((await api.get(`/${collection}/${item.id}`)).item['scoring_rules']).toEqual(RULES);
    const listed = (await api.get(`/${collection}?search=/id=${item.id}`)).items;
    expect(listed.map(({ scoring_rules }) => scoring_rules)).toEqual([RULES]);
  });

  test.each([undefined, null, []])('are none when they are written as %s', async (scoring_rules) => {
    const { id } = (await api.post(`/${collection}`, { ...body, scoring_rules: RULES })).item;
    const { status, item } = await api.put(`/${collection}/${id}`, { ...body, scoring_rules });
    expect([status, item['scoring_rules']]).toEqual([200, []]);
  });

  test('are replaced as a whole; history, ETag and updated_dt change only when the rules do', async () => {
    const { id } = (await api.post(`/${collection}`, { ...body, scoring_rules: RULES })).item;
    const before = await api.get(`/${collection}/${id}`);
    const same = await api.put(`/${collection}/${id}`, {
      ...body,
      reference: before.item['reference'],
      scoring_rules: RULES,
    });
    expect([same.etag, same.text, await changesOf(`/${collection}/${id}`)]).toEqual([before.etag, before.text, [null]]);

    const reversed = [...RULES].reverse();
    const changed = await api.put(`/${collection}/${id}`, {
      ...body,
      reference: before.item['reference'],
      scoring_rules: reversed,
    });
    expect(changed.item['scoring_rules']).toEqual(reversed);
    expect([
      changed.etag === before.etag,
      String(changed.item['updated_dt']) > String(before.item['updated_dt']),
    ]).toEqual([false, true]);
    expect((await changesOf(`/${collection}/${id}`))[0]).toEqual([
      { path: '/scoring_rules', old: RULES, new: reversed },
    ]);
    expect((await api.put(`/${collection}/${id}`, { ...body }, { headers: { 'if-match': before.etag } })).status).toBe(
      412,
    );
  });

  test('are found by filter and search', async () => {
    const text = `Zweihundert ${collection}`;
    const { id } = (
      await api.post(`/${collection}`, { ...body, scoring_rules: [rule(`application.source == "${text}"`, 12.5)] })
    ).item;
    for (const query of [
      `filter=${encodeURIComponent(text.toUpperCase())}`,
      `search=/scoring_rules/*/points=12.5`,
      `search=scoring_rules.expression=~${encodeURIComponent(text)}`,
    ]) {
      expect([query, (await api.get(`/${collection}?${query}`)).items.map((item) => item.id)]).toEqual([query, [id]]);
    }
  });

  test('are deleted with their owner', async () => {
    const { id } = (await api.post(`/${collection}`, { ...body, scoring_rules: RULES })).item;
    expect((await api.delete(`/${collection}/${id}`)).status).toBe(204);
    expect(await api.database.query('SELECT FROM scoring_rules WHERE opportunity_id = $1', [id])).toEqual([]);
  });
});

describe('a rule is rejected', () => {
  test.each([
    ['a text', 'x', ['invalid /scoring_rules']],
    ['an object', {}, ['invalid /scoring_rules']],
    ['a list of texts', ['x'], ['invalid /scoring_rules/0']],
    ['null in the list', [null], ['missing /scoring_rules/0']],
    ['nothing in it', [{}], ['missing /scoring_rules/0/expression', 'missing /scoring_rules/0/points']],
    ['null for both', [rule(null, null)], ['missing /scoring_rules/0/expression', 'missing /scoring_rules/0/points']],
    ['an unknown property', [{ ...rule('application.id > 0'), weight: 1 }], ['invalid /scoring_rules/0/weight']],
    ['a blank expression', [rule(' \n')], ['invalid /scoring_rules/0/expression']],
    ['an expression that is no text', [rule(7)], ['invalid /scoring_rules/0/expression']],
    [
      'an expression that is too long',
      [rule(`application.source == "${'x'.repeat(4_096)}"`)],
      ['invalid /scoring_rules/0/expression'],
    ],
    ['a null character', [rule('application.source == "a\u0000b"')], ['invalid /scoring_rules/0/expression']],
    ['a lone surrogate', [rule('application.source == "a\ud800b"')], ['invalid /scoring_rules/0/expression']],
    ['another root', [rule('posting.id == 1')], ['invalid /scoring_rules/0/expression']],
    ['an opportunity as the root', [rule('opportunity.id == 1')], ['invalid /scoring_rules/0/expression']],
    ['a datapath without its root', [rule('source == "fair"')], ['invalid /scoring_rules/0/expression']],
    ['an unknown form item', [rule('application.formdata.987654321 == 1')], ['invalid /scoring_rules/0/expression']],
    ['an item by its key', [rule('application.formdata.answer == "x"')], ['invalid /scoring_rules/0/expression']],
    [
      'too many parentheses',
      [rule(`${'('.repeat(33)}application.id > 0${')'.repeat(33)}`)],
      ['invalid /scoring_rules/0/expression'],
    ],
    ['its own score', [rule('application.score == null')], ['invalid /scoring_rules/0/expression']],
    [
      'the score of another application',
      [rule('application.copied_from.copied_from.score > 1')],
      ['invalid /scoring_rules/0/expression'],
    ],
    ['a name of the host language', [rule('application.constructor == null')], ['invalid /scoring_rules/0/expression']],
  ])('with %s', async (_, rules, violations) => {
    expect(await violationsOf(rules)).toEqual(violations);
  });

  test.each(['1', true, [1], {}, 0.001, 1e-9, 100_000_000, -100_000_000, 1e300])(
    'with the points %p',
    async (points) => {
      expect(await violationsOf([rule('application.id > 0', points)])).toEqual(['invalid /scoring_rules/0/points']);
    },
  );

  test('with its pointer, a suggestion, and together with all other violations of the body', async () => {
    const rules = [
      rule('application.id > 0'),
      rule('application.id ==\n  "x" AND application.refrence == 1', 0.001),
      rule('application.source = "x"'),
    ];
    const { status, problem } = await api.post('/vacancies', {
      scoring_rules: rules,
      owner_id: 987_654_321,
      openings: -1,
    });
    expect(status).toBe(422);
    expect(problem.errors?.map(({ code, path }) => `${code} ${path}`).sort()).toEqual([
      'invalid /openings',
      'invalid /owner_id',
      'invalid /scoring_rules/1/expression',
      'invalid /scoring_rules/1/expression',
      'invalid /scoring_rules/1/points',
      'invalid /scoring_rules/2/expression',
      'missing /title',
    ]);
    const [first, second, third] = (problem.errors ?? [])
      .filter(({ path }) => path.endsWith('/expression'))
      .map(({ info }) => info);
    expect(first).toBe(
      '1:1: cannot compare "application.id" (a number) with a string\n  application.id ==\n  ^^^^^^^^^^^^^^^^^',
    );
    expect(second).toBe(
      '2:23: application has no attribute or relation "refrence"; did you mean "reference"?\n    "x" AND application.refrence == 1\n                        ^^^^^^^^',
    );
    expect(third).toBe('1:20: "=" is not an operator; write ==\n  application.source = "x"\n                     ^');
  });

  test('together with a missing reference in an otherwise valid body', async () => {
    expect(
      (await api.post('/vacancies', { title: 'T', owner_id: 987_654_321, scoring_rules: [rule('application.x == 1')] }))
        .violations,
    ).toEqual(['invalid /owner_id', 'invalid /scoring_rules/0/expression']);
  });

  test('and the replacement changes nothing', async () => {
    const { id } = (await post(RULES)).item;
    const before = await api.get(`/vacancies/${id}`);
    expect((await api.put(`/vacancies/${id}`, { title: 'New', scoring_rules: [rule('x')] })).status).toBe(422);
    expect((await api.get(`/vacancies/${id}`)).text).toBe(before.text);
  });
});

describe('a rule whose form item was deleted', () => {
  const setUp = async (): Promise<{ readonly path: string; readonly dead: object }> => {
    const form = await make.form();
    const [section] = form['sections'] as readonly { readonly items: readonly Item[] }[];
    const dead = rule(`application.formdata.${section?.items[0]?.id ?? 0} == "x"`, 1.5);
    const { id } = (await post([dead, rule('application.id > 0')])).item;
    expect((await api.delete(`/forms/${form.id}`)).status).toBe(204);
    return { path: `/vacancies/${id}`, dead };
  };

  test('can be sent back unchanged', async () => {
    const { path, dead } = await setUp();
    const scoring_rules = [rule('application.rating == 5'), dead];
    const { status, item } = await api.put(path, { title: 'Renamed', scoring_rules });
    expect([status, item['title'], item['scoring_rules']]).toEqual([200, 'Renamed', scoring_rules]);
    // Also together with other violations.
    expect((await api.put(path, { scoring_rules })).violations).toEqual(['missing /title']);
  });

  test('cannot be changed or added again', async () => {
    const { path, dead } = await setUp();
    const violation = ['invalid /scoring_rules/0/expression'];
    expect((await api.put(path, { title: 'T', scoring_rules: [{ ...dead, points: 2 }] })).violations).toEqual(
      violation,
    );
    expect(await violationsOf([dead])).toEqual(violation);
    expect((await api.put(path, { title: 'T' })).status).toBe(200);
    expect((await api.put(path, { title: 'T', scoring_rules: [dead] })).violations).toEqual(violation);
  });
});

describe('limits', () => {
  test('allows 100 rules and rejects 101', async () => {
    const rules = Array.from({ length: 100 }, (_, index) =>
      rule(`application.rating == ${index}`, index % 2 ? -99_999_999.99 : 99_999_999.99),
    );
    const { status, item } = await post(rules);
    expect([status, item['scoring_rules']]).toEqual([201, rules]);
    expect(await violationsOf([...rules, rule('application.id > 0')])).toEqual(['invalid /scoring_rules']);
  });

  test('allows an expression of 4,096 characters', async () => {
    const expression = 'application.id > 0'.padEnd(4_096);
    expect((await post([rule(expression)])).item['scoring_rules']).toEqual([rule(expression)]);
  });

  test('allows 20,000 characters in all expressions together and rejects one more', async () => {
    const rules = [
      ...Array.from({ length: 4 }, () => rule('application.id > 0'.padEnd(4_096))),
      rule('application.id > 0'.padEnd(20_000 - 4 * 4_096)),
    ];
    expect((await post(rules)).status).toBe(201);
    const { problem } = await post([...rules, rule('x')]);
    expect(problem.errors).toEqual([
      {
        resource: 'vacancies',
        path: '/scoring_rules/5/expression',
        code: 'invalid',
        info: expect.stringContaining('"x"'),
      },
      {
        resource: 'vacancies',
        path: '/scoring_rules',
        code: 'invalid',
        info: 'expected at most 20000 characters in the expressions of all rules together, found 20001',
      },
    ]);
  });

  test('allows 200 different values and rejects 201', async () => {
    const items = Array.from({ length: 201 }, (_, index) => ({ key: `item_${index}`, label: 'Item', type: 'integer' }));
    const form = await make.form({ sections: [{ name: 'Section', items }] });
    const [section] = form['sections'] as readonly { readonly items: readonly Item[] }[];
    const conditions = (section?.items ?? []).map(({ id }) => `application.formdata.${id} > 0`);
    const rules = Array.from({ length: 4 }, (_, part) =>
      rule(conditions.slice(part * 50, part * 50 + 50).join(' OR ')),
    );
    expect((await post(rules)).status).toBe(201);
    const answer = await post([...rules, rule(conditions[200])]);
    expect(answer.problem.errors).toEqual([
      {
        resource: 'vacancies',
        path: '/scoring_rules/4/expression',
        code: 'invalid',
        info: 'expected at most 200 different values that all rules together read',
      },
    ]);
  });

  test('allows 50 related objects and rejects 51', async () => {
    const through = (steps: number): string => `application.${'copied_from.'.repeat(steps)}`;
    // 14 applications from which others were copied, and three things that each of the first twelve leads to.
    const rules = Array.from({ length: 12 }, (_, index) =>
      rule(
        ['user', 'candidate', 'posting']
          .map((name) => `${through(index + 1)}${name}.created_dt > DATE("today")`)
          .join(' OR '),
      ),
    );
    expect((await post([...rules, rule(`${through(13)}rating == 1 AND ${through(14)}rating == 2`)])).status).toBe(201);
    const { problem } = await post([
      ...rules,
      rule(`${through(13)}user.created_dt > DATE("today") AND ${through(14)}rating == 2`),
    ]);
    expect(problem.errors).toEqual([
      {
        resource: 'vacancies',
        path: '/scoring_rules/12/expression',
        code: 'invalid',
        info: 'expected at most 50 related objects that all rules together read',
      },
    ]);
  });
});

describe('a rule needs the read scope of every resource on its datapaths', () => {
  test.each([
    ['application.source == "x"', ['applications:read'], 'vacancies'],
    ['application.user.firstname == "x"', ['applications:read'], 'vacancies'],
    ['application.user.language == "de"', ['applications:read', 'users:read'], 'vacancies'],
    ['application.candidate.tags IN {"a"}', ['applications:read', 'candidates:read'], 'vacancies'],
    [
      'application.posting.job_board.code == "x"',
      ['applications:read', 'postings:read', 'job_boards:read'],
      'vacancies',
    ],
    ['application.opportunity.location == "x"', ['applications:read', 'vacancies:read'], 'vacancies'],
    ['application.opportunity.location == "x"', ['applications:read', 'events:read'], 'events'],
    ['application.age_days > 3 AND application.id > 0', ['applications:read'], 'vacancies'],
  ])('%s needs %p', async (expression, scopes, collection) => {
    const body = collection === 'events' ? EVENT : { title: 'Engineer' };
    const write = async (granted: readonly string[]): ReturnType<Api['post']> =>
      api.post(
        `/${collection}`,
        { ...body, scoring_rules: [rule('application.id > 0', 0), rule(expression)] },
        { token: await make.token(`${collection}:write`, ...granted) },
      );
    expect((await write(scopes)).status).toBe(201);
    for (const lacking of scopes) {
      const { status, problem } = await write(scopes.filter((scope) => scope !== lacking));
      expect([status, problem.message]).toEqual([
        403,
        expect.stringContaining(`lacks the scope ${lacking}, which application.`),
      ]);
    }
  });

  test('form values need the read scope of their owner', async () => {
    const form = await make.form();
    const [section] = form['sections'] as readonly { readonly items: readonly Item[] }[];
    const scoring_rules = [rule(`application.formdata.${section?.items[0]?.id ?? 0} == "x"`)];
    const write = async (...scopes: readonly string[]): Promise<number> =>
      (
        await api.post(
          '/vacancies',
          { title: 'T', scoring_rules },
          { token: await make.token('vacancies:write', ...scopes) },
        )
      ).status;
    expect([await write('applications:read'), await write('forms:read')]).toEqual([201, 403]);
  });

  test('a replacement without the scope is rejected and changes nothing', async () => {
    const { id } = (await post(RULES)).item;
    const { status } = await api.put(
      `/vacancies/${id}`,
      { title: 'T', scoring_rules: [rule('application.user.language == "de"')] },
      { token: await make.token('vacancies:write', 'applications:read') },
    );
    expect([status, (await api.get(`/vacancies/${id}`)).item['scoring_rules']]).toEqual([403, RULES]);
  });
});
