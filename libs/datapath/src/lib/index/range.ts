import { type OrderOperator } from '../checking/condition.js';
import { type Entry, isSettled, type Matches } from './matches.js';
import { type Bound, type Key, SortedList } from './sorted-list.js';

/**
 * The topics that compare a value by one operator: `<`, `<=`, `>` or `>=`. They are sorted by the bound, the value on
 * the right side of their comparison.
 */
export class Range<Id extends Key> {
  private readonly settled = new SortedList<Id>((id) => id);
  private readonly entries = new SortedList<Entry<Id>>(({ id }) => id);
  private readonly isIncluded: boolean;
  private readonly isBoundAbove: boolean;

  constructor(operator: OrderOperator) {
    this.isIncluded = operator === '<=' || operator === '>=';
    this.isBoundAbove = operator === '<' || operator === '<=';
  }

  add(bound: Bound, entry: Entry<Id>): void {
    if (isSettled(entry)) this.settled.add(bound, entry.id);
    else this.entries.add(bound, entry);
  }

  remove(bound: Bound, id: Id): void {
    if (!this.settled.remove(bound, id)) this.entries.remove(bound, id);
  }

  /** Collects the matching topics whose comparison with their bound is true for the value. */
  collect(value: Bound, matches: Matches<Id>): void {
    this.take(this.settled, value, matches.matched);
    const entries: Entry<Id>[] = [];
    this.take(this.entries, value, entries);
    for (const entry of entries) matches.evaluate(entry);
  }

  /**
   * Handles an event whose value cannot be read. All topics become unknown, except those with a false further
   * condition.
   */
  collectUnknown(matches: Matches<Id>): void {
    const settled: Id[] = [];
    const entries: Entry<Id>[] = [];
    this.settled.takeAll(settled);
    this.entries.takeAll(entries);
    for (const id of settled) matches.addUnknown(id);
    for (const entry of entries) matches.evaluateUncertain(entry);
  }

  private take<Item>(list: SortedList<Item>, value: Bound, taken: Item[]): void {
    if (this.isBoundAbove) list.takeFrom(value, this.isIncluded, taken);
    else list.takeUpTo(value, this.isIncluded, taken);
  }
}
