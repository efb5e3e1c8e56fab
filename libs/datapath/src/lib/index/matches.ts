import { type Frame } from '../running/frame.js';
import { judgeProgram, type Program } from '../running/program.js';

/** A topic at one of its places in the index. */
export interface Entry<Id> {
  readonly id: Id;
  /** What remains to be judged; null when nothing does. */
  readonly rest: Program | null;
  /** Whether the topic has several places, of which one event may hit more than one. */
  readonly isRepeated: boolean;
}

/** Whether a hit of its place is all there is to know about a topic. */
export function isSettled({ rest, isRepeated }: Entry<unknown>): boolean {
  return rest === null && !isRepeated;
}

/** The answer for one event, while it is being found. */
export class Matches<Id> {
  readonly matched: Id[] = [];
  private unknownIds: Set<Id> | undefined;
  private judged: Set<Id> | undefined;

  constructor(readonly frame: Frame) {}

  /** Topics of which it cannot be said whether they hold: another of their places may have decided. */
  get unknown(): Id[] {
    if (this.unknownIds === undefined) return [];
    for (const id of this.matched) this.unknownIds.delete(id);
    return [...this.unknownIds];
  }

  addUnknown(id: Id): void {
    this.unknownIds ??= new Set();
    this.unknownIds.add(id);
  }

  /** A topic whose place is hit. */
  judge({ id, rest, isRepeated }: Entry<Id>): void {
    if (isRepeated) {
      this.judged ??= new Set();
      if (this.judged.has(id)) return;
      this.judged.add(id);
    }
    const truth = rest === null || judgeProgram(rest, this.frame);
    if (truth === true) this.matched.push(id);
    else if (truth === undefined) this.addUnknown(id);
  }

  /** A topic of which it cannot be said whether its place is hit. */
  judgeUnknown({ id, rest }: Entry<Id>): void {
    if (rest === null || judgeProgram(rest, this.frame) !== false) this.addUnknown(id);
  }
}
