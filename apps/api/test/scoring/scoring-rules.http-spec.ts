// @group sample: npm test runs a quarter of its tests
import { describe, expect, test } from '@jest/globals';
import { type Item } from '../support/answer.js';
import { type Api } from '../support/api-harness.js';
import { useApi } from '../support/use-api.js';
import { rule, post, violationsOf } from './rule-bodies.js';

const { api, make } = useApi();
const RULES = [rule('application.source == "fair"', 2.5), rule('application.rating >= 4', -1)];
const EVENT = { title: 'Open day', start_dt: '2030-05-01T09:00:00.000Z', end_dt: '2030-05-01T17:00:00.000Z' };

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

  test.each([undefined, null, []])('are an empty list when they are written as %s', async (scoring_rules) => {
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

describe('a scoring rule', () => {
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
  ])('is rejected with %s', async (_, rules, violations) => {
    expect(await violationsOf(api, rules)).toEqual(violations);
  });

  test.each(['1', true, [1], {}, 0.001, 1e-9, 100_000_000, -100_000_000, 1e300])(
    'is rejected with the points %p',
    async (points) => {
      expect(await violationsOf(api, [rule('application.id > 0', points)])).toEqual([
        'invalid /scoring_rules/0/points',
      ]);
    },
  );

  test('is rejected with its pointer, a suggestion, and all other violations of the body', async () => {
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

  test('is rejected together with a missing reference in an otherwise valid body', async () => {
    expect(
      (await api.post('/vacancies', { title: 'T', owner_id: 987_654_321, scoring_rules: [rule('application.x == 1')] }))
        .violations,
    ).toEqual(['invalid /owner_id', 'invalid /scoring_rules/0/expression']);
  });

  test('is rejected without any change when it is part of a replacement', async () => {
    const { id } = (await post(api, RULES)).item;
    const before = await api.get(`/vacancies/${id}`);
    expect((await api.put(`/vacancies/${id}`, { title: 'New', scoring_rules: [rule('x')] })).status).toBe(422);
    expect((await api.get(`/vacancies/${id}`)).text).toBe(before.text);
  });
});

describe('a scoring rule whose form item was deleted', () => {
  const setUp = async (): Promise<{ readonly path: string; readonly dead: object }> => {
    const form = await make.form();
    const [section] = form['sections'] as readonly { readonly items: readonly Item[] }[];
    const dead = rule(`application.formdata.${section?.items[0]?.id ?? 0} == "x"`, 1.5);
    const { id } = (await post(api, [dead, rule('application.id > 0')])).item;
    expect((await api.delete(`/forms/${form.id}`)).status).toBe(204);
    return { path: `/vacancies/${id}`, dead };
  };

  test('can be sent back unchanged', async () => {
    const { path, dead } = await setUp();
    const scoring_rules = [rule('application.rating == 5'), dead];
    const { status, item } = await api.put(path, { title: 'Renamed', scoring_rules });
    expect([status, item['title'], item['scoring_rules']]).toEqual([200, 'Renamed', scoring_rules]);
    // The missing title is the only violation. An unchanged rule may name a form item that was deleted.
    expect((await api.put(path, { scoring_rules })).violations).toEqual(['missing /title']);
  });

  test('cannot be changed or added again', async () => {
    const { path, dead } = await setUp();
    const violation = ['invalid /scoring_rules/0/expression'];
    expect((await api.put(path, { title: 'T', scoring_rules: [{ ...dead, points: 2 }] })).violations).toEqual(
      violation,
    );
    expect(await violationsOf(api, [dead])).toEqual(violation);
    expect((await api.put(path, { title: 'T' })).status).toBe(200);
    expect((await api.put(path, { title: 'T', scoring_rules: [dead] })).violations).toEqual(violation);
  });
});

describe('writing a scoring rule', () => {
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
  ])('needs the read scope of every resource on its datapaths: %s needs %p', async (expression, scopes, collection) => {
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

  test('needs the read scope of the owner of its form values', async () => {
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

  test('is rejected and changes nothing when a credential without the scope replaces the vacancy', async () => {
    const { id } = (await post(api, RULES)).item;
    const { status } = await api.put(
      `/vacancies/${id}`,
      { title: 'T', scoring_rules: [rule('application.user.language == "de"')] },
      { token: await make.token('vacancies:write', 'applications:read') },
    );
    expect([status, (await api.get(`/vacancies/${id}`)).item['scoring_rules']]).toEqual([403, RULES]);
  });
});
