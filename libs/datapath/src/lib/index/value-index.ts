import { Bucket } from './bucket.js';
import { type OrderOperator, type Scalar } from '../checking/condition.js';
import { FAILED, isList } from '../running/frame.js';
import { type IndexKey, viewValue, type View } from './index-key.js';
import { type Entry, type Matches } from './matches.js';
import { Range } from './range.js';
import { type Bound, type Key } from './sorted-list.js';

/** One key of a topic, with the value index that has it. The topic index uses it to remove the topic. */
export interface Placement<Id extends Key> {
  readonly valueIndex: ValueIndex<Id>;
  readonly operator: IndexKey['operator'];
  readonly bound: Scalar;
}

type KeyBound = Pick<IndexKey, 'operator' | 'bound'>;

interface ValueIndexOptions {
  /** The number of this value index, its key in the topic index. */
  readonly number: number;
  readonly slot: number;
  readonly view: View;
  /** True for a datapath of the type `date`, whose values are days. */
  readonly isDay: boolean;
  /** True when order operators compare texts. Otherwise they compare numbers. */
  readonly isText: boolean;
}

/**
 * Indexes topics by the value of one datapath in one `View`. It has a hash map for `==`, and a sorted list for each
 * order operator.
 */
export class ValueIndex<Id extends Key> {
  private readonly equal = new Map<Scalar, Bucket<Id>>();
  private readonly ranges = new Map<OrderOperator, Range<Id>>();
  private placements = 0;

  constructor(private readonly options: ValueIndexOptions) {}

  get number(): number {
    return this.options.number;
  }

  get isEmpty(): boolean {
    return this.placements === 0;
  }

  add({ operator, bound }: KeyBound, entry: Entry<Id>): Placement<Id> {
    this.placements++;
    if (operator === '==') this.bucketAt(bound).add(entry);
    else this.rangeOf(operator).add(toBound(bound), entry);
    return { valueIndex: this, operator, bound };
  }

  remove({ operator, bound }: KeyBound, id: Id): void {
    this.placements--;
    if (operator !== '==') {
      this.rangeOf(operator).remove(toBound(bound), id);
      return;
    }
    const bucket = this.bucketAt(bound);
    bucket.remove(id);
    if (bucket.size === 0) this.equal.delete(bound);
  }

  /** Estimates how many topics of this index are visited for an event whose value satisfies the comparison. */
  costOf({ operator, bound }: KeyBound): number {
    if (operator !== '==') return this.placements / 2 + 1;
    return (this.equal.get(bound)?.size ?? 0) + 1 / (1 + this.equal.size);
  }

  /** Collects the topics of this value index that match the event. */
  collect(matches: Matches<Id>): void {
    const value = matches.frame.read(this.options.slot);
    if (value === FAILED) this.collectUnknown(matches);
    else if (isList(value)) for (const element of value) this.collectAt(element, matches);
    else this.collectAt(value, matches);
  }

  private collectAt(value: Scalar, matches: Matches<Id>): void {
    const viewed = viewValue(matches.frame, value, this.options);
    if (viewed === FAILED) {
      this.collectUnknown(matches);
      return;
    }
    this.equal.get(viewed)?.collect(matches);
    if (typeof viewed !== (this.options.isText ? 'string' : 'number')) return;
    for (const range of this.ranges.values()) range.collect(viewed as Bound, matches);
  }

  private collectUnknown(matches: Matches<Id>): void {
    for (const bucket of this.equal.values()) bucket.collectUnknown(matches);
    for (const range of this.ranges.values()) range.collectUnknown(matches);
  }

  private bucketAt(bound: Scalar): Bucket<Id> {
    const known = this.equal.get(bound);
    if (known !== undefined) return known;
    const bucket = new Bucket<Id>();
    this.equal.set(bound, bucket);
    return bucket;
  }

  private rangeOf(operator: OrderOperator): Range<Id> {
    const known = this.ranges.get(operator);
    if (known !== undefined) return known;
    const range = new Range<Id>(operator);
    this.ranges.set(operator, range);
    return range;
  }
}

/**
 * Converts a checked value to a bound. The value is a number or a text, because the checker allows the order operators
 * for no other types.
 */
function toBound(bound: Scalar): Bound {
  return typeof bound === 'string' ? bound : Number(bound);
}
