import { compareCodePoints } from '../syntax/characters.js';

export type Bound = number | string;

/** The key of an item in a sorted list, which is the id of a topic. */
export type Key = number | string;

interface Chunk<Item> {
  readonly bounds: Bound[];
  readonly items: Item[];
}

const MAX_CHUNK = 256;

/**
 * A list of items. Each item has a bound, with which its topic compares a value, and a key, the id of the topic. Items
 * are sorted by bound and, for equal bounds, by key. The bounds are either all numbers, or all texts in the order of
 * their code points. Binary search finds each item, even when many have the same bound. The list is divided into chunks
 * of limited size, so that insertion and removal are cheap. Reading from an end visits only the items that it returns.
 */
export class SortedList<Item> {
  private readonly chunks: Chunk<Item>[] = [];

  /** @param keyOf  returns the key of an item. It must be unique among the items with the same bound */
  constructor(private readonly keyOf: (item: Item) => Key) {}

  add(bound: Bound, item: Item): void {
    const key = this.keyOf(item);
    const at = this.lastChunkAtOrBelow(bound, key);
    const chunk = this.chunks[at] ?? this.firstChunk();
    const index = this.firstAtOrAfter(chunk, bound, key);
    chunk.bounds.splice(index, 0, bound);
    chunk.items.splice(index, 0, item);
    if (chunk.bounds.length > MAX_CHUNK) this.split(chunk, at);
  }

  /** Removes the item with this bound and key. Returns true when it was found. */
  remove(bound: Bound, key: Key): boolean {
    const at = this.lastChunkAtOrBelow(bound, key);
    const chunk = this.chunks[at];
    if (chunk === undefined) return false;
    const index = this.firstAtOrAfter(chunk, bound, key);
    const item = chunk.items[index];
    if (item === undefined || chunk.bounds[index] !== bound || this.keyOf(item) !== key) return false;
    chunk.bounds.splice(index, 1);
    chunk.items.splice(index, 1);
    if (chunk.items.length === 0) this.chunks.splice(at, 1);
    return true;
  }

  /** Appends to `taken` the items whose bound is below `value`, or equal to it when `isIncluded`. */
  takeUpTo(value: Bound, isIncluded: boolean, taken: Item[]): void {
    for (const { bounds, items } of this.chunks) {
      const end = isIncluded ? firstAbove(bounds, value) : firstNotBelow(bounds, value);
      append(items, 0, end, taken);
      if (end < items.length) return;
    }
  }

  /** Appends to `taken` the items whose bound is above `value`, or equal to it when `isIncluded`. */
  takeFrom(value: Bound, isIncluded: boolean, taken: Item[]): void {
    for (let at = this.chunks.length - 1; at >= 0; at--) {
      const { bounds = [], items = [] } = this.chunks[at] ?? {};
      const start = isIncluded ? firstNotBelow(bounds, value) : firstAbove(bounds, value);
      append(items, start, items.length, taken);
      if (start > 0) return;
    }
  }

  takeAll(taken: Item[]): void {
    for (const { items } of this.chunks) append(items, 0, items.length, taken);
  }

  /**
   * Returns the index of the last chunk whose first item is at or before a position (bound and key), or 0 when there is
   * none.
   */
  private lastChunkAtOrBelow(bound: Bound, key: Key): number {
    const beyond = search(this.chunks.length, (at) => {
      const chunk = this.chunks[at];
      return chunk !== undefined && this.compare(chunk, 0, { bound, key }) > 0;
    });
    return Math.max(0, beyond - 1);
  }

  private firstAtOrAfter(chunk: Chunk<Item>, bound: Bound, key: Key): number {
    return search(chunk.items.length, (index) => this.compare(chunk, index, { bound, key }) >= 0);
  }

  /** Compares the item at `index` with a position: negative when it comes before, positive when it comes after. */
  private compare(
    { bounds, items }: Chunk<Item>,
    index: number,
    position: { readonly bound: Bound; readonly key: Key },
  ): number {
    const order = compareBounds(bounds[index] as Bound, position.bound);
    if (order !== 0) return order;
    return compareKeys(this.keyOf(items[index] as Item), position.key);
  }

  private firstChunk(): Chunk<Item> {
    const chunk = { bounds: [], items: [] };
    this.chunks.push(chunk);
    return chunk;
  }

  private split(chunk: Chunk<Item>, at: number): void {
    const middle = chunk.bounds.length >>> 1;
    const upper = { bounds: chunk.bounds.splice(middle), items: chunk.items.splice(middle) };
    this.chunks.splice(at + 1, 0, upper);
  }
}

/** Orders two bounds. Texts have the order that comparisons in expressions have. */
function compareBounds(left: Bound, right: Bound): number {
  if (left === right) return 0;
  if (typeof left === 'string' && typeof right === 'string') return compareCodePoints(left, right);
  return left < right ? -1 : 1;
}

/** Orders keys: numbers before texts. */
function compareKeys(left: Key, right: Key): number {
  if (typeof left !== typeof right) return typeof left === 'number' ? -1 : 1;
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

function append<Item>(items: readonly Item[], start: number, end: number, taken: Item[]): void {
  for (let index = start; index < end; index++) taken.push(items[index] as Item);
}

function firstNotBelow(bounds: readonly Bound[], bound: Bound): number {
  return search(bounds.length, (index) => compareBounds(bounds[index] as Bound, bound) >= 0);
}

function firstAbove(bounds: readonly Bound[], bound: Bound): number {
  return search(bounds.length, (index) => compareBounds(bounds[index] as Bound, bound) > 0);
}

/** Binary search: the first index below `length` for which `isBeyond` is true, or `length`. */
function search(length: number, isBeyond: (index: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBeyond(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
