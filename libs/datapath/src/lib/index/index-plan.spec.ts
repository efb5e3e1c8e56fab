import { describe, expect, test } from '@jest/globals';
import { compile } from '../../../test/recruiting.js';
import { type IndexKey } from './index-key.js';
import { type IndexPlan, planOf } from './index-plan.js';

const planFor = (text: string, costs: Readonly<Record<string, number>> = {}): IndexPlan => {
  const { condition } = compile(text).checked;
  if (condition === null) throw new Error('no condition');
  return planOf(condition, ({ path }) => costs[path.path.text] ?? 1);
};

const name = ({ path, view, operator, bound }: IndexKey): string =>
  `${view === 'value' ? '' : `${view} of `}${path.path.text} ${operator} ${JSON.stringify(bound)}`;

const keysFor = (text: string, costs = {}): readonly string[] | null => planFor(text, costs).keys?.map(name) ?? null;

const DAY = 20_778; // 2026-11-21 as the number of days since 1970-01-01.

describe('keys in the index', () => {
  const table: readonly (readonly [string, readonly string[] | null, number])[] = [
    ['application.id == 1', ['application.id == 1'], 0],
    ['1 == application.id', ['application.id == 1'], 0],
    ['application.id == null', ['application.id == null'], 0],
    ['application.is_internal', ['application.is_internal == true'], 0],
    ['application.id IN (1, 2)', ['application.id == 1', 'application.id == 2'], 0],
    ['application.id == 1 OR application.score == 2', ['application.id == 1', 'application.score == 2'], 0],
    ['application.id < 1', ['application.id < 1'], 0],
    ['3 <= application.id', ['application.id >= 3'], 0],
    ['application.source > "b"', ['application.source > "b"'], 0],
    ['application.tags == "a"', ['application.tags == "a"'], 0],
    ['NOT NOT application.id == 1', ['application.id == 1'], 0],
    ['(application.id == 1) == true', ['application.id == 1'], 0],
    ['posting.closing_date == "2026-11-21"', [`posting.closing_date == ${String(DAY)}`], 0],
    ['posting.closing_dt <= "2026-11-21"', [`day of posting.closing_dt <= ${String(DAY)}`], 0],
    [
      'posting.closing_date <= DATE("today") - DTDURATION(7,0,0,0)',
      ['days_from_today of posting.closing_date <= -7'],
      0,
    ],
    ['posting.closing_dt == DATE("today")', ['days_from_today of posting.closing_dt == 0'], 0],
    ['posting.closing_date > DATE("now")', ['days_from_today of posting.closing_date > 0'], 0],
    ['posting.closing_dt < DATE("now") + DTDURATION(0,1,0,0)', ['ms_from_now of posting.closing_dt < 3600000'], 0],
    ['application.id == 1 AND application.source =~ "x"', ['application.id == 1'], 1],
    [
      'application.source =~ "x" AND (application.id == 1 OR application.id == 2)',
      ['application.id == 1', 'application.id == 2'],
      1,
    ],
    [
      'application.id == 1 OR application.score == 2 AND application.source =~ "x"',
      ['application.id == 1', 'application.score == 2'],
      1,
    ],
    ['false', [], 0],
    ['application.id == 1 AND false', [], 1],
    ['true', null, 0],
    ['application.id != 1', null, 1],
    ['NOT application.id < 1', null, 1],
    ['application.id NOT IN (1)', null, 1],
    ['application.source =~ "x"', null, 1],
    ['application.id == application.score', null, 1],
    ['application.id + 1 == 2', null, 1],
    ['application.id == 1 OR application.source =~ "x"', null, 1],
    ['posting.closing_dt < DATE("now") + DTDURATION(1,0,0,0)', null, 1],
    ['posting.closing_dt < DATE("today") + DTDURATION(0,1,0,0)', null, 1],
    ['posting.closing_date == DATE("2026-11-21T10:00Z")', null, 1],
  ];
  test.each(table)('for %s are %j, and %d further conditions must be evaluated', (text, keys, rest) => {
    expect({ keys: keysFor(text), rest: planFor(text).rest.length }).toEqual({ keys, rest });
  });
});

test('planOf chooses the rarest key of an AND', () => {
  const text = 'application.score == 1 AND application.id == 2 AND application.opportunity_id IN (3, 4)';
  expect(keysFor(text, { 'application.score': 50, 'application.id': 2, 'application.opportunity_id': 10 })).toEqual([
    'application.id == 2',
  ]);
  expect(keysFor(text, { 'application.score': 3, 'application.id': 5, 'application.opportunity_id': 1 })).toEqual([
    'application.opportunity_id == 3',
    'application.opportunity_id == 4',
  ]);
});
