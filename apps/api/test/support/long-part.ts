import { describe, test } from '@jest/globals';

/** True in `npm run test:all`. It runs the tests that `npm test` skips in spec files with `@group split`. */
export const isLong = process.env['TEST_ALL'] === '1';

type Describe = (name: string, block: () => void) => void;
type Test = (name: string, run: () => void | Promise<void>) => void;

let calls = 0;

/**
 * For tables in which each row applies to each item. In `npm test`, returns one item in `share`, at least one, and
 * successive calls start at different items. `npm run test:all` gets all items.
 */
export function sampleOf<T>(items: readonly T[], share = 4): readonly T[] {
  calls += 1;
  const first = calls % Math.min(share, items.length);
  return isLong ? items : items.filter((_, index) => index % share === first);
}

const nothing = (): void => undefined;

/** Registers a block of tests, except in `npm run test:all`, because `npm test` has run the block already. */
export const describeShort: Describe = isLong ? nothing : describe;

/** Registers a test only when `isWanted` is true. */
export const testIf = (isWanted: boolean): Test => (isWanted ? test : nothing);
