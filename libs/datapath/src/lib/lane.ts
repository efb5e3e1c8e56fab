import { Bucket, type Entry, type Matches } from './bucket.js';
import { type OrderOperator, type Scalar } from './condition.js';
import { FAILED, isList } from './frame.js';
import { type IndexKey, lookAt, type View } from './index-key.js';
import { type Bound, SortedBuckets } from './sorted-buckets.js';

/** One place of one topic. */
export interface Place<Id> {
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
export class Lane<Id> {
  private readonly equal = new Map<Scalar, Bucket<Id>>();
  private readonly ordered = new Map<OrderOperator, SortedBuckets<Id>>();
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
    this.bucketAt({ operator, bound }).add(entry);
    return { lane: this, operator, bound };
  }

  remove(key: Spot, id: Id): void {
    const bucket = this.bucketAt(key);
    bucket.remove(id);
    this.placements--;
    if (bucket.size > 0) return;
    if (key.operator === '==') this.equal.delete(key.bound);
    else this.ordered.get(key.operator)?.delete(toBound(key.bound));
  }

  /** How many topics an event that fits the key has to look at, as far as one can tell; fewer is better. */
  costOf({ operator, bound }: Spot): number {
    if (operator !== '==') return this.placements / 2 + 1;
    return (this.equal.get(bound)?.size ?? 0) + 1 / (1 + this.equal.size);
  }

  /** Takes over the topics that hold for the event of `matches`, as far as they are placed here. */
  collect(matches: Matches<Id>): void {
    const value = matches.frame.read(this.options.slot);
    if (value === FAILED) {
      this.collectUnknown(matches);
    } else if (isList(value)) {
      for (const element of new Set(value)) this.collectAt(element, matches);
    } else {
      this.collectAt(value, matches);
    }
  }

  private collectAt(value: Scalar, matches: Matches<Id>): void {
    const viewed = lookAt(matches.frame, value, this.options);
    if (viewed === FAILED) {
      this.collectUnknown(matches);
      return;
    }
    this.equal.get(viewed)?.collect(matches);
    if (typeof viewed === (this.options.isText ? 'string' : 'number')) this.collectInOrder(viewed as Bound, matches);
  }

  private collectInOrder(viewed: Bound, matches: Matches<Id>): void {
    const visit = (bucket: Bucket<Id>): void => {
      bucket.collect(matches);
    };
    this.ordered.get('<')?.forEachFrom(viewed, false, visit);
    this.ordered.get('<=')?.forEachFrom(viewed, true, visit);
    this.ordered.get('>')?.forEachUpTo(viewed, false, visit);
    this.ordered.get('>=')?.forEachUpTo(viewed, true, visit);
  }

  private collectUnknown(matches: Matches<Id>): void {
    const visit = (bucket: Bucket<Id>): void => {
      bucket.collectUnknown(matches);
    };
    this.equal.forEach(visit);
    for (const buckets of this.ordered.values()) buckets.forEach(visit);
  }

  private bucketAt({ operator, bound }: Spot): Bucket<Id> {
    if (operator !== '==') return this.bucketsOf(operator).at(toBound(bound));
    const known = this.equal.get(bound);
    if (known !== undefined) return known;
    const bucket = new Bucket<Id>();
    this.equal.set(bound, bucket);
    return bucket;
  }

  private bucketsOf(operator: OrderOperator): SortedBuckets<Id> {
    const known = this.ordered.get(operator);
    if (known !== undefined) return known;
    const buckets = new SortedBuckets<Id>();
    this.ordered.set(operator, buckets);
    return buckets;
  }
}

/** The checker lets nothing but numbers and texts be put in order. */
function toBound(bound: Scalar): Bound {
  return typeof bound === 'string' ? bound : Number(bound);
}
