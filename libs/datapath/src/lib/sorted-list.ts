export type Bound = number | string;

interface Chunk<Item> {
  readonly bounds: Bound[];
  readonly items: Item[];
}

const MAX_CHUNK = 256;

/**
 * Items in the order of their bounds, which are all numbers or all texts. Chunks of limited size keep adding and
 * removing cheap; taking from an end looks at nothing beyond what is asked for.
 */
export class SortedList<Item> {
  private readonly chunks: Chunk<Item>[] = [];

  add(bound: Bound, item: Item): void {
    const chunk = this.chunks[this.lastChunkAtOrBelow(bound)] ?? this.firstChunk();
    const index = firstAbove(chunk.bounds, bound);
    chunk.bounds.splice(index, 0, bound);
    chunk.items.splice(index, 0, item);
    if (chunk.bounds.length > MAX_CHUNK) this.split(chunk);
  }

  /** Takes out one item of this bound, the one that is meant; says whether it was there. */
  remove(bound: Bound, isMeant: (item: Item) => boolean): boolean {
    for (let at = this.lastChunkAtOrBelow(bound); at >= 0; at--) {
      const chunk = this.chunks[at];
      if (chunk === undefined) return false;
      for (let index = firstAbove(chunk.bounds, bound) - 1; index >= 0 && chunk.bounds[index] === bound; index--) {
        const item = chunk.items[index];
        if (item === undefined || !isMeant(item)) continue;
        chunk.bounds.splice(index, 1);
        chunk.items.splice(index, 1);
        if (chunk.items.length === 0) this.chunks.splice(at, 1);
        return true;
      }
      if (chunk.bounds[0] !== bound) return false;
    }
    return false;
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

  /** Index of the last chunk that begins at or below the bound; the first when there is none. */
  private lastChunkAtOrBelow(bound: Bound): number {
    let low = 0;
    let high = this.chunks.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      const first = this.chunks[middle]?.bounds[0];
      if (first !== undefined && first <= bound) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  private firstChunk(): Chunk<Item> {
    const chunk = { bounds: [], items: [] };
    this.chunks.push(chunk);
    return chunk;
  }

  private split(chunk: Chunk<Item>): void {
    const middle = chunk.bounds.length >>> 1;
    const upper = { bounds: chunk.bounds.splice(middle), items: chunk.items.splice(middle) };
    this.chunks.splice(this.chunks.indexOf(chunk) + 1, 0, upper);
  }
}

function append<Item>(items: readonly Item[], start: number, end: number, taken: Item[]): void {
  for (let index = start; index < end; index++) taken.push(items[index] as Item);
}

function firstNotBelow(bounds: readonly Bound[], bound: Bound): number {
  return search(bounds, (candidate) => candidate >= bound);
}

function firstAbove(bounds: readonly Bound[], bound: Bound): number {
  return search(bounds, (candidate) => candidate > bound);
}

/** Index of the first bound from which on all are `isBeyond`. */
function search(bounds: readonly Bound[], isBeyond: (bound: Bound) => boolean): number {
  let low = 0;
  let high = bounds.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const candidate = bounds[middle];
    if (candidate === undefined || isBeyond(candidate)) high = middle;
    else low = middle + 1;
  }
  return low;
}
