import { Bucket, type Entry, Matches } from './bucket.js';
import { compileAnd, compileCondition, type CompiledExpression } from './compile.js';
import { type Condition } from './condition.js';
import { type EvaluationContext, Frame } from './frame.js';
import { type IndexKey, type View } from './index-key.js';
import { planOf } from './index-plan.js';
import { Lane } from './lane.js';
import { type ResolvedDatapath } from './resolve.js';
import { SlotTable } from './slot-table.js';

/** Which topics hold for an event, and of which that cannot be said. */
export interface IndexVerdict<Id> {
  readonly matched: Id[];
  /** Topics that depend on a value that could not be had: judge them again when it can. */
  readonly unknown: Id[];
}

interface Topic {
  /** Null when the topic is looked at for every event. */
  readonly keys: readonly IndexKey[] | null;
  readonly paths: readonly ResolvedDatapath[];
}

const views: readonly View[] = ['value', 'day', 'days_from_today', 'ms_from_now'];

/**
 * Many expressions, one event: which hold? Always the answer that testing each of them would give, in an order of its
 * own, at a cost that grows with the topics that hold and hardly with those that do not: topics are found by a value that
 * one of their datapaths must have, or by a range in which it must lie. The others (`!=`, `=~`, NOT, one datapath beside
 * another) are tested for every event.
 */
export class TopicIndex<Id extends string | number> {
  private readonly table = new SlotTable();
  private readonly uses: number[] = [];
  private readonly topics = new Map<Id, Topic>();
  private readonly lanes = new Map<number, Lane<Id>>();
  private readonly unplaced = new Bucket<Id>();

  get size(): number {
    return this.topics.size;
  }

  /** Canonical texts of the datapaths that the topics need, each once. */
  get datapaths(): readonly string[] {
    return [...new Set(this.table.slots.flatMap((slot) => (slot === undefined ? [] : [slot.datapath])))];
  }

  /** Puts a topic in; one of the same id is replaced. The compiled expression itself is not kept. */
  add(id: Id, { checked }: CompiledExpression): void {
    this.remove(id);
    for (const path of checked.paths) {
      const slot = this.table.slotOf(path);
      this.uses[slot] = (this.uses[slot] ?? 0) + 1;
    }
    const { condition } = checked;
    const { keys, rest, isWhole } =
      condition === null ? { keys: null, rest: [], isWhole: true } : planOf(condition, (key) => this.lanes.get(this.numberOf(key))?.costOf(key) ?? 1);
    const isRepeated = keys !== null && (keys.length > 1 || keys.some(({ path }) => path.many));
    const entry: Entry<Id> = { id, test: this.compileRest(rest), isWhole, isRepeated };
    if (keys === null) this.unplaced.add(entry);
    for (const key of keys ?? []) this.laneOf(key).add(key, entry);
    this.topics.set(id, { keys, paths: checked.paths });
  }

  /** Takes a topic out; one that is not there is no fault. */
  remove(id: Id): void {
    const topic = this.topics.get(id);
    if (topic === undefined) return;
    this.topics.delete(id);
    if (topic.keys === null) this.unplaced.remove(id);
    for (const key of topic.keys ?? []) {
      this.laneOf(key).remove(key, id);
      this.dropEmptyLane(key);
    }
    for (const path of topic.paths) this.release(path);
  }

  /** The topics that hold. Never throws; a topic of which it cannot be said is left out, as `test` is false for it. */
  match(context: EvaluationContext): Id[] {
    return this.collect(context).matched;
  }

  /** As `match`, and the topics that depend on a value that could not be had. */
  judge(context: EvaluationContext): IndexVerdict<Id> {
    const { matched, unknown } = this.collect(context);
    for (const id of matched) unknown.delete(id);
    return { matched, unknown: [...unknown] };
  }

  private collect(context: EvaluationContext): Matches<Id> {
    const matches = new Matches<Id>(new Frame(this.table, context));
    this.unplaced.collect(matches);
    for (const lane of this.lanes.values()) lane.collect(matches.frame.read(lane.slot), matches);
    return matches;
  }

  private compileRest(rest: readonly Condition[]): Entry<Id>['test'] {
    return rest.length === 0 ? null : compileAnd(rest.map((condition) => compileCondition(condition, this.table)));
  }

  private laneOf(key: IndexKey): Lane<Id> {
    const number = this.numberOf(key);
    const known = this.lanes.get(number);
    if (known !== undefined) return known;
    const lane = new Lane<Id>(this.table.slotOf(key.path), key.view, key.path.type === 'date');
    this.lanes.set(number, lane);
    return lane;
  }

  private dropEmptyLane(key: IndexKey): void {
    const number = this.numberOf(key);
    if (this.lanes.get(number)?.isEmpty === true) this.lanes.delete(number);
  }

  private numberOf({ path, view }: IndexKey): number {
    return this.table.slotOf(path) * views.length + views.indexOf(view);
  }

  private release(path: ResolvedDatapath): void {
    const slot = this.table.slotOf(path);
    const uses = (this.uses[slot] ?? 0) - 1;
    this.uses[slot] = uses;
    if (uses === 0) this.table.release(path);
  }
}
