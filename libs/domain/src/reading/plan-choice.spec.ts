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

/** A server whose plans cost what the test says. */
class Plans implements Reads {
  asked = 0;
  constructor(private readonly costs: Readonly<Record<string, number>>) {}

  query<Row extends object>({ text }: ReadStatement): Promise<Row[]> {
    this.asked++;
    const cost = this.costs[text.split(' ').at(-1) ?? ''] ?? NaN;
    const scan = { 'Node Type': 'Index Scan', 'Total Cost': cost };
    // What stands below the limits of a page, in two parts.
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

describe('a page is found', () => {
  let choice: PlanChoice;
  beforeEach(() => {
    choice = new PlanChoice();
  });
  const choose = (costs: { walk: number; all: number }, condition = comparison('text')): Promise<boolean> =>
    choice.matchesFirst(new Plans(costs), ways(condition));

  it.each([
    ['by a walk that costs little', { walk: 900, all: 1 }, comparison('text'), false],
    ['by a walk when finding all costs a good part of it', { walk: 100_000, all: 6_000 }, comparison('text'), false],
    ['by what matches when that costs little beside the walk', { walk: 100_000, all: 4_000 }, comparison('text'), true],
    [
      'by what matches since a moment, though it costs a good part',
      { walk: 100_000, all: 24_000 },
      comparison('datetime'),
      true,
    ],
    ['by a walk when nearly all is since that moment', { walk: 100_000, all: 26_000 }, comparison('datetime'), false],
    ['by a walk when all that matches is too much', { walk: 10_000_000, all: 60_000 }, comparison('datetime'), false],
    ['by a walk when everything matches', { walk: 100_000, all: 1 }, EVERYTHING, false],
    [
      'by what matches when one of the conditions names a moment',
      { walk: 100_000, all: 24_000 },
      { kind: 'all' as const, conditions: [comparison('text'), comparison('datetime')] },
      true,
    ],
  ])('%s', async (_, costs, condition, expected) => {
    expect(await choose(costs, condition)).toBe(expected);
  });

  it('without asking again for the same values', async () => {
    const plans = new Plans({ walk: 100_000, all: 4_000 });
    await choice.matchesFirst(plans, ways(comparison('text')));
    const { asked } = plans;
    expect(await choice.matchesFirst(plans, ways(comparison('text')))).toBe(true);
    expect(plans.asked).toBe(asked);
    await choice.matchesFirst(plans, ways(comparison('text'), 2));
    expect(plans.asked).toBe(2 * asked);
  });

  it('by what matches after a walk that was long, with other values when it is much less', async () => {
    const much = new Plans({ walk: 100_000, all: 40_000 });
    expect(await choice.matchesFirst(much, ways(comparison('text')))).toBe(false);
    choice.noteWalk(ways(comparison('text')).walk, 199);
    expect(await choice.matchesFirst(much, ways(comparison('text')))).toBe(false);
    choice.noteWalk(ways(comparison('text')).walk, 200);
    expect(await choice.matchesFirst(much, ways(comparison('text')))).toBe(true);
    expect(await choice.matchesFirst(much, ways(comparison('text'), 2))).toBe(false);
    expect(await choice.matchesFirst(new Plans({ walk: 100_000, all: 20_000 }), ways(comparison('text'), 3))).toBe(
      true,
    );
  });
});
