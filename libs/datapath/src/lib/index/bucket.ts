import { type Entry, isSettled, type Matches } from './matches.js';

/** Number of topics up to which a linear search is as fast as a map, which needs more memory. */
const SMALL = 16;

/** The topics that share one key of the index. Each topic is in a bucket at most once. */
export class Bucket<Id> {
  /**
   * The topics for which `isSettled` is true. They are in a list of their own, so that they can be copied without
   * checks.
   */
  private readonly settled: Id[] = [];
  private readonly entries: Entry<Id>[] = [];
  /**
   * The position of each topic in a large bucket. It is an index of `settled`, or the bitwise complement (`~`) of an
   * index of `entries`.
   */
  private positions: Map<Id, number> | undefined;

  get size(): number {
    return this.settled.length + this.entries.length;
  }

  add(entry: Entry<Id>): void {
    if (isSettled(entry)) {
      this.positions?.set(entry.id, this.settled.length);
      this.settled.push(entry.id);
    } else {
      this.positions?.set(entry.id, ~this.entries.length);
      this.entries.push(entry);
    }
    if (this.positions === undefined && this.size > SMALL) this.positions = this.findPositions();
  }

  /** Removes a topic. Does nothing when the topic is not in this bucket. */
  remove(id: Id): void {
    const position = this.positions === undefined ? this.search(id) : this.positions.get(id);
    if (position === undefined) return;
    this.positions?.delete(id);
    if (position >= 0) {
      const moved = fillGap(this.settled, position);
      if (moved !== undefined) this.positions?.set(moved, position);
    } else {
      const moved = fillGap(this.entries, ~position);
      if (moved !== undefined) this.positions?.set(moved.id, position);
    }
  }

  /**
   * Adds the matching topics of this bucket, for an event that matches the key of the bucket. Conditions that the key
   * does not cover are evaluated.
   */
  collect(matches: Matches<Id>): void {
    const { matched } = matches;
    for (const id of this.settled) matched.push(id);
    for (const entry of this.entries) matches.evaluate(entry);
  }

  /**
   * Handles an event for which a match of the key is unknown. The topics of this bucket become unknown, except those
   * with a false further condition.
   */
  collectUnknown(matches: Matches<Id>): void {
    for (const id of this.settled) matches.addUnknown(id);
    for (const entry of this.entries) matches.evaluateUncertain(entry);
  }

  private search(id: Id): number | undefined {
    const settled = this.settled.indexOf(id);
    if (settled >= 0) return settled;
    const entry = this.entries.findIndex((candidate) => candidate.id === id);
    return entry < 0 ? undefined : ~entry;
  }

  private findPositions(): Map<Id, number> {
    const positions = new Map<Id, number>();
    for (const [index, id] of this.settled.entries()) positions.set(id, index);
    for (const [index, { id }] of this.entries.entries()) positions.set(id, ~index);
    return positions;
  }
}

/**
 * Removes the item at an index: the last item takes its place, so the order changes. Returns the moved item, if any.
 */
function fillGap<Item>(items: Item[], index: number): Item | undefined {
  const last = items.pop();
  if (last === undefined || index >= items.length) return undefined;
  items[index] = last;
  return last;
}
