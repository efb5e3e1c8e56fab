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
 * What of a value is looked up: the value itself, the calendar date of a moment, or its distance from the clock of the
 * event, by which `closing_date <= DATE("today") - DTDURATION(7,0,0,0)` keeps one place in the index on every day.
 */
export type View = 'value' | 'day' | 'days_from_today' | 'ms_from_now';

/** One place in the index: a topic under it can hold only when the viewed value equals the bound, or is in order with it. */
export interface IndexKey {
  readonly path: PathOperand;
  readonly view: View;
  readonly operator: '==' | OrderOperator;
  readonly bound: Scalar;
}

/** The key that says exactly when a comparison holds; null when the index has no place for it. */
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

/** Keys of which one or more hold exactly when the condition does; null when there are none. */
export function keysOfList(condition: Extract<Condition, { kind: 'in' }>): readonly IndexKey[] | null {
  const viewed = viewOf(condition.left);
  return viewed === null ? null : condition.values.map((bound) => ({ ...viewed, operator: '==', bound }));
}

/** The keys without repetition: a topic has each of its places once. */
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
 * Today and days, or now and exact time; days after now depend on the zone and are left to evaluation. Today moved by
 * hours is a datetime, and stands beside no date.
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

/** The viewed value; null and a misfit stay what they are. */
export function lookAt(frame: Frame, value: Scalar, { view, isDay }: Look): Scalar | typeof FAILED {
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

export interface Look {
  readonly view: View;
  /** Whether the datapath counts days rather than milliseconds. */
  readonly isDay: boolean;
}

function distance(value: Scalar | typeof FAILED, from: number | typeof FAILED): Scalar | typeof FAILED {
  if (value === FAILED || from === FAILED) return FAILED;
  return typeof value === 'number' ? value - from : value;
}
