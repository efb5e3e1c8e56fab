import { Bucket } from './bucket.js';
import { type CompiledExpression, compileProgram } from '../running/compile.js';
import { type PathOperand } from '../checking/condition.js';
import { DatapathTable } from '../running/datapath-table.js';
import { type EvaluationContext } from '../running/frame.js';
import { distinct, type IndexKey, type View } from './index-key.js';
import { type IndexPlan, planOf } from './index-plan.js';
import { Lane, type Place } from './lane.js';
import { type Entry, Matches } from './matches.js';

/** Which topics hold for an event, and of which that cannot be said. */
export interface IndexVerdict<Id> {
  readonly matched: Id[];
  /** Topics that depend on a value that could not be had: judge them again when it can. */
  readonly unknown: Id[];
}

interface Topic<Id extends string | number> {
  /** Null when the topic is looked at for every event. */
  readonly places: readonly Place<Id>[] | null;
  /** Numbers of its datapaths. */
  readonly slots: readonly number[];
}

const views: readonly View[] = ['value', 'day', 'days_from_today', 'ms_from_now'];
const everything: IndexPlan = { keys: null, rest: [] };

/**
 * Many expressions, one event: which hold? Always the answer that testing each of them would give, in an order of its
 * own, at a cost that grows with the topics that hold and hardly with those that do not: topics are found by a value that
 * one of their datapaths must have, or by a range in which it must lie. The others (`!=`, `=~`, NOT, one datapath beside
 * another) are tested for every event.
 */
export class TopicIndex<Id extends string | number> {
  private readonly table = new DatapathTable();
  private readonly topics = new Map<Id, Topic<Id>>();
  private readonly lanes = new Map<number, Lane<Id>>();
  private readonly unplaced = new Bucket<Id>();

  get size(): number {
    return this.topics.size;
  }

  /** Canonical texts of the datapaths that the topics need, each once. */
  get datapaths(): readonly string[] {
    return this.table.datapaths;
  }

  /** Puts a topic in; one of the same id is replaced. The compiled expression itself is not kept. */
  add(id: Id, { checked: { condition, paths } }: CompiledExpression): void {
    this.remove(id);
    const slots = this.table.take(paths);
    const slotOf = ({ index }: PathOperand): number => slots[index] ?? 0;
    const laneNumberOf = ({ path, view }: IndexKey): number => slotOf(path) * views.length + views.indexOf(view);
    const costOf = (key: IndexKey): number => this.lanes.get(laneNumberOf(key))?.costOf(key) ?? 1;
    const plan = condition === null ? everything : planOf(condition, costOf);
    const keys = plan.keys === null ? null : distinct(plan.keys);
    const { rest } = plan;
    const isRepeated = keys !== null && (keys.length > 1 || keys.some(({ path }) => path.many));
    const entry: Entry<Id> = { id, rest: rest.length === 0 ? null : compileProgram(rest, slotOf), isRepeated };
    const places = keys?.map((key) => {
      const lane = this.laneAt(laneNumberOf(key), slotOf(key.path), key);
      return lane.add(key, entry);
    });
    if (places === undefined) this.unplaced.add(entry);
    this.topics.set(id, { places: places ?? null, slots });
  }

  /** Takes a topic out; one that is not there is no fault. */
  remove(id: Id): void {
    const topic = this.topics.get(id);
    if (topic === undefined) return;
    this.topics.delete(id);
    if (topic.places === null) this.unplaced.remove(id);
    for (const { lane, operator, bound } of topic.places ?? []) {
      lane.remove({ operator, bound }, id);
      if (lane.isEmpty) this.lanes.delete(lane.number);
    }
    this.table.release(topic.slots);
  }

  /** The topics that hold. Never throws; a topic of which it cannot be said is left out, as `test` is false for it. */
  match(context: EvaluationContext): Id[] {
    return this.collect(context).matched;
  }

  /** As `match`, and the topics that depend on a value that could not be had. */
  judge(context: EvaluationContext): IndexVerdict<Id> {
    const { matched, unknown } = this.collect(context);
    return { matched, unknown };
  }

  private collect(context: EvaluationContext): Matches<Id> {
    const matches = new Matches<Id>(this.table.open(context));
    this.unplaced.collect(matches);
    for (const lane of this.lanes.values()) lane.collect(matches);
    return matches;
  }

  private laneAt(number: number, slot: number, { path, view }: IndexKey): Lane<Id> {
    const known = this.lanes.get(number);
    if (known !== undefined) return known;
    const lane = new Lane<Id>({ number, slot, view, isDay: path.type === 'date', isText: path.type === 'text' });
    this.lanes.set(number, lane);
    return lane;
  }
}
