import { Bucket } from './bucket.js';

export type Bound = number | string;

interface Chunk<Id> {
  readonly bounds: Bound[];
  readonly buckets: Bucket<Id>[];
}

const MAX_CHUNK = 256;

/**
 * Buckets in the order of their bounds, which are all numbers or all texts. Chunks of limited size keep adding and
 * removing cheap; walking from an end visits nothing beyond what is asked for.
 */
export class SortedBuckets<Id> {
  private readonly chunks: Chunk<Id>[] = [];

  /** The bucket of a bound, made when there is none. */
  at(bound: Bound): Bucket<Id> {
    const chunk = this.chunks[this.chunkOf(bound)] ?? this.firstChunk();
    const index = firstNotBelow(chunk.bounds, bound);
    const known = chunk.buckets[index];
    if (known !== undefined && chunk.bounds[index] === bound) return known;
    const bucket = new Bucket<Id>();
    chunk.bounds.splice(index, 0, bound);
    chunk.buckets.splice(index, 0, bucket);
    if (chunk.bounds.length > MAX_CHUNK) this.split(chunk);
    return bucket;
  }

  delete(bound: Bound): void {
    const chunkIndex = this.chunkOf(bound);
    const chunk = this.chunks[chunkIndex];
    const index = chunk === undefined ? -1 : firstNotBelow(chunk.bounds, bound);
    if (chunk === undefined || chunk.bounds[index] !== bound) return;
    chunk.bounds.splice(index, 1);
    chunk.buckets.splice(index, 1);
    if (chunk.bounds.length === 0) this.chunks.splice(chunkIndex, 1);
  }

  /** Visits the buckets whose bound lies below `value`, or is `value` when that is included. */
  forEachUpTo(value: Bound, isIncluded: boolean, visit: (bucket: Bucket<Id>) => void): void {
    for (const { bounds, buckets } of this.chunks) {
      for (const [index, bound] of bounds.entries()) {
        if (bound > value || (bound === value && !isIncluded)) return;
        const bucket = buckets[index];
        if (bucket !== undefined) visit(bucket);
      }
    }
  }

  /** Visits the buckets whose bound lies above `value`, or is `value` when that is included; from the end backwards. */
  forEachFrom(value: Bound, isIncluded: boolean, visit: (bucket: Bucket<Id>) => void): void {
    for (let chunkIndex = this.chunks.length - 1; chunkIndex >= 0; chunkIndex--) {
      const { bounds = [], buckets = [] } = this.chunks[chunkIndex] ?? {};
      for (let index = bounds.length - 1; index >= 0; index--) {
        const bound = bounds[index] ?? value;
        if (bound < value || (bound === value && !isIncluded)) return;
        const bucket = buckets[index];
        if (bucket !== undefined) visit(bucket);
      }
    }
  }

  forEach(visit: (bucket: Bucket<Id>) => void): void {
    for (const { buckets } of this.chunks) buckets.forEach(visit);
  }

  /** Index of the last chunk that begins at or below the bound; the first when there is none. */
  private chunkOf(bound: Bound): number {
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

  private firstChunk(): Chunk<Id> {
    const chunk = { bounds: [], buckets: [] };
    this.chunks.push(chunk);
    return chunk;
  }

  private split(chunk: Chunk<Id>): void {
    const middle = chunk.bounds.length / 2;
    const upper = { bounds: chunk.bounds.splice(middle), buckets: chunk.buckets.splice(middle) };
    this.chunks.splice(this.chunks.indexOf(chunk) + 1, 0, upper);
  }
}

/** Index of the first bound that is at least `bound`. */
function firstNotBelow(bounds: readonly Bound[], bound: Bound): number {
  let low = 0;
  let high = bounds.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const candidate = bounds[middle];
    if (candidate !== undefined && candidate < bound) low = middle + 1;
    else high = middle;
  }
  return low;
}
