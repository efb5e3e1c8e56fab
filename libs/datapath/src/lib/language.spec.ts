import { describe, expect, test } from '@jest/globals';
import { compile, holds, type Values } from '../../test/recruiting.js';

/**
 * One row of a table: an expression, the values by datapath, and the expected result. The tables specify the language.
 */
type Row = readonly [text: string, values: Values, result: boolean];

const specify = (title: string, rows: readonly Row[]): void => {
  describe(title, () => {
    test.each(rows)('%s with the values %j is %j', (text, values, result) => {
      expect(holds(text, values)).toBe(result);
    });
  });
};

const id = 'application.id';
const score = 'application.score';
const source = 'application.source';
const internal = 'application.is_internal';
const tags = 'application.tags';
const floors = 'application.user.Address.floor';

specify('an empty expression matches everything', [
  ['', {}, true],
  [' \n\t', {}, true],
]);

specify('evaluates the documented examples', [
  ['application.opportunity_id == 42', { 'application.opportunity_id': 42 }, true],
  ['application.main_process_state.state.id == 3', { 'application.main_process_state.state.id': 3 }, true],
  ['application.user.firstname == "Ada"', { 'application.user.firstname': 'Ada' }, true],
  [
    'posting.posting_loc_meth.post_loc_vac.job_board.id == 7',
    { 'posting.posting_loc_meth.post_loc_vac.job_board.id': 7 },
    true,
  ],
  ['posting.closing_date <= DATE("today")', { 'posting.closing_date': '2026-11-21' }, true],
  ['posting.closing_date <= DATE("today") - DTDURATION(7,0,0,0)', { 'posting.closing_date': '2026-11-14' }, true],
  ['posting.closing_date <= DATE("today") - DTDURATION(7,0,0,0)', { 'posting.closing_date': '2026-11-15' }, false],
  [
    '(posting.closing_date <= DATE("today")) AND posting.posting_loc_meth.post_loc_vac.job_board.id == 7',
    { 'posting.closing_date': '2026-11-20', 'posting.posting_loc_meth.post_loc_vac.job_board.id': 7 },
    true,
  ],
  ['application.formdata.21:2:1 == "yes"', { 'application.formdata.21:2:1': 'yes' }, true],
  ['application.formdata.21 == "yes"', { 'application.formdata.21:2:1': 'yes' }, false],
  ['application.opportunity.formdata.salary >= 50000', { 'application.opportunity.formdata.salary': 60000 }, true],
]);

specify('compares integers with decimals', [
  ['application.id == 1.0', { [id]: 1 }, true],
  ['application.score < 4', { [score]: 3.9 }, true],
  ['application.score < 4', { [score]: 4 }, false],
  ['application.score <= 4', { [score]: 4 }, true],
  ['application.score > -1', { [score]: 0 }, true],
  ['application.score >= 0', { [score]: -0 }, true],
  ['application.score != 4', { [score]: 5 }, true],
  ['4 > application.score', { [score]: 3 }, true],
  ['4 <= application.score', { [score]: 3 }, false],
  ['application.id + 1 == 43', { [id]: 42 }, true],
  ['application.id - application.score - 1 == 0', { [id]: 3, [score]: 2 }, true],
  ['application.id - (application.score - 1) == 2', { [id]: 3, [score]: 2 }, true],
  ['application.id IN (1, 2)', { [id]: 2 }, true],
  ['application.id NOT IN (1, 2)', { [id]: 2 }, false],
]);

specify('compares text exactly, and orders it by code units', [
  ['application.source == "web"', { [source]: 'web' }, true],
  ['application.source == "Web"', { [source]: 'web' }, false],
  ['application.source == "ä"', { [source]: 'a\u0308' }, false],
  ['application.source < "b"', { [source]: 'a' }, true],
  ['application.source < "a"', { [source]: 'B' }, true],
  ['application.source >= "web"', { [source]: 'web' }, true],
  ['"a" < application.source', { [source]: 'b' }, true],
  ['application.source <= application.user.lastname', { [source]: 'a', 'application.user.lastname': 'b' }, true],
]);

specify('=~ finds a substring in any case, without special characters', [
  ['application.source =~ "WEB"', { [source]: 'the Website' }, true],
  ['application.source =~ "ÄÖ"', { [source]: 'xäöx' }, true],
  ['application.source =~ ".*"', { [source]: 'anything' }, false],
  ['application.source =~ "100%_"', { [source]: '100%_sure' }, true],
  ['application.source !~ "web"', { [source]: 'agency' }, true],
  ['application.motivation =~ "team"', { 'application.motivation': 'Teamwork' }, true],
  [
    'application.source =~ application.user.lastname',
    { [source]: 'von Lovelace', 'application.user.lastname': 'LOVE' },
    true,
  ],
]);

specify('compares booleans, and uses them as conditions', [
  ['application.is_internal', { [internal]: true }, true],
  ['application.is_internal', { [internal]: false }, false],
  ['application.is_internal', {}, false],
  ['NOT application.is_internal', {}, true],
  ['application.is_internal == false', { [internal]: false }, true],
  ['application.is_internal == false', {}, false],
  ['true', {}, true],
  ['false OR NOT false', {}, true],
]);

specify('uses conditions in parentheses as booleans', [
  ['(application.id == 1) == true', { [id]: 1 }, true],
  ['(application.id == 1) != true', { [id]: 1 }, false],
  ['false == (application.id == 1)', { [id]: 2 }, true],
  ['(application.id == 1) == (application.score == 2)', { [id]: 3, [score]: 3 }, true],
  ['(application.id == 1) == application.is_internal', { [id]: 1, [internal]: true }, true],
  ['(application.id == 1 AND true) IN (true)', { [id]: 1 }, true],
]);

specify('binds from loose to tight: OR, AND, NOT', [
  ['true OR true AND false', {}, true],
  ['(true OR true) AND false', {}, false],
  ['NOT true OR true', {}, true],
  ['NOT (true OR true)', {}, false],
  ['NOT application.id == 1', { [id]: 2 }, true],
  ['NOT NOT application.id == 1', { [id]: 1 }, true],
  ['false AND true OR true AND true', {}, true],
]);

specify('a missing value is null', [
  ['application.id == null', {}, true],
  ['application.id == null', { [id]: undefined }, true],
  ['application.id == null', { [id]: null }, true],
  ['application.id == null', { [id]: 0 }, false],
  ['null == application.id', {}, true],
  ['application.id != null', {}, false],
  ['application.id != null', { [id]: 0 }, true],
  ['application.id IN (null, 1)', {}, true],
  ['application.id NOT IN (null, 1)', {}, false],
  ['application.source == ""', {}, false],
  ['application.tags == null', { [tags]: [] }, true],
  ['application.id == application.score', {}, true],
  ['null == null', {}, true],
]);

specify('treats NaN, infinities and values that are not scalars as null', [
  ['application.id == null', { [id]: {} }, true],
  ['application.id == null', { [id]: [1] }, true],
  ['application.id == null', { [id]: NaN }, true],
  ['application.id == null', { [id]: Infinity }, true],
  ['application.id == null', { [id]: () => 1 }, true],
  ['application.source == null', { [source]: Symbol('x') }, true],
  ['application.source == null', { [source]: new Date(0) }, true],
  ['posting.closing_dt == null', { 'posting.closing_dt': new Date(NaN) }, true],
]);

specify('null compared with a value: != and !~ are true, all others false', [
  ['application.id == 1', {}, false],
  ['application.id != 1', {}, true],
  ['application.id < 1', {}, false],
  ['application.id <= 1', {}, false],
  ['application.id > 1', {}, false],
  ['application.id >= 1', {}, false],
  ['application.source =~ "x"', {}, false],
  ['application.source !~ "x"', {}, true],
  ['application.id IN (1)', {}, false],
  ['application.id NOT IN (1)', {}, true],
  ['application.id <= application.score', {}, false],
  ['application.id + 1 == null', {}, true],
]);

specify('NOT negates every result, also with null', [
  ['NOT application.id < 3', {}, true],
  ['application.id >= 3', {}, false],
  ['NOT (posting.closing_date <= DATE("today"))', {}, true],
]);

specify('a value of another type equals nothing and has no order', [
  ['application.id == 42', { [id]: '42' }, false],
  ['application.id != 42', { [id]: '42' }, true],
  ['application.id < 43', { [id]: '42' }, false],
  ['application.id > 41', { [id]: true }, false],
  ['application.id == null', { [id]: '42' }, false],
  ['application.source == "1"', { [source]: 1 }, false],
  ['application.source < "z"', { [source]: 1 }, false],
  ['application.source =~ "1"', { [source]: 1 }, false],
  ['application.is_internal', { [internal]: 'true' }, false],
  ['application.is_internal', { [internal]: 1 }, false],
  ['posting.closing_date <= DATE("today")', { 'posting.closing_date': 'someday' }, false],
  ['posting.closing_date != DATE("today")', { 'posting.closing_date': 'someday' }, true],
  ['posting.closing_date == null', { 'posting.closing_date': 'someday' }, false],
  ['application.id + 1 > 0', { [id]: '42' }, false],
  ['application.id + 1 > 0', { [id]: 1.7e308 }, true],
  ['application.score + application.score > 0', { [score]: 1.7e308 }, false],
  ['posting.closing_date <= DATE("today")', { 'posting.closing_date': 5 }, false],
  ['posting.closing_dt > "1960-01-01"', { 'posting.closing_dt': 5 }, false],
  ['posting.closing_date == null', { 'posting.closing_date': 5 }, false],
  ['posting.closing_date == null', { 'posting.closing_date': new Date(8.64e15) }, false],
  ['posting.closing_date == posting.closing_date + DTDURATION(1,0,0,0)', { 'posting.closing_date': 'soon' }, false],
  ['posting.closing_date != posting.closing_date', { 'posting.closing_date': 'soon' }, true],
  [
    'posting.closing_date == posting.closing_dt',
    { 'posting.closing_date': 'soon', 'posting.closing_dt': 'soon' },
    false,
  ],
  ['application.id < application.score', { [id]: '1', [score]: '2' }, false],
  ['application.id == application.score', { [id]: 'x', [score]: 'x' }, false],
  ['application.id != application.score', { [id]: 'x', [score]: 'x' }, true],
  ['application.id == application.score', { [id]: true, [score]: true }, false],
  ['application.id IN (1, null)', { [id]: '1' }, false],
  ['application.id NOT IN (1, null)', { [id]: '1' }, true],
  ['application.id + 1 == null', { [id]: '1' }, false],
  ['application.id + 1 == application.score', { [id]: '1', [score]: 'x' }, false],
  ['application.source == application.user.lastname', { [source]: 1, 'application.user.lastname': 1 }, false],
  ['application.source =~ application.user.lastname', { [source]: 1, 'application.user.lastname': 1 }, false],
  ['application.is_internal == application.is_internal', { [internal]: 'true' }, false],
  ['application.tags == application.tags', { [tags]: [1, 2] }, false],
  ['application.tags == application.tags', { [tags]: [1, 'a'] }, true],
]);

specify('to-many: positive operators hold when any element does', [
  ['application.tags == "a"', { [tags]: ['b', 'a'] }, true],
  ['application.tags == "a"', { [tags]: ['b'] }, false],
  ['application.tags =~ "A"', { [tags]: ['bar', 'x'] }, true],
  ['application.tags IN ("a", "z")', { [tags]: ['b', 'a'] }, true],
  ['application.user.Address.floor < 3', { [floors]: [5, 2] }, true],
  ['3 > application.user.Address.floor', { [floors]: [5, 2] }, true],
  ['application.user.Address.floor + 1 == 6', { [floors]: [5, 2] }, true],
  ['1 + application.user.Address.floor == 6', { [floors]: [5, 2] }, true],
  ['application.tags == "a"', { [tags]: 'a' }, true],
  [
    'application.tags == application.user.Address.City',
    { [tags]: ['b', 'c'], 'application.user.Address.City': ['a', 'c'] },
    true,
  ],
  ['application.tags == application.source', { [tags]: ['b', 'c'], [source]: 'c' }, true],
]);

specify('to-many: negative operators hold when no element does', [
  ['application.tags != "a"', { [tags]: ['b', 'a'] }, false],
  ['application.tags != "a"', { [tags]: ['b', 'c'] }, true],
  ['application.tags !~ "A"', { [tags]: ['bar'] }, false],
  ['application.tags NOT IN ("a", "z")', { [tags]: ['b'] }, true],
  ['NOT application.tags == "a"', { [tags]: ['b', 'a'] }, false],
]);

specify('to-many: an empty list and an element without a value are null', [
  ['application.tags == "a"', { [tags]: [] }, false],
  ['application.tags != "a"', { [tags]: [] }, true],
  ['application.tags != null', { [tags]: [] }, false],
  ['application.tags == null', { [tags]: ['a', null] }, true],
  ['application.tags == null', { [tags]: ['a'] }, false],
  ['application.tags IN (null)', { [tags]: ['a', undefined] }, true],
  ['application.tags == "b"', { [tags]: ['a', null, ['b'], { b: 1 }] }, false],
]);

specify('to-many: evaluates each comparison by itself', [
  ['application.user.Address.floor > 4 AND application.user.Address.floor < 3', { [floors]: [5, 2] }, true],
]);

describe('datapaths', () => {
  test('are read by their canonical text, each at most once', () => {
    const asked: string[] = [];
    const compiled = compile('application.id == 1 OR application.id == 2 OR application.formdata.21:2 == "x"');
    const valueOf = (datapath: string): unknown => {
      asked.push(datapath);
      return null;
    };
    expect(compiled.test({ valueOf, now: new Date(0), timeZone: 'UTC' })).toBe(false);
    expect(asked).toEqual(['application.id', 'application.formdata.21:2']);
    expect(asked).toEqual(compiled.datapaths);
  });

  test('are not read once the result is decided', () => {
    const asked: string[] = [];
    const valueOf = (datapath: string): unknown => asked.push(datapath);
    compile('application.id == 99 AND application.user.Address.City == application.tags').test({
      valueOf,
      now: new Date(0),
      timeZone: 'UTC',
    });
    expect(asked).toEqual(['application.id']);
  });
});
