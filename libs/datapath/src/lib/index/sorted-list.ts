export type Bound = number | string;

/** The id of a topic. */
export type Key = number | string;

interface Chunk<Item> {
  readonly bounds: Bound[];
  readonly items: Item[];
}

const MAX_CHUNK = 256;

/**
 * Items in the order of their bounds, which are all numbers or all texts, and of their keys where bounds are equal: so
 * each is found by halving, however many share a bound. Chunks of limited size keep adding and removing cheap; taking
 * from an end looks at nothing beyond what is asked for.
 */
export class SortedList<Item> {
  private readonly chunks: Chunk<Item>[] = [];

  /** @param keyOf tells items of one bound apart; an item is put in once per bound */
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

  /** Takes out the item of this bound and key; says whether it was there. */
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

  /** Appends the items whose bound lies below `value`, or is `value` when that is included. */
  takeUpTo(value: Bound, isIncluded: boolean, taken: Item[]): void {
    for (const { bounds, items } of this.chunks) {
      const end = isIncluded ? firstAbove(bounds, value) : firstNotBelow(bounds, value);
      append(items, 0, end, taken);
      if (end < items.length) return;
    }
  }

  /** Appends the items whose bound lies above `value`, or is `value` when that is included. */
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

  /** Index of the last chunk that begins at or before the place of an item; the first when there is none. */
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

  /** Below 0 when the item of an index comes before a place, above 0 when it comes after it. */
  private compare(
    { bounds, items }: Chunk<Item>,
    index: number,
    place: { readonly bound: Bound; readonly key: Key },
  ): number {
    const bound = bounds[index] as Bound;
    if (bound !== place.bound) return bound < place.bound ? -1 : 1;
    return compareKeys(this.keyOf(items[index] as Item), place.key);
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

/** Numbers before texts. */
function compareKeys(left: Key, right: Key): number {
  if (typeof left !== typeof right) return typeof left === 'number' ? -1 : 1;
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

function append<Item>(items: readonly Item[], start: number, end: number, taken: Item[]): void {
  for (let index = start; index < end; index++) taken.push(items[index] as Item);
}

function firstNotBelow(bounds: readonly Bound[], bound: Bound): number {
  return search(bounds.length, (index) => (bounds[index] as Bound) >= bound);
}

function firstAbove(bounds: readonly Bound[], bound: Bound): number {
  return search(bounds.length, (index) => (bounds[index] as Bound) > bound);
}

/** The first of `length` indexes from which on all are `isBeyond`. */
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
