import { type Entry, isSettled, type Matches } from './matches.js';

/** Up to here looking at each is as fast as a map, and takes no memory. */
const SMALL = 16;

/** Topics that hold at one value; each is here at most once. */
export class Bucket<Id> {
  /** Topics of which the place says all. Kept apart and dense, for these are taken over without a look at each. */
  private readonly settled: Id[] = [];
  private readonly entries: Entry<Id>[] = [];
  /** Where each topic is, in a bucket that has become large: an index of `settled`, or the complement of one of `entries`. */
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

  /** Takes out a topic; one that is not here is no fault. */
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

  /** Takes over the topics that hold for an event which belongs here. */
  collect(matches: Matches<Id>): void {
    const { matched } = matches;
    for (const id of this.settled) matched.push(id);
    for (const entry of this.entries) matches.judge(entry);
  }

  /** Takes over the topics of an event of which one cannot say whether it belongs here. */
  collectUnknown(matches: Matches<Id>): void {
    for (const id of this.settled) matches.addUnknown(id);
    for (const entry of this.entries) matches.judgeUnknown(entry);
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

/** The order is of no importance: the last one fills the gap, and is given back when it moved. */
function fillGap<Item>(items: Item[], index: number): Item | undefined {
  const last = items.pop();
  if (last === undefined || index >= items.length) return undefined;
  items[index] = last;
  return last;
}
