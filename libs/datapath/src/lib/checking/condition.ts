import { type ExpressionNode } from '../syntax/ast.js';
import { type HostFunction } from './model.js';
import { type ResolvedDatapath } from './resolve.js';

/**
 * A condition of the checked tree. Every operand has a type, and every literal is converted: a date to a number of
 * days, a moment to milliseconds. There is no `!=`, `!~` or NOT IN: they are negations of `==`, `=~` and IN.
 */
export type Condition = ChainCondition | NotCondition | CompareCondition | InCondition | ConstantCondition;

/** A chain of conditions. `and` is true when all parts are true, `or` when at least one part is true. */
export interface ChainCondition {
  /** The kind of the condition. */
  readonly kind: 'and' | 'or';
  /** The conditions that the chain combines. */
  readonly parts: readonly Condition[];
  /** The node of the syntax tree from which the condition was made. */
  readonly node: ExpressionNode;
}

/** A negation: true when the negated condition is false. */
export interface NotCondition {
  /** The kind of the condition. */
  readonly kind: 'not';
  /** The negated condition. */
  readonly part: Condition;
  /** The node of the syntax tree from which the condition was made. */
  readonly node: ExpressionNode;
}

/** The operators that compare the order of two values. */
export type OrderOperator = '<' | '<=' | '>' | '>=';

/** A comparison of two operands. */
export interface CompareCondition {
  /** The kind of the condition. */
  readonly kind: 'compare';
  /** The operator. A `NotCondition` around the comparison stands for `!=` and `!~`. */
  readonly operator: '==' | '=~' | OrderOperator;
  /** The left operand of the comparison. */
  readonly left: Operand;
  /** The right operand of the comparison. */
  readonly right: Operand;
  /** The node of the syntax tree from which the condition was made. */
  readonly node: ExpressionNode;
}

/** A condition that is true when the operand equals one of the values. */
export interface InCondition {
  /** The kind of the condition. */
  readonly kind: 'in';
  /** The operand whose value is searched in the list. */
  readonly left: Operand;
  /** The values, which have the type of `left` and need no conversion. */
  readonly values: readonly Scalar[];
  /** The node of the syntax tree from which the condition was made. */
  readonly node: ExpressionNode;
}

/** A condition that is always true, or always false. */
export interface ConstantCondition {
  /** The kind of the condition. */
  readonly kind: 'constant';
  /** The result of the condition, for every object. */
  readonly value: boolean;
  /** The node of the syntax tree from which the condition was made. */
  readonly node: ExpressionNode;
}

/**
 * Stands for a value that does not have the type of its datapath. It equals no value, not even another MISFIT. It is
 * neither smaller nor greater than any value, and it does not count as null.
 */
export const MISFIT = Symbol('misfit');

/**
 * A value during evaluation. A date is a number of days, and a moment or a duration a number of milliseconds. A missing
 * value is null.
 */
export type Scalar = number | string | boolean | null | typeof MISFIT;

/**
 * The type of an operand. A `date` is in days, and a `datetime` in milliseconds. An invalid operand has the type
 * `unknown`, which fits every other type, so that a mistake is reported only once.
 */
export type OperandType = 'number' | 'text' | 'boolean' | 'date' | 'datetime' | 'duration' | 'null' | 'unknown';

/** One side of a comparison. `kind` says which form it has. */
export type Operand =
  | PathOperand
  | ConstantOperand
  | ClockOperand
  | DurationOperand
  | ShiftOperand
  | DayOperand
  | AddOperand
  | CallOperand
  | ConditionOperand;

/** The properties that all operands have. */
export interface Typed {
  /** The type of the operand. */
  readonly type: OperandType;
  /** True for an operand with any number of values, such as a to-many datapath. */
  readonly many: boolean;
}

/** An operand that reads the value of a datapath. */
export interface PathOperand extends Typed {
  /** The kind of the operand. */
  readonly kind: 'path';
  /** The resolved datapath. */
  readonly path: ResolvedDatapath;
  /** Index in `CheckedExpression.paths`. */
  readonly index: number;
}

/** A value that the text states: a number, a string, a date, a boolean or null. */
export interface ConstantOperand extends Typed {
  /** The kind of the operand. */
  readonly kind: 'constant';
  /** The value of the constant. */
  readonly value: Scalar;
}

/** The clock: DATE("today") or DATE("now"). */
export interface ClockOperand extends Typed {
  /** The kind of the operand. */
  readonly kind: 'today' | 'now';
}

/** A duration that the text states. */
export interface DurationOperand extends Typed {
  /** The kind of the operand. */
  readonly kind: 'duration';
  /** The number of whole days in the duration. */
  readonly days: number;
  /** The hours, minutes and seconds of the duration, in milliseconds. */
  readonly milliseconds: number;
}

/** A date or moment that is moved by a duration. */
export interface ShiftOperand extends Typed {
  /** The kind of the operand. */
  readonly kind: 'shift';
  /** The operand with the date or moment that is moved. */
  readonly base: Operand;
  /** The number of whole days by which `base` is moved. Negative for an earlier time. */
  readonly days: number;
  /** The exact time in milliseconds by which `base` is moved in addition to the days. */
  readonly milliseconds: number;
}

/**
 * The calendar date of a datetime, in the time zone of the evaluation. The check inserts it where a datetime is
 * compared with a date.
 */
export interface DayOperand extends Typed {
  /** The kind of the operand. */
  readonly kind: 'day';
  /** The datetime that is converted. */
  readonly base: Operand;
}

/** A sum or a difference of two numbers. */
export interface AddOperand extends Typed {
  /** The kind of the operand. */
  readonly kind: 'add';
  /** The first operand of the sum. */
  readonly left: Operand;
  /** The second operand of the sum. */
  readonly right: Operand;
  /** 1 adds the second operand, -1 subtracts it. */
  readonly sign: 1 | -1;
}

/** A call of a function of the host. At most one argument has a set of values. */
export interface CallOperand extends Typed {
  /** The kind of the operand. */
  readonly kind: 'call';
  /** The called function of the host. */
  readonly called: HostFunction;
  /** The arguments, with the types of the parameters. */
  readonly arguments: readonly Operand[];
}

/** A condition in parentheses, used as a boolean value. */
export interface ConditionOperand extends Typed {
  /** The kind of the operand. */
  readonly kind: 'condition';
  /** The condition whose result is the value. */
  readonly condition: Condition;
}

export function negate(part: Condition, node: ExpressionNode): Condition {
  return { kind: 'not', part, node };
}
