import { type Frame } from '../running/frame.js';
import { evaluateProgram, type Program } from '../running/program.js';

/** One topic in the bucket of one of its keys. */
export interface Entry<Id> {
  readonly id: Id;
  /** The conditions that remain to be evaluated when the key matches; null when there are none. */
  readonly rest: Program | null;
  /**
   * True when one event may find the topic more than once: by several keys, or by several values of a to-many datapath.
   */
  readonly isRepeated: boolean;
}

/** Returns whether the topic matches whenever its key does, with no further check. */
export function isSettled({ rest, isRepeated }: Entry<unknown>): boolean {
  return rest === null && !isRepeated;
}

/** Collects the topics that match one event. */
export class Matches<Id> {
  readonly matched: Id[] = [];
  private unknownIds: Set<Id> | undefined;
  private evaluated: Set<Id> | undefined;

  constructor(readonly frame: Frame) {}

  /** Topics with an unknown result. A topic that matched by another key is not among them. */
  get unknown(): Id[] {
    if (this.unknownIds === undefined) return [];
    for (const id of this.matched) this.unknownIds.delete(id);
    return [...this.unknownIds];
  }

  addUnknown(id: Id): void {
    this.unknownIds ??= new Set();
    this.unknownIds.add(id);
  }

  /** Evaluates a topic whose key matches. */
  evaluate({ id, rest, isRepeated }: Entry<Id>): void {
    if (isRepeated) {
      this.evaluated ??= new Set();
      if (this.evaluated.has(id)) return;
      this.evaluated.add(id);
    }
    const truth = rest === null || evaluateProgram(rest, this.frame);
    if (truth === true) this.matched.push(id);
    else if (truth === undefined) this.addUnknown(id);
  }

  /** Evaluates a topic for which it is unknown whether its key matches. */
  evaluateUncertain({ id, rest }: Entry<Id>): void {
    if (rest === null || evaluateProgram(rest, this.frame) !== false) this.addUnknown(id);
  }
}
