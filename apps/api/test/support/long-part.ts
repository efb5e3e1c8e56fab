import { describe, test } from '@jest/globals';

/** True in `npm run test:all`, which runs what `npm test` leaves out of the files with `@group split`. */
export const isLong = process.env['TEST_ALL'] === '1';

type Describe = (name: string, block: () => void) => void;
type Test = (name: string, run: () => void | Promise<void>) => void;

const nothing = (): void => undefined;

/** A block of tests that `npm run test:all` does not repeat. */
export const describeShort: Describe = isLong ? nothing : describe;

/** Registers a test only when `isWanted` is true. */
export const testIf = (isWanted: boolean): Test => (isWanted ? test : nothing);
