import { type Entry, isSettled, type Matches } from './matches.js';

/** Topics that hold at one value. */
export class Bucket<Id> {
  /** Topics of which the place says all. Kept apart and dense, for these are taken over without a look at each. */
  private readonly settled: Id[] = [];
  private readonly entries: Entry<Id>[] = [];

  get size(): number {
    return this.settled.length + this.entries.length;
  }

  add(entry: Entry<Id>): void {
    if (isSettled(entry)) this.settled.push(entry.id);
    else this.entries.push(entry);
  }

  remove(id: Id): void {
    const index = this.settled.indexOf(id);
    if (index >= 0) removeAt(this.settled, index);
    else {
      const entryIndex = this.entries.findIndex((entry) => entry.id === id);
      if (entryIndex >= 0) removeAt(this.entries, entryIndex);
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
}

/** The order is of no importance: the last one fills the gap. */
function removeAt<Item>(items: Item[], index: number): void {
  const last = items.pop();
  if (last !== undefined && index < items.length) items[index] = last;
}
