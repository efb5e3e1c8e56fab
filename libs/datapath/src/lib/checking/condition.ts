import { type ExpressionNode } from '../syntax/ast.js';
import { type ResolvedDatapath } from './resolve.js';

/**
 * The checked tree. Every operand has a type, every literal is converted, and dates and moments have one unit. There is
 * no `!=`, `!~` or NOT IN: they are negations of `==`, `=~` and IN.
 */
export type Condition = ChainCondition | NotCondition | CompareCondition | InCondition | ConstantCondition;

/** Holds when all parts hold (`and`), or one of them (`or`). */
export interface ChainCondition {
  /** Tells the kinds of conditions apart. */
  readonly kind: 'and' | 'or';
  /** The conditions of the chain. */
  readonly parts: readonly Condition[];
  /** The node of the syntax tree. */
  readonly node: ExpressionNode;
}

/** Holds when its part does not. */
export interface NotCondition {
  /** Tells the kinds of conditions apart. */
  readonly kind: 'not';
  /** The condition that must not hold. */
  readonly part: Condition;
  /** The node of the syntax tree. */
  readonly node: ExpressionNode;
}

/** The operators of an order. */
export type OrderOperator = '<' | '<=' | '>' | '>=';

/** Compares two operands. */
export interface CompareCondition {
  /** Tells the kinds of conditions apart. */
  readonly kind: 'compare';
  /** The operator. A `NotCondition` around the comparison stands for `!=` and `!~`. */
  readonly operator: '==' | '=~' | OrderOperator;
  /** The left operand. */
  readonly left: Operand;
  /** The right operand. */
  readonly right: Operand;
  /** The node of the syntax tree. */
  readonly node: ExpressionNode;
}

/** Holds when the operand equals one of the values. */
export interface InCondition {
  /** Tells the kinds of conditions apart. */
  readonly kind: 'in';
  /** The value that is searched in the list. */
  readonly left: Operand;
  /** Values of the type of `left`, which need no conversion. */
  readonly values: readonly Scalar[];
  /** The node of the syntax tree. */
  readonly node: ExpressionNode;
}

/** Holds always or never. */
export interface ConstantCondition {
  /** Tells the kinds of conditions apart. */
  readonly kind: 'constant';
  /** The result for every object. */
  readonly value: boolean;
  /** The node of the syntax tree. */
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

/** One side of a comparison. `kind` tells the forms apart. */
export type Operand =
  | PathOperand
  | ConstantOperand
  | ClockOperand
  | DurationOperand
  | ShiftOperand
  | DayOperand
  | AddOperand
  | ConditionOperand;

/** The type of an operand. */
export interface Typed {
  /** The type of the value. */
  readonly type: OperandType;
  /** True for an operand with a set of values. */
  readonly many: boolean;
}

/** The value of a datapath. */
export interface PathOperand extends Typed {
  /** Tells the kinds of operands apart. */
  readonly kind: 'path';
  /** The datapath, with its types. */
  readonly path: ResolvedDatapath;
  /** Index in `CheckedExpression.paths`. */
  readonly index: number;
}

/** A value of the text: a number, a string, a date, a boolean or null. */
export interface ConstantOperand extends Typed {
  /** Tells the kinds of operands apart. */
  readonly kind: 'constant';
  /** The value. */
  readonly value: Scalar;
}

/** DATE("today") and DATE("now"). */
export interface ClockOperand extends Typed {
  /** Tells the kinds of operands apart. */
  readonly kind: 'today' | 'now';
}

/** A duration of the text. */
export interface DurationOperand extends Typed {
  /** Tells the kinds of operands apart. */
  readonly kind: 'duration';
  /** The whole days. */
  readonly days: number;
  /** The rest of the duration. */
  readonly milliseconds: number;
}

/** A date or moment moved by a duration. */
export interface ShiftOperand extends Typed {
  /** Tells the kinds of operands apart. */
  readonly kind: 'shift';
  /** The date or moment that is moved. */
  readonly base: Operand;
  /** The whole days by which it is moved. */
  readonly days: number;
  /** The rest by which it is moved. */
  readonly milliseconds: number;
}

/** The calendar date of a moment in the time zone. It is used when a datetime is compared with a date. */
export interface DayOperand extends Typed {
  /** Tells the kinds of operands apart. */
  readonly kind: 'day';
  /** The moment whose day is taken. */
  readonly base: Operand;
}

/** A sum or a difference of two numbers. */
export interface AddOperand extends Typed {
  /** Tells the kinds of operands apart. */
  readonly kind: 'add';
  /** The first operand. */
  readonly left: Operand;
  /** The second operand. */
  readonly right: Operand;
  /** 1 adds the second operand, -1 subtracts it. */
  readonly sign: 1 | -1;
}

/** A condition in parentheses, used as a boolean value. */
export interface ConditionOperand extends Typed {
  /** Tells the kinds of operands apart. */
  readonly kind: 'condition';
  /** The condition whose result is the value. */
  readonly condition: Condition;
}

export function negate(part: Condition, node: ExpressionNode): Condition {
  return { kind: 'not', part, node };
}
