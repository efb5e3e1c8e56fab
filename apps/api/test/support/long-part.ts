import { describe, test } from '@jest/globals';

/** True in `npm run test:all`, which runs the tests that `npm test` skips in spec files with `@group split`. */
export const isLong = process.env['TEST_ALL'] === '1';

type Describe = (name: string, block: () => void) => void;
type Test = (name: string, run: () => void | Promise<void>) => void;

let calls = 0;

/**
 * Samples the items of a table whose rows all apply to each item. In `npm test`, returns one in `share` items, at least
 * one. Successive calls start at different items. In `npm run test:all`, returns all items.
 */
export function sampleOf<T>(items: readonly T[], share = 4): readonly T[] {
  calls += 1;
  const first = calls % Math.min(share, items.length);
  return isLong ? items : items.filter((_, index) => index % share === first);
}

const nothing = (): void => undefined;

/** Registers a block of tests, except in `npm run test:all`: `npm test` has already run it. */
export const describeShort: Describe = isLong ? nothing : describe;

/** Registers a test only if `isWanted` is true. */
export const testIf = (isWanted: boolean): Test => (isWanted ? test : nothing);
