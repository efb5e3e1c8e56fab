import { type Frame } from './frame.js';
import { judgeProgram, type Program } from './program.js';

/** A topic that is not settled by its place in the index alone. */
export interface Entry<Id> {
  readonly id: Id;
  /** What remains to be judged; null when nothing does. */
  readonly rest: Program | null;
  /** Whether `rest` is the whole condition, what the place in the index says included. */
  readonly isWhole: boolean;
  /** Whether the topic has several places, of which one event may hit more than one. */
  readonly isRepeated: boolean;
}

/** Topics with the same place in the index. */
export class Bucket<Id> {
  /** Topics of which the place says all. Kept apart and dense, for these are taken over without a look at each. */
  private readonly settled: Id[] = [];
  private readonly entries: Entry<Id>[] = [];

  get size(): number {
    return this.settled.length + this.entries.length;
  }

  add(entry: Entry<Id>): void {
    if (entry.rest === null && !entry.isRepeated) this.settled.push(entry.id);
    else this.entries.push(entry);
  }

  remove(id: Id): void {
    if (removeAt(this.settled, this.settled.indexOf(id))) return;
    removeAt(
      this.entries,
      this.entries.findIndex((entry) => entry.id === id),
    );
  }

  /** Takes over the topics that hold for an event which belongs here. */
  collect(matches: Matches<Id>): void {
    const { matched } = matches;
    for (const id of this.settled) matched.push(id);
    for (const entry of this.entries) matches.judge(entry);
  }

  /** Takes over the topics of an event of which one cannot say whether it belongs here. */
  collectUnknown(matches: Matches<Id>): void {
    for (const id of this.settled) matches.unknown.add(id);
    for (const entry of this.entries) matches.judgeUnknown(entry);
  }
}

/** The answer for one event, while it is being found. */
export class Matches<Id> {
  readonly matched: Id[] = [];
  readonly unknown = new Set<Id>();
  private readonly repeated = new Set<Id>();

  constructor(readonly frame: Frame) {}

  judge({ id, rest, isRepeated }: Entry<Id>): void {
    if (isRepeated) {
      if (this.repeated.has(id)) return;
      this.repeated.add(id);
    }
    const truth = rest === null || judgeProgram(rest, this.frame);
    if (truth === true) this.matched.push(id);
    else if (truth === undefined) this.unknown.add(id);
  }

  judgeUnknown(entry: Entry<Id>): void {
    if (entry.isWhole) this.judge(entry);
    else if (entry.rest === null || judgeProgram(entry.rest, this.frame) !== false) this.unknown.add(entry.id);
  }
}

function removeAt<Item>(items: Item[], index: number): boolean {
  const last = items.pop();
  if (index < 0) {
    if (last !== undefined) items.push(last);
    return false;
  }
  if (last !== undefined && index < items.length) items[index] = last;
  return true;
}
