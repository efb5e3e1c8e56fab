import { Bucket } from './bucket.js';
import { type CompiledExpression, compileProgram } from '../running/compile.js';
import { type PathOperand } from '../checking/condition.js';
import { DatapathTable, openFrame } from '../running/datapath-table.js';
import { type EvaluationContext } from '../running/frame.js';
import { distinct, type IndexKey, type View } from './index-key.js';
import { type IndexPlan, isChange, planOf } from './index-plan.js';
import { ValueIndex, type Placement } from './value-index.js';
import { type Entry, Matches } from './matches.js';

/** The topics that match an event, and those whose result is unknown. */
export interface IndexResult<Id> {
  /** The ids of the expressions that are true for the event. */
  readonly matched: Id[];
  /**
   * The ids of the expressions whose result depends on a value that could not be read. The caller should evaluate them
   * again later.
   */
  readonly unknown: Id[];
}

interface Topic<Id extends string | number> {
  /** The keys under which the index has the topic. Null when the topic is evaluated for every event. */
  readonly placements: readonly Placement<Id>[] | null;
  /** The numbers of the datapaths of the topic in `DatapathTable`. */
  readonly slots: readonly number[];
}

const views: readonly View[] = ['value', 'day', 'days_from_today', 'ms_from_now'];
/** The estimated share of events that change a certain value. It is low, so that the index prefers CHANGED as a key. */
const CHANGE_RATE = 1 / 16;

const planOfBlank: IndexPlan = { keys: null, rest: [] };

/**
 * Finds the expressions that are true for an event, among many. The result is the same as evaluating each expression,
 * in no particular order.
 *
 * The index finds a topic by a value that one of its datapaths must have, or by a range that the value must be in. So
 * the cost of an event grows with the number of topics that match, and hardly with the number of other topics. Topics
 * without such a value or range (`!=`, `=~`, NOT, one datapath compared with another) are evaluated for every event.
 */
export class TopicIndex<Id extends string | number> {
  private readonly table = new DatapathTable();
  private readonly topics = new Map<Id, Topic<Id>>();
  private readonly valueIndexes = new Map<number, ValueIndex<Id>>();
  private readonly withoutKeys = new Bucket<Id>();

  /** The number of expressions in the index. */
  get size(): number {
    return this.topics.size;
  }

  /** Canonical texts of all datapaths that the topics read, without duplicates. */
  get datapaths(): readonly string[] {
    return this.table.datapaths;
  }

  /** Adds a topic, or replaces the topic with the same id. The compiled expression itself is not kept. */
  add(id: Id, { checked: { condition, paths } }: CompiledExpression): void {
    this.remove(id);
    const slots = this.table.take(paths);
    const slotOf = ({ index }: PathOperand): number => slots[index] ?? 0;
    const numberOf = ({ path, view }: IndexKey): number => slotOf(path) * views.length + views.indexOf(view);
    const costOf = (key: IndexKey): number =>
      (this.valueIndexes.get(numberOf(key))?.costOf(key) ?? 1) * (isChange(key) ? CHANGE_RATE : 1);
    const plan = condition === null ? planOfBlank : planOf(condition, costOf);
    const keys = plan.keys === null ? null : distinct(plan.keys);
    const { rest } = plan;
    const isRepeated = keys !== null && (keys.length > 1 || keys.some(({ path }) => path.many));
    const entry: Entry<Id> = { id, rest: rest.length === 0 ? null : compileProgram(rest, slotOf), isRepeated };
    const placements = keys?.map((key) => {
      const valueIndex = this.valueIndexAt(numberOf(key), slotOf(key.path), key);
      return valueIndex.add(key, entry);
    });
    if (placements === undefined) this.withoutKeys.add(entry);
    this.topics.set(id, { placements: placements ?? null, slots });
  }

  /** Removes a topic. Does nothing for an unknown id. */
  remove(id: Id): void {
    const topic = this.topics.get(id);
    if (topic === undefined) return;
    this.topics.delete(id);
    if (topic.placements === null) this.withoutKeys.remove(id);
    for (const { valueIndex, operator, bound } of topic.placements ?? []) {
      valueIndex.remove({ operator, bound }, id);
      if (valueIndex.isEmpty) this.valueIndexes.delete(valueIndex.number);
    }
    this.table.release(topic.slots);
  }

  /**
   * Returns the topics whose expression is true. Topics with an unknown result are left out.
   * @throws {ContextError} when the context is wrong, see `CompiledExpression.test`
   */
  match(context: EvaluationContext): Id[] {
    return this.collect(context).matched;
  }

  /**
   * Returns the topics whose expression is true, and those with an unknown result.
   * @throws {ContextError} when the context is wrong, see `CompiledExpression.test`
   */
  evaluate(context: EvaluationContext): IndexResult<Id> {
    const { matched, unknown } = this.collect(context);
    return { matched, unknown };
  }

  private collect(context: EvaluationContext): Matches<Id> {
    const matches = new Matches<Id>(openFrame(this.table, context));
    this.withoutKeys.collect(matches);
    for (const valueIndex of this.valueIndexes.values()) valueIndex.collect(matches);
    return matches;
  }

  private valueIndexAt(number: number, slot: number, { path, view }: IndexKey): ValueIndex<Id> {
    const known = this.valueIndexes.get(number);
    if (known !== undefined) return known;
    const valueIndex = new ValueIndex<Id>({
      number,
      slot,
      view,
      isDay: path.type === 'date',
      isText: path.type === 'text',
    });
    this.valueIndexes.set(number, valueIndex);
    return valueIndex;
  }
}
