import { Bucket } from './bucket.js';
import { type OrderOperator, type Scalar } from '../checking/condition.js';
import { FAILED, isList } from '../running/frame.js';
import { type IndexKey, lookAt, type View } from './index-key.js';
import { type Entry, type Matches } from './matches.js';
import { Range } from './range.js';
import { type Bound, type Key } from './sorted-list.js';

/** One place of one topic. */
export interface Place<Id extends Key> {
  readonly lane: Lane<Id>;
  readonly operator: IndexKey['operator'];
  readonly bound: Scalar;
}

type Spot = Pick<IndexKey, 'operator' | 'bound'>;

interface LaneOptions {
  /** Name of the lane in its index. */
  readonly number: number;
  readonly slot: number;
  readonly view: View;
  /** Whether the datapath counts days rather than milliseconds. */
  readonly isDay: boolean;
  /** Whether its bounds are texts rather than numbers. */
  readonly isText: boolean;
}

/** All topics whose place in the index depends on one view of one datapath. */
export class Lane<Id extends Key> {
  private readonly equal = new Map<Scalar, Bucket<Id>>();
  private readonly ranges = new Map<OrderOperator, Range<Id>>();
  private placements = 0;

  constructor(private readonly options: LaneOptions) {}

  get number(): number {
    return this.options.number;
  }

  get isEmpty(): boolean {
    return this.placements === 0;
  }

  add({ operator, bound }: Spot, entry: Entry<Id>): Place<Id> {
    this.placements++;
    if (operator === '==') this.bucketAt(bound).add(entry);
    else this.rangeOf(operator).add(toBound(bound), entry);
    return { lane: this, operator, bound };
  }

  remove({ operator, bound }: Spot, id: Id): void {
    this.placements--;
    if (operator !== '==') {
      this.rangeOf(operator).remove(toBound(bound), id);
      return;
    }
    const bucket = this.bucketAt(bound);
    bucket.remove(id);
    if (bucket.size === 0) this.equal.delete(bound);
  }

  /** How many topics an event that fits the key has to look at, as far as one can tell; fewer is better. */
  costOf({ operator, bound }: Spot): number {
    if (operator !== '==') return this.placements / 2 + 1;
    return (this.equal.get(bound)?.size ?? 0) + 1 / (1 + this.equal.size);
  }

  /** Takes over the topics that hold for the event of `matches`, as far as they are placed here. */
  collect(matches: Matches<Id>): void {
    const value = matches.frame.read(this.options.slot);
    if (value === FAILED) this.collectUnknown(matches);
    else if (isList(value)) for (const element of value) this.collectAt(element, matches);
    else this.collectAt(value, matches);
  }

  private collectAt(value: Scalar, matches: Matches<Id>): void {
    const viewed = lookAt(matches.frame, value, this.options);
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

/** The checker lets nothing but numbers and texts be put in order. */
function toBound(bound: Scalar): Bound {
  return typeof bound === 'string' ? bound : Number(bound);
}
