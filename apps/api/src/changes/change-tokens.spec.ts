import { expect, test } from '@jest/globals';
import { CursorCodec } from '@ats/pagination';
import fc from 'fast-check';
import { ChangeTokens } from './change-tokens.js';

const codec = new CursorCodec('k'.repeat(44));
const tokens = new ChangeTokens(codec);

const mark = fc
  .tuple(fc.integer({ min: 1_000_000_000_000, max: 9_999_999_999_999 }), fc.stringMatching(/^[0-9a-f]{8}$/))
  .map((parts) => parts.join('-'));

/**
 * A position and its mark. Positions start with 1. There is no mark before the first change or after a deleted change.
 */
const place = fc.oneof(
  fc.record({ position: fc.nat({ max: Number.MAX_SAFE_INTEGER }), mark: fc.constant(undefined) }),
  fc.record({ position: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), mark }),
);

test('a token of the changes feed contains the position for which it was made', () => {
  fc.assert(
    fc.property(place, fc.boolean(), ({ position, mark }, hasStart) => {
      const since = hasStart ? new Date('2026-11-28T09:00:00.000Z') : undefined;
      const bookmark = { epoch: 'one', position, mark, since, resources: ['candidates', 'forms'] };
      expect(tokens.open(tokens.seal(bookmark))).toEqual(bookmark);
    }),
  );
});

test('a process of the previous release reads the same position from a token that has the mark of this release', () => {
  fc.assert(
    fc.property(place, ({ position, mark }) => {
      const token = tokens.seal({ epoch: 'one', position, mark, resources: [] });
      const opened = codec.open(token, 'changes/1');
      const [, text] = opened.violation ? [] : opened.keys;
      expect(Number(text)).toBe(position);
    }),
  );
});
