import { isLong } from './long-part.js';

const FIRST = Math.floor(Math.random() * 1e6);

/**
 * The seeds of a test that sends random writes. `REPLAY_SEED=7` repeats one sequence, and `REPLAY_SEEDS=20` runs
 * twenty. The seeds are consecutive, so that ten of them send all operations.
 */
export const REPLAY_SEEDS: readonly number[] = process.env['REPLAY_SEED']
  ? [Number(process.env['REPLAY_SEED'])]
  : Array.from({ length: Number(process.env['REPLAY_SEEDS'] ?? (isLong ? 10 : 1)) }, (_, index) => FIRST + index);
