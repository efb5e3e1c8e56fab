import { type Condition } from '@ats/search-query';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { type ReadStatement } from '@ats/postgres';
import { PlanChoice, type Ways } from './plan-choice.js';
import { type Reads } from './collection-statement.js';

const path = { datapath: 'x', root: 'application', steps: [], end: { kind: 'object' as const }, many: false };
const comparison = (kind: 'text' | 'datetime'): Condition => ({
  kind: 'comparison',
  path,
  operator: '=',
  isNegated: false,
  matchesEmpty: false,
  operand: { kind, values: [] },
});
const EVERYTHING: Condition = { kind: 'all', conditions: [{ kind: 'all', conditions: [] }] };
const ways = (condition: Condition, value = 1): Ways => ({
  walk: { text: 'walk', parameters: [value] },
  all: { text: 'all', parameters: [value] },
  condition,
});

/** Replaces PostgreSQL. A test sets the costs of the plans that EXPLAIN returns. */
class Plans implements Reads {
  asked = 0;
  constructor(private readonly costs: Readonly<Record<string, number>>) {}

  query<Row extends object>({ text }: ReadStatement): Promise<Row[]> {
    this.asked++;
    const cost = this.costs[text.split(' ').at(-1) ?? ''] ?? NaN;
    const scan = { 'Node Type': 'Index Scan', 'Total Cost': cost };
    // The plan of a page that is read in two parts. `PlanChoice` must ignore the costs of the nodes Limit and Append.
    const page = {
      'Node Type': 'Subquery Scan',
      Plans: [
        {
          'Node Type': 'Limit',
          'Total Cost': 1,
          Plans: [
            {
              'Node Type': 'Append',
              'Total Cost': 1,
              Plans: [scan, { 'Node Type': 'Limit', Plans: [{ ...scan, 'Total Cost': 0 }] }],
            },
          ],
        },
      ],
    };
    return Promise.resolve([{ 'QUERY PLAN': [{ Plan: text.endsWith('walk') ? page : scan }] }] as unknown as Row[]);
  }
}

describe('PlanChoice', () => {
  let choice: PlanChoice;
  beforeEach(() => {
    choice = new PlanChoice();
  });
  const choose = (costs: { walk: number; all: number }, condition = comparison('text')): Promise<boolean> =>
    choice.matchesFirst(new Plans(costs), ways(condition));

  it.each([
    ['walks when the walk is cheap', { walk: 900, all: 1 }, comparison('text'), false],
    [
      'walks when finding all matches costs more than 1/20 of the walk',
      { walk: 100_000, all: 6_000 },
      comparison('text'),
      false,
    ],
    [
      'finds all matches first when that costs less than 1/20 of the walk',
      { walk: 100_000, all: 4_000 },
      comparison('text'),
      true,
    ],
    [
      'finds all matches of a condition on a moment first at less than 1/4 of the walk',
      { walk: 100_000, all: 24_000 },
      comparison('datetime'),
      true,
    ],
    [
      'walks for a condition on a moment when all matches cost more than 1/4 of the walk',
      { walk: 100_000, all: 26_000 },
      comparison('datetime'),
      false,
    ],
    [
      'walks when finding all matches exceeds the maximum cost',
      { walk: 10_000_000, all: 60_000 },
      comparison('datetime'),
      false,
    ],
    ['walks when there is no condition', { walk: 100_000, all: 1 }, EVERYTHING, false],
    [
      'applies the limit of 1/4 when one of several conditions is on a moment',
      { walk: 100_000, all: 24_000 },
      { kind: 'all' as const, conditions: [comparison('text'), comparison('datetime')] },
      true,
    ],
  ])('%s', async (_, costs, condition, expected) => {
    expect(await choose(costs, condition)).toBe(expected);
  });

  it('runs EXPLAIN once for the same statement with the same values', async () => {
    const plans = new Plans({ walk: 100_000, all: 4_000 });
    await choice.matchesFirst(plans, ways(comparison('text')));
    const { asked } = plans;
    expect(await choice.matchesFirst(plans, ways(comparison('text')))).toBe(true);
    expect(plans.asked).toBe(asked);
    await choice.matchesFirst(plans, ways(comparison('text'), 2));
    expect(plans.asked).toBe(2 * asked);
  });

  it('chooses the plan that finds all matches after a slow index scan; for other values, only below 1/4 of its cost', async () => {
    const much = new Plans({ walk: 100_000, all: 40_000 });
    expect(await choice.matchesFirst(much, ways(comparison('text')))).toBe(false);
    choice.recordWalk(ways(comparison('text')).walk, 199);
    expect(await choice.matchesFirst(much, ways(comparison('text')))).toBe(false);
    choice.recordWalk(ways(comparison('text')).walk, 200);
    expect(await choice.matchesFirst(much, ways(comparison('text')))).toBe(true);
    expect(await choice.matchesFirst(much, ways(comparison('text'), 2))).toBe(false);
    expect(await choice.matchesFirst(new Plans({ walk: 100_000, all: 20_000 }), ways(comparison('text'), 3))).toBe(
      true,
    );
  });
});
