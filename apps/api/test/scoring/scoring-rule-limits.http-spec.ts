import { describe, expect, test } from '@jest/globals';
import { type Item } from '../support/answer.js';
import { useApi } from '../support/use-api.js';
import { rule, post, violationsOf } from './rule-bodies.js';

const { api, make } = useApi();

describe('a list of scoring rules', () => {
  test('may have 100 rules, but not 101', async () => {
    const rules = Array.from({ length: 100 }, (_, index) =>
      rule(`application.rating == ${index}`, index % 2 ? -99_999_999.99 : 99_999_999.99),
    );
    const { status, item } = await post(api, rules);
    expect([status, item['scoring_rules']]).toEqual([201, rules]);
    expect(await violationsOf(api, [...rules, rule('application.id > 0')])).toEqual(['invalid /scoring_rules']);
  });

  test('may have an expression of 4,096 characters', async () => {
    const expression = 'application.id > 0'.padEnd(4_096);
    expect((await post(api, [rule(expression)])).item['scoring_rules']).toEqual([rule(expression)]);
  });

  test('may have 20,000 characters in all expressions together, but not one more', async () => {
    const rules = [
      ...Array.from({ length: 4 }, () => rule('application.id > 0'.padEnd(4_096))),
      rule('application.id > 0'.padEnd(20_000 - 4 * 4_096)),
    ];
    expect((await post(api, rules)).status).toBe(201);
    const { problem } = await post(api, [...rules, rule('x')]);
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

  test('may compare with 200 different values, but not with 201', async () => {
    const items = Array.from({ length: 201 }, (_, index) => ({ key: `item_${index}`, label: 'Item', type: 'integer' }));
    const form = await make.form({ sections: [{ name: 'Section', items }] });
    const [section] = form['sections'] as readonly { readonly items: readonly Item[] }[];
    const conditions = (section?.items ?? []).map(({ id }) => `application.formdata.${id} > 0`);
    const rules = Array.from({ length: 4 }, (_, part) =>
      rule(conditions.slice(part * 50, part * 50 + 50).join(' OR ')),
    );
    expect((await post(api, rules)).status).toBe(201);
    const answer = await post(api, [...rules, rule(conditions[200])]);
    expect(answer.problem.errors).toEqual([
      {
        resource: 'vacancies',
        path: '/scoring_rules/4/expression',
        code: 'invalid',
        info: 'expected all rules together to read at most 200 different values',
      },
    ]);
  });

  test('may read 50 related objects, but not 51', async () => {
    const through = (steps: number): string => `application.${'copied_from.'.repeat(steps)}`;
    // The rules read 50 objects: 14 applications that they reach by `copied_from`, and 3 objects of each of the first
    // 12.
    const rules = Array.from({ length: 12 }, (_, index) =>
      rule(
        ['user', 'candidate', 'posting']
          .map((name) => `${through(index + 1)}${name}.created_dt > DATE("today")`)
          .join(' OR '),
      ),
    );
    expect((await post(api, [...rules, rule(`${through(13)}rating == 1 AND ${through(14)}rating == 2`)])).status).toBe(
      201,
    );
    const { problem } = await post(api, [
      ...rules,
      rule(`${through(13)}user.created_dt > DATE("today") AND ${through(14)}rating == 2`),
    ]);
    expect(problem.errors).toEqual([
      {
        resource: 'vacancies',
        path: '/scoring_rules/12/expression',
        code: 'invalid',
        info: 'expected all rules together to read at most 50 related objects',
      },
    ]);
  });
});
