import {
  type CompareCondition,
  type Condition,
  type Operand,
  type OrderOperator,
  type PathOperand,
  type Scalar,
} from '../checking/condition.js';
import { FAILED, type Frame } from '../running/frame.js';

/**
 * The form in which the index looks up a value: the value itself, the calendar date of a moment, or the distance from
 * the clock of the event. With the distance, `closing_date <= DATE("today") - DTDURATION(7,0,0,0)` has the same key
 * every day.
 */
export type View = 'value' | 'day' | 'days_from_today' | 'ms_from_now';

/**
 * A key under which the index finds topics: the comparison `view of path` `operator` `bound`. A topic with a single key
 * matches only events for which this comparison is true.
 */
export interface IndexKey {
  readonly path: PathOperand;
  readonly view: View;
  readonly operator: '==' | OrderOperator;
  readonly bound: Scalar;
}

/** Returns the key that is equivalent to a comparison, or null when the index cannot express it. */
export function keyOf({ operator, left, right }: CompareCondition): IndexKey | null {
  const viewed = viewOf(left);
  if (viewed === null || operator === '=~') return null;
  if (right.kind === 'constant') return { ...viewed, operator, bound: right.value };
  const clock = clockOf(right);
  if (clock?.base === 'today' && left.type === 'date')
    return { ...viewed, view: 'days_from_today', operator, bound: clock.distance };
  if (clock?.base === 'now' && left.type === 'datetime')
    return { ...viewed, view: 'ms_from_now', operator, bound: clock.distance };
  return null;
}

/**
 * Returns one key for each value of an IN. The IN is true exactly when one of the keys matches. Returns null when the
 * index cannot express the IN.
 */
export function keysOfList(condition: Extract<Condition, { kind: 'in' }>): readonly IndexKey[] | null {
  const viewed = viewOf(condition.left);
  return viewed === null ? null : condition.values.map((bound) => ({ ...viewed, operator: '==', bound }));
}

/**
 * Removes duplicate keys. Each key adds the topic to one bucket of the index, and a bucket may contain a topic only
 * once.
 */
export function distinct(keys: readonly IndexKey[]): readonly IndexKey[] {
  if (keys.length < 2) return keys;
  const nameOf = ({ path, view, operator, bound }: IndexKey): string =>
    `${String(path.index)} ${view} ${operator} ${typeof bound} ${String(bound)}`;
  return [...new Map(keys.map((key) => [nameOf(key), key])).values()];
}

function viewOf(operand: Operand): { readonly path: PathOperand; readonly view: View } | null {
  if (operand.kind === 'path') return { path: operand, view: 'value' };
  return operand.kind === 'day' && operand.base.kind === 'path' ? { path: operand.base, view: 'day' } : null;
}

/**
 * Reads `DATE("today")` ± days, or `DATE("now")` ± exact time. Returns null for any other operand. For example,
 * `DATE("now")` ± days depends on the time zone. `DATE("today")` ± hours is a datetime, but `keyOf` creates keys with
 * `today` only for dates.
 */
function clockOf(operand: Operand): { readonly base: 'today' | 'now'; readonly distance: number } | null {
  if (operand.kind === 'today' || operand.kind === 'now') return { base: operand.kind, distance: 0 };
  if (operand.kind !== 'shift') return null;
  const clock = clockOf(operand.base);
  if (clock?.base === 'today') return { base: 'today', distance: clock.distance + operand.days };
  if (clock?.base === 'now' && operand.days === 0)
    return { base: 'now', distance: clock.distance + operand.milliseconds };
  return null;
}

/**
 * Converts a value to the form in which the index looks it up, such as the day of a moment. Null and MISFIT (a value of
 * another type) do not change. Returns FAILED when the day or the clock is not known.
 */
export function viewValue(frame: Frame, value: Scalar, { view, isDay }: ViewOptions): Scalar | typeof FAILED {
  switch (view) {
    case 'value':
      return value;
    case 'day':
      return typeof value === 'number' ? frame.dayOf(value) : value;
    case 'days_from_today':
      return distance(typeof value === 'number' && !isDay ? frame.dayOf(value) : value, frame.today);
    case 'ms_from_now':
      return distance(value, frame.now);
  }
}

export interface ViewOptions {
  readonly view: View;
  /** True for a datapath of the type `date`, whose values are days. */
  readonly isDay: boolean;
}

function distance(value: Scalar | typeof FAILED, from: number | typeof FAILED): Scalar | typeof FAILED {
  if (value === FAILED || from === FAILED) return FAILED;
  return typeof value === 'number' ? value - from : value;
}
