import { describe, expect, it } from '@jest/globals';
import { shownValue } from './shown-value.js';

describe('a value in an explanation', () => {
  it.each([null, 5, true, 'short', '', [], ['a', 1, null], 'x'.repeat(500)])(
    'is shown unchanged when it is short: %j',
    (value) => {
      expect(shownValue(value)).toEqual(value);
    },
  );

  it('is cut and ends with an ellipsis when it is long', () => {
    expect(shownValue('x'.repeat(501))).toBe(`${'x'.repeat(500)}…`);
    expect(shownValue(`${'x'.repeat(499)}😀`)).toBe(`${'x'.repeat(499)}…`);
    expect(shownValue(['x'.repeat(400), 'y'.repeat(400), 'z'])).toEqual(['x'.repeat(400), `${'y'.repeat(99)}…`, '…']);
    expect(shownValue(new Array(1_000).fill('123456789'))).toEqual([...new Array<string>(50).fill('123456789'), '…']);
  });
});
