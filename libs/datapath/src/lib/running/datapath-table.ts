import { type EvaluationContext, Frame } from './frame.js';
import { intern } from './intern.js';
import { type ResolvedDatapath } from '../checking/resolve.js';

/** Places that a frame has ready in any case. */
const PREPARED = 16;

/**
 * The datapaths of many expressions, numbered: for one object each is looked up at most once, however many of the
 * expressions need it. Compile them with the same table, and open the context once per object.
 */
export class DatapathTable {
  /** By number; undefined where a datapath was given back. */
  readonly slots: (ResolvedDatapath | undefined)[] = [];
  private readonly uses: number[] = [];
  private readonly numbers = new Map<string, number>();
  private readonly free: number[] = [];

  /** Canonical texts, each once. */
  get datapaths(): readonly string[] {
    return [...new Set(this.slots.flatMap((path) => (path === undefined ? [] : [path.text])))];
  }

  /** Wraps a context so that its values are read when first needed, and only once. */
  open(context: EvaluationContext): Frame {
    return new Frame(this.slots, context, Math.min(this.slots.length, 2 * this.numbers.size + PREPARED));
  }

  /** The numbers of some datapaths, in their order; those that are new get one. */
  take(paths: readonly ResolvedDatapath[]): number[] {
    return paths.map((path) => {
      const number = this.numberOf(path);
      this.uses[number] = (this.uses[number] ?? 0) + 1;
      return number;
    });
  }

  /** Gives numbers back; those that nobody took beside will be given to other datapaths. */
  release(numbers: readonly number[]): void {
    for (const number of numbers) {
      const uses = (this.uses[number] ?? 0) - 1;
      const path = this.slots[number];
      this.uses[number] = uses;
      if (uses > 0 || path === undefined) continue;
      this.numbers.delete(keyOf(path));
      this.slots[number] = undefined;
      this.free.push(number);
    }
    this.trim();
  }

  /** Numbers at the end that nobody has are forgotten; those that this leaves in `free` are skipped there. */
  private trim(): void {
    while (this.slots.length > 0 && this.slots.at(-1) === undefined) this.slots.pop();
    this.uses.length = this.slots.length;
    if (this.slots.length === 0) this.free.length = 0;
  }

  private nextNumber(): number {
    for (let number = this.free.pop(); number !== undefined; number = this.free.pop()) {
      if (number < this.slots.length) return number;
    }
    return this.slots.length;
  }

  private numberOf(path: ResolvedDatapath): number {
    const key = keyOf(path);
    const known = this.numbers.get(key);
    if (known !== undefined) return known;
    const number = this.nextNumber();
    this.slots[number] = { ...path, text: intern(path.text) };
    this.numbers.set(key, number);
    return number;
  }
}

/** One datapath may have two types, when the model changes while expressions checked before are in use. */
function keyOf({ text, type, many }: ResolvedDatapath): string {
  return `${text} ${type}${many ? '*' : ''}`;
}
