import { type Frame } from '../running/frame.js';
import { evaluateProgram, type Program } from '../running/program.js';

/** A topic in the bucket of one of its keys. */
export interface Entry<Id> {
  readonly id: Id;
  /** The conditions that must still be evaluated when the key matches. Null when there are none. */
  readonly rest: Program | null;
  /**
   * True when an event may find the topic several times: by several keys, or by several values of a to-many datapath.
   */
  readonly isRepeated: boolean;
}

/** True when a match of the key is enough: the topic has no further conditions, and an event finds it only once. */
export function isSettled({ rest, isRepeated }: Entry<unknown>): boolean {
  return rest === null && !isRepeated;
}

/** Collects the topics that match one event. */
export class Matches<Id> {
  readonly matched: Id[] = [];
  private unknownIds: Set<Id> | undefined;
  private evaluated: Set<Id> | undefined;

  constructor(readonly frame: Frame) {}

  /** Topics whose result is unknown, except topics that matched by another key. */
  get unknown(): Id[] {
    if (this.unknownIds === undefined) return [];
    for (const id of this.matched) this.unknownIds.delete(id);
    return [...this.unknownIds];
  }

  addUnknown(id: Id): void {
    this.unknownIds ??= new Set();
    this.unknownIds.add(id);
  }

  /** Evaluates a topic whose key matches the event. */
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

  /**
   * Adds a topic to the unknown ones, because a match of its key is unknown. Does nothing when a further condition is
   * false.
   */
  evaluateUncertain({ id, rest }: Entry<Id>): void {
    if (rest === null || evaluateProgram(rest, this.frame) !== false) this.addUnknown(id);
  }
}
