import { describe, test } from '@jest/globals';

/** True in `npm run test:all`, which runs the tests that `npm test` leaves out of spec files with `@group split`. */
export const isLong = process.env['TEST_ALL'] === '1';

type Describe = (name: string, block: () => void) => void;
type Test = (name: string, run: () => void | Promise<void>) => void;

let calls = 0;

/**
 * Returns a sample of the items of a test table. In `npm test` it is one item in `share`, and at least one. Successive
 * calls start at different items. In `npm run test:all` it is all items.
 */
export function sampleOf<T>(items: readonly T[], share = 4): readonly T[] {
  calls += 1;
  const first = calls % Math.min(share, items.length);
  return isLong ? items : items.filter((_, index) => index % share === first);
}

const nothing = (): void => undefined;

/** Registers a block of tests in `npm test`. `npm run test:all` skips the block, because it runs after `npm test`. */
export const describeShort: Describe = isLong ? nothing : describe;

/** Registers a test only if `isWanted` is true. */
export const testIf = (isWanted: boolean): Test => (isWanted ? test : nothing);
