import { type ExpressionNode } from '../syntax/ast.js';
import { type ResolvedDatapath } from './resolve.js';

/**
 * The checked tree: every operand typed, every literal converted, dates and moments brought to one unit. `!=`, `!~` and
 * NOT IN are gone: they are the negations of `==`, `=~` and IN by definition.
 */
export type Condition = ChainCondition | NotCondition | CompareCondition | InCondition | ConstantCondition;

export interface ChainCondition {
  readonly kind: 'and' | 'or';
  readonly parts: readonly Condition[];
  readonly node: ExpressionNode;
}

export interface NotCondition {
  readonly kind: 'not';
  readonly part: Condition;
  readonly node: ExpressionNode;
}

export type OrderOperator = '<' | '<=' | '>' | '>=';

export interface CompareCondition {
  readonly kind: 'compare';
  readonly operator: '==' | '=~' | OrderOperator;
  readonly left: Operand;
  readonly right: Operand;
  readonly node: ExpressionNode;
}

export interface InCondition {
  readonly kind: 'in';
  readonly left: Operand;
  /** Comparable with `left` as they are. */
  readonly values: readonly Scalar[];
  readonly node: ExpressionNode;
}

export interface ConstantCondition {
  readonly kind: 'constant';
  readonly value: boolean;
  readonly node: ExpressionNode;
}

/** Stands for a value of another type than its datapath has: it equals nothing, not even itself, has no order and is not null. */
export const MISFIT = Symbol('misfit');

/** A value while evaluating: dates are days, moments and durations milliseconds, a missing value is null. */
export type Scalar = number | string | boolean | null | typeof MISFIT;

/** `date` counts days, `datetime` milliseconds. `unknown` stands for a faulty operand and suits everything. */
export type OperandType = 'number' | 'text' | 'boolean' | 'date' | 'datetime' | 'duration' | 'null' | 'unknown';

export type Operand =
  | PathOperand
  | ConstantOperand
  | ClockOperand
  | DurationOperand
  | ShiftOperand
  | DayOperand
  | AddOperand
  | ConditionOperand;

interface Typed {
  readonly type: OperandType;
  /** Whether this is a set of values. */
  readonly many: boolean;
}

export interface PathOperand extends Typed {
  readonly kind: 'path';
  readonly path: ResolvedDatapath;
  /** Place among the datapaths of the expression. */
  readonly index: number;
}

export interface ConstantOperand extends Typed {
  readonly kind: 'constant';
  readonly value: Scalar;
}

/** DATE("today") and DATE("now"). */
export interface ClockOperand extends Typed {
  readonly kind: 'today' | 'now';
}

export interface DurationOperand extends Typed {
  readonly kind: 'duration';
  readonly days: number;
  readonly milliseconds: number;
}

/** A date or moment moved by a duration. */
export interface ShiftOperand extends Typed {
  readonly kind: 'shift';
  readonly base: Operand;
  readonly days: number;
  readonly milliseconds: number;
}

/** The calendar date of a moment in the zone: what stands beside a date. */
export interface DayOperand extends Typed {
  readonly kind: 'day';
  readonly base: Operand;
}

export interface AddOperand extends Typed {
  readonly kind: 'add';
  readonly left: Operand;
  readonly right: Operand;
  readonly sign: 1 | -1;
}

/** A condition in parentheses, compared as a boolean. */
export interface ConditionOperand extends Typed {
  readonly kind: 'condition';
  readonly condition: Condition;
}

/** The opposite; two of them cancel out. */
export function negate(part: Condition, node: ExpressionNode): Condition {
  return { kind: 'not', part, node };
}
