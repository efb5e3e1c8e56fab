import { randomInt } from 'node:crypto';

/**
 * Draws a random seed for a spec file, and prints it so that the output of a failed run contains the seed.
 * @param variable  an environment variable; if it is set, its value is the seed, so that a failed run can be repeated
 */
export function drawSeed(variable: string): number {
  const seed = Number(process.env[variable] ?? randomInt(2 ** 31));
  console.log(`${variable}=${seed}`);
  return seed;
}

/** A generator of random numbers (mulberry32). The same seed gives the same numbers. */
export class Dice {
  #state: number;

  constructor(readonly seed: number) {
    this.#state = seed;
  }

  /** A number from 0 up to, not including, 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let value = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** A whole number from 0 up to, not including, `end`. */
  below(end: number): number {
    return Math.floor(this.next() * end);
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  one<T>(values: readonly T[]): T {
    const value = values[this.below(values.length)];
    if (value === undefined && values.length === 0) throw new Error('cannot choose a random element of an empty list');
    return value as T;
  }

  some<T>(values: readonly T[], most: number): T[] {
    return Array.from({ length: this.below(most + 1) }, () => this.one(values));
  }
}
