import { describe, expect, it, test } from '@jest/globals';
import fc from 'fast-check';
import {
  checkExpression,
  DatapathError,
  type DatapathViolation,
  type ObjectModel,
  parseExpression,
} from '../../index.js';
import { model as plain, roots } from '../../../test/recruiting.js';

/** The closed lists of the model. Applications and opportunities have different lists of states. */
const LISTS: Readonly<Record<string, readonly string[]>> = {
  'process_state.state': ['in_review', 'interview', 'hired', 'rejected'],
  'opportunity.state': ['open', 'closed'],
};

const modelWith = (lists: typeof LISTS): ObjectModel => ({
  ...plain,
  closedValues: ({ owner, name, through }) =>
    owner === 'state' && name === 'name' && through ? lists[`${through.owner}.${through.relation}`] : undefined,
  representation: (type) =>
    type === 'application'
      ? [
          { pointer: '/id', datapath: 'id' },
          { pointer: '/process_state/state', datapath: 'main_process_state.state.name' },
          { pointer: '/process_state/state_id', datapath: 'main_process_state.state.id' },
          { pointer: '/process_state/entered_dt', datapath: 'main_process_state.entered_dt' },
          { pointer: '/Home/*/Town', datapath: 'user.Address.City' },
        ]
      : [],
});

function violationsOf(text: string, model = modelWith(LISTS)): readonly DatapathViolation[] {
  try {
    checkExpression(parseExpression(text, model), model, roots);
    return [];
  } catch (error) {
    if (error instanceof DatapathError) return error.violations;
    throw error;
  }
}

const STATE = 'application.main_process_state.state.name';

describe('a datapath with a closed list', () => {
  it.each([
    [`${STATE} == "hird"`, [['"hird"', 'did you mean "hired"? The values are in_review, interview, hired, rejected']]],
    [`"open" != ${STATE}`, [['"open"', 'the values are in_review, interview, hired, rejected']]],
    [`application.opportunity.state.name == "hired"`, [['"hired"', 'the values are open, closed']]],
    [
      `${STATE} IN {"hired", "x", "y"}`,
      [
        ['"x"', 'the values are in_review, interview, hired, rejected'],
        ['"y"', 'the values are in_review, interview, hired, rejected'],
      ],
    ],
  ])('rejects other values in %s', (text, expected) => {
    const violations = violationsOf(text);
    expect(violations.map(({ found, hint }) => [found, String(hint)])).toEqual(expected);
    expect(violations.map(({ code }) => code)).toEqual(expected.map(() => 'unlisted_value'));
    expect(violations.map(({ offset, length }) => text.slice(offset, offset + length))).toEqual(
      expected.map(([found]) => found),
    );
  });

  it.each([
    `${STATE} == "hired" AND ${STATE} NOT IN ("rejected")`,
    `${STATE} =~ "x" OR ${STATE} < "x" OR ${STATE} == NULL`,
    `${STATE} == application.source`,
    'application.source == "x"',
  ])('accepts %s', (text) => {
    expect(violationsOf(text)).toEqual([]);
  });

  it('can only be compared with values of the list, and violations suggest values of the list', () => {
    const values = fc.uniqueArray(fc.stringMatching(/^[a-z_]{1,9}$/), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(
        values.chain((list) => fc.tuple(fc.constant(list), fc.oneof(fc.constantFrom(...list), fc.string()))),
        ([list, value]) => {
          const model = modelWith({ 'process_state.state': list });
          const [violation] = violationsOf(`${STATE} == ${JSON.stringify(value)}`, model);
          if (list.includes(value)) return violation === undefined;
          const expected = violation?.expected ?? [];
          return expected.length > 0 && expected.every((one) => list.includes(one));
        },
      ),
      { numRuns: 200 },
    );
  });
});

test.each([
  ['application.process_state.state', 'application.main_process_state.state.name'],
  ['application.process_state.state_id', 'application.main_process_state.state.id'],
  ['application.process_state', 'application.main_process_state'],
  ['application.process_state.unknown', 'application.main_process_state'],
  ['application.proces_state', 'main_process_state'],
  ['application.Home.Town', 'application.user.Address.City'],
  ['application.main_proces_state.state', 'main_process_state'],
])('the violation of an unknown datapath suggests another datapath for %s: %s', (text, instead) => {
  expect(violationsOf(`${text} == 1`).map(({ hint }) => String(hint))).toEqual([`did you mean "${instead}"?`]);
});
