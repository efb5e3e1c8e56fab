// @ts-check

const ONE_OVER_2_32 = 1 / 2 ** 32;

/**
 * A random generator with the same numbers on every machine: sfc32 (Chris Doty-Humphrey, PractRand), restarted for each
 * row. The numbers for a row depend only on the stream and the row's index, so rows can be generated in any order and
 * repeatedly. Only exact arithmetic is used, because logarithms and powers may differ between versions of Node.
 */
export class Random {
  #a = 0;
  #b = 0;
  #c = 0;
  #counter = 0;
  #stream;

  /** @param {string} stream name of the stream; different streams are independent */
  constructor(stream) {
    this.#stream = hash(stream);
    this.restart(0);
  }

  /**
   * @param {number} index
   * @returns {this}
   */
  restart(index) {
    this.#a = this.#stream;
    this.#b = index | 0;
    this.#c = 0x9e3779b9;
    this.#counter = 1;
    for (let round = 0; round < 12; round++) this.uint32();
    return this;
  }

  /** Returns an integer from 0 to 2^32 - 1. */
  uint32() {
    const sum = (this.#a + this.#b + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0;
    return sum >>> 0;
  }

  /** Returns a number in [0, 1). */
  float() {
    return this.uint32() * ONE_OVER_2_32;
  }

  /** Returns a number in [0, 1), small values more often than large ones. */
  smallFloat() {
    const value = this.float();
    return value * value;
  }

  /**
   * Returns an integer from `low` to `high`, both included.
   * @param {number} low
   * @param {number} high
   */
  between(low, high) {
    return low + Math.floor(this.float() * (high - low + 1));
  }

  /** @param {number} probability */
  chance(probability) {
    return this.float() < probability;
  }

  /**
   * @template T
   * @param {readonly T[]} list
   * @returns {T}
   */
  pick(list) {
    return list[Math.floor(this.float() * list.length)];
  }

  /**
   * Returns `count` elements of a list, in the order of the list.
   * @template T
   * @param {readonly T[]} list
   * @param {number} count
   * @returns {T[]}
   */
  some(list, count) {
    let wanted = Math.min(count, list.length);
    return list.filter((_, index) => {
      const isTaken = this.float() * (list.length - index) < wanted;
      if (isTaken) wanted--;
      return isTaken;
    });
  }

  /**
   * @template T
   * @param {Weighted<T>} choices
   * @returns {T}
   */
  weighted({ values, limits, total }) {
    const point = this.float() * total;
    let index = 0;
    while (index < limits.length - 1 && point >= limits[index]) index++;
    return values[index];
  }

  uuid() {
    const hex = [this.uint32(), this.uint32(), this.uint32(), this.uint32()]
      .map((part) => part.toString(16).padStart(8, '0'))
      .join('');
    const variant = '89ab'[parseInt(hex[16], 16) & 3];
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
  }
}

/**
 * @template T
 * @typedef {{ values: readonly T[], limits: readonly number[], total: number }} Weighted
 */

/**
 * Prepares choices for `weighted`.
 * @template T
 * @param {readonly (readonly [T, number])[]} choices with their weights
 * @returns {Weighted<T>}
 */
export function weights(choices) {
  let total = 0;
  const limits = choices.map(([, weight]) => (total += weight));
  return { values: choices.map(([value]) => value), limits, total };
}

/**
 * Prepares choices for `weighted` from an object.
 * @template {string} T
 * @param {Record<T, number>} choices weights by text
 */
export const weightsOf = (choices) => weights(/** @type {[T, number][]} */ (Object.entries(choices)));

/** Returns the FNV-1a hash of a text. @param {string} text */
function hash(text) {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  return value;
}
