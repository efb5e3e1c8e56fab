import { type ExpressionNode } from '../syntax/ast.js';
import { type ResolvedDatapath } from './resolve.js';

/**
 * The checked tree. Every operand has a type, every literal is converted, and dates and moments have one unit. There is
 * no `!=`, `!~` or NOT IN: they are negations of `==`, `=~` and IN.
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
  /** Values of the type of `left`, which need no conversion. */
  readonly values: readonly Scalar[];
  readonly node: ExpressionNode;
}

export interface ConstantCondition {
  readonly kind: 'constant';
  readonly value: boolean;
  readonly node: ExpressionNode;
}

/**
 * Replaces a value whose type is not the type of its datapath. It equals no value, not even another MISFIT. It is
 * neither smaller nor greater than any value, and it does not count as null.
 */
export const MISFIT = Symbol('misfit');

/**
 * A value during evaluation. A date is a number of days. A moment or a duration is a number of milliseconds. A missing
 * value is null.
 */
export type Scalar = number | string | boolean | null | typeof MISFIT;

/**
 * A `date` is in days, a `datetime` in milliseconds. `unknown` is the type of an invalid operand. It fits every other
 * type, so that one mistake is reported once.
 */
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
  /** True for an operand with a set of values. */
  readonly many: boolean;
}

export interface PathOperand extends Typed {
  readonly kind: 'path';
  readonly path: ResolvedDatapath;
  /** Index in `CheckedExpression.paths`. */
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

/** The calendar date of a moment in the time zone. It is used when a datetime is compared with a date. */
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

/** A condition in parentheses, used as a boolean value. */
export interface ConditionOperand extends Typed {
  readonly kind: 'condition';
  readonly condition: Condition;
}

export function negate(part: Condition, node: ExpressionNode): Condition {
  return { kind: 'not', part, node };
}
