import { describe, expect, test } from '@jest/globals';
import { Message, type MessageValue } from '@ats/message';
import { compile } from '../../test/recruiting.js';
import { DatapathError, violationMessage } from './syntax/errors.js';

type Parts = string | number | readonly Parts[];

/** Returns the patterns of a message, which are translated, and its values, which are not. */
const partsOf = (value: MessageValue): Parts => {
  if (typeof value !== 'object') return value;
  return value instanceof Message ? [value.pattern, ...value.values.map(partsOf)] : value.map(partsOf);
};

const textOf = (text: string): Message => {
  try {
    compile(text);
  } catch (error) {
    if (error instanceof DatapathError) return violationMessage(error.violations[0]);
  }
  throw new Error(`no violation in ${text}`);
};

describe('every English word of a violation can be translated', () => {
  const WHOLE = '{0}:{1}: {2}\n{3}';
  const table: readonly (readonly [text: string, column: number, said: Parts, carets: string])[] = [
    ['a IN', 5, ['expected {0} or {1} but found {2}', ['"("'], '"{"', ['end of text']], '      ^'],
    [
      'a == )',
      6,
      [
        'expected {0} or {1} but found {2}',
        [['datapath'], ['number'], ['string'], 'TRUE', 'FALSE', 'NULL', 'DATE'],
        '"("',
        '")"',
      ],
      '       ^',
    ],
    ['(a', 3, ['expected {0} but found {1}', '")"', ['end of text']], '    ^'],
    ['a = 1', 3, ['{0}; {1}', ['"{0}" is not an operator', '='], ['write {0}', '==']], '    ^'],
    [
      'DTDURATION(1)',
      1,
      ['DTDURATION takes four integers: {0}', [['days'], ['hours'], ['minutes'], ['seconds']]],
      '  ^^^^^^^^^^',
    ],
    [
      'application.tags == 1',
      1,
      [
        '{0}; {1}',
        ['cannot compare {0} with {1}', ['"{0}" ({1})', 'application.tags', ['a list of texts']], ['a number']],
        ['write {0}', '"1"'],
      ],
      '  ^^^^^^^^^^^^^^^^^^^^^',
    ],
    [
      'posting.idd == 1',
      9,
      ['{0}; {1}', ['{0} has no attribute or relation "{1}"', 'posting', 'idd'], ['did you mean "{0}"?', 'id']],
      '          ^^^',
    ],
    [
      'usr.id == 1',
      1,
      [
        'a datapath starts here with {0} or {1}, not with "{2}"',
        ['"application"', '"posting"'],
        '"opportunity"',
        'usr',
      ],
      '  ^^^',
    ],
  ];
  test.each(table)('in the violation of %s', (text, column, said, carets) => {
    const parts = partsOf(textOf(text));
    expect(parts).toEqual([WHOLE, 1, column, said, `  ${text}\n${carets}`]);
  });
});
