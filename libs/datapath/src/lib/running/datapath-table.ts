import { type EvaluationContext, Frame, type OpenedContext } from './frame.js';
import { type ResolvedDatapath } from '../checking/resolve.js';

/** A frame has room for up to twice the number of datapaths in use, plus this number of values. */
const PREPARED = 16;

/**
 * Numbers the datapaths of many expressions, so that each value of an object is read at most once for all of them.
 * Compile the expressions with the same table. For each object, open its context once and call `evaluateOpened`.
 */
export class DatapathTable {
  /** The datapaths by number. Undefined for a number that is free. */
  readonly slots: (ResolvedDatapath | undefined)[] = [];
  private readonly uses: number[] = [];
  private readonly numbers = new Map<string, number>();
  private readonly free: number[] = [];

  /** The canonical texts of all datapaths in use, without duplicates. */
  get datapaths(): readonly string[] {
    return [...new Set(this.slots.flatMap((path) => (path === undefined ? [] : [path.text])))];
  }

  /**
   * Opens the context of one object. Each value is read when it is first needed, and only once.
   * @throws {ContextError} when the context is no object
   */
  open(context: EvaluationContext): OpenedContext {
    return new Frame(this.slots, context, Math.min(this.slots.length, 2 * this.numbers.size + PREPARED));
  }

  /** Returns the number of each datapath, in the same order, and counts a use of it. New datapaths get a number. */
  take(paths: readonly ResolvedDatapath[]): number[] {
    return paths.map((path) => {
      const number = this.numberOf(path);
      this.uses[number] = (this.uses[number] ?? 0) + 1;
      return number;
    });
  }

  /** Ends one use of each number. A number without uses is free for another datapath. */
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

  /** Removes free numbers at the end of `slots`. They may still be in `free`, where `nextNumber` skips them. */
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

/** Opens the context of one object, for the code of this library. */
export function openFrame(table: DatapathTable, context: EvaluationContext): Frame {
  const opened = table.open(context);
  if (!(opened instanceof Frame)) throw new TypeError('expected a table that this library created');
  return opened;
}

/**
 * Returns the key of a datapath. It includes the type: after a change of the model, older expressions still use the old
 * type.
 */
function keyOf({ text, type, many }: ResolvedDatapath): string {
  return `${text} ${type}${many ? '*' : ''}`;
}

/**
 * Returns an equal text of which the JavaScript engine keeps a single string object, as it does for property names. Map
 * look-ups with this object are several times faster than with a text that was cut out of an expression.
 */
export function intern(text: string): string {
  return Object.keys({ [text]: null })[0] ?? text;
}
