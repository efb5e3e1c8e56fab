import { describe, test } from '@jest/globals';

/** True in `npm run test:all`. It runs the tests that `npm test` skips in spec files with `@group split`. */
export const isLong = process.env['TEST_ALL'] === '1';

type Describe = (name: string, block: () => void) => void;
type Test = (name: string, run: () => void | Promise<void>) => void;

const SHARE = 4;
let calls = 0;

/**
 * In `npm test`, returns every fourth item; successive calls start at different items. `npm run test:all` gets all items.
 * For tables in which each row applies to each item.
 */
export function sampleOf<T>(items: readonly T[]): readonly T[] {
  calls += 1;
  return isLong ? items : items.filter((_, index) => (index + calls) % SHARE === 0);
}

const nothing = (): void => undefined;

/** Registers a block of tests, except in `npm run test:all`, because `npm test` has run the block already. */
export const describeShort: Describe = isLong ? nothing : describe;

/** Registers a test only when `isWanted` is true. */
export const testIf = (isWanted: boolean): Test => (isWanted ? test : nothing);
