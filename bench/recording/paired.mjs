import { mean, quantile } from '../measure.mjs';

/** Share of the lowest and of the highest values that a trimmed mean leaves out. */
const TRIMMED = 0.1;
const RESAMPLES = 1_000;

/** Returns the mean without the lowest and highest tenth of the values, such as rounds with a garbage collection. */
export function trimmedMean(values) {
  const sorted = Float64Array.from(values).sort();
  const cut = Math.floor(sorted.length * TRIMMED);
  return mean([...sorted.subarray(cut, sorted.length - cut)]);
}

/**
 * Compares two lists with one value for each round. The differences are taken within the rounds, because the speed of
 * the machine changes between them.
 * @param {readonly number[]} values
 * @param {readonly number[]} bases
 * @returns {{ ratio: number, from: number, to: number }} the ratio of the values to the bases, and the interval that
 *   contains it with a probability of 95 % (bootstrap)
 */
export function compare(values, bases) {
  const ratioOf = (rounds) =>
    1 +
    trimmedMean(rounds.map((round) => values[round] - bases[round])) / trimmedMean(rounds.map((round) => bases[round]));
  const rounds = values.map((_, round) => round);
  const draw = () => rounds.map(() => Math.floor(Math.random() * rounds.length));
  const resampled = Array.from({ length: RESAMPLES }, () => ratioOf(draw()));
  return { ratio: ratioOf(rounds), from: quantile(resampled, 0.025), to: quantile(resampled, 0.975) };
}
