import { type Datapath } from './datapath.js';

/** Position of a node in the source text, in UTF-16 units. */
export interface Span {
  /** The offset in UTF-16 units. */
  readonly offset: number;
  /** The length in UTF-16 units. */
  readonly length: number;
}

/**
 * A parsed expression, as plain read-only data. `condition` is null for a blank text, which matches everything.
 * Source: docs/reference/expressions.md, "Grammar".
 */
export interface Expression {
  /** The text that was parsed. */
  readonly source: string;
  /** The condition, or null for an empty expression. */
  readonly condition: ExpressionNode | null;
}

/** A node of the syntax tree. `kind` tells the forms apart. */
export type ExpressionNode =
  | OrNode
  | AndNode
  | NotNode
  | ComparisonNode
  | MembershipNode
  | SumNode
  | NegativeNode
  | LiteralNode
  | DateNode
  | DurationNode
  | PathNode
  | PastNode;

/** Has at least two operands. None of them is an `or`. */
export interface OrNode extends Span {
  /** Tells the kinds of nodes apart. */
  readonly kind: 'or';
  /** The conditions of which one must hold, at least two. */
  readonly operands: readonly ExpressionNode[];
}

/** Has at least two operands. None of them is an `and`. */
export interface AndNode extends Span {
  /** Tells the kinds of nodes apart. */
  readonly kind: 'and';
  /** The conditions that must all hold, at least two. */
  readonly operands: readonly ExpressionNode[];
}

/** A negation: `NOT operand`. */
export interface NotNode extends Span {
  /** Tells the kinds of nodes apart. */
  readonly kind: 'not';
  /** The condition that must not hold. */
  readonly operand: ExpressionNode;
}

/** The operators of comparisons. */
export type ComparisonOperator = '==' | '!=' | '<' | '<=' | '>' | '>=' | '=~' | '!~';

/** A comparison: `left operator right`. */
export interface ComparisonNode extends Span {
  /** Tells the kinds of nodes apart. */
  readonly kind: 'comparison';
  /** The operator. */
  readonly operator: ComparisonOperator;
  /** The left operand. */
  readonly left: ExpressionNode;
  /** The right operand. */
  readonly right: ExpressionNode;
}

/** An item of a list. */
export type ListItem = LiteralNode | DateNode;

/** `operand IN {items}`, or `operand NOT IN {items}` when `negated`. */
export interface MembershipNode extends Span {
  /** Tells the kinds of nodes apart. */
  readonly kind: 'in';
  /** The value that is searched in the list. */
  readonly operand: ExpressionNode;
  /** The values of the list. */
  readonly items: readonly ListItem[];
  /** True for `NOT IN`. */
  readonly negated: boolean;
}

/** A term that a sum adds or subtracts. */
export interface SumTerm {
  /** The operator before the operand. */
  readonly operator: '+' | '-';
  /** The operand. */
  readonly operand: ExpressionNode;
}

/** Starts with `first` and adds or subtracts at least one term, from left to right. */
export interface SumNode extends Span {
  /** Tells the kinds of nodes apart. */
  readonly kind: 'sum';
  /** The first operand. */
  readonly first: ExpressionNode;
  /** The operands that are added or subtracted. */
  readonly rest: readonly SumTerm[];
}

/** A minus before DTDURATION. A minus before a number is part of the literal instead. */
export interface NegativeNode extends Span {
  /** Tells the kinds of nodes apart. */
  readonly kind: 'negative';
  /** The duration that is negated. */
  readonly operand: DurationNode;
}

/** A number, a string, a boolean or null. */
export interface LiteralNode extends Span {
  /** Tells the kinds of nodes apart. */
  readonly kind: 'literal';
  /** The value. */
  readonly value: string | number | boolean | null;
}

/** `DATE(text)`. The parser guarantees that the text is `today`, `now`, an ISO date or an ISO timestamp with offset. */
export interface DateNode extends Span {
  /** Tells the kinds of nodes apart. */
  readonly kind: 'date';
  /** The date or moment as written. */
  readonly text: string;
}

/** `DTDURATION(…)` with its four arguments in the order of `DURATION_UNITS`. */
export interface DurationNode extends Span {
  /** Tells the kinds of nodes apart. */
  readonly kind: 'duration';
  /** Days, hours, minutes and seconds. */
  readonly arguments: readonly number[];
}

/** A datapath. */
export interface PathNode extends Span {
  /** Tells the kinds of nodes apart. */
  readonly kind: 'path';
  /** The datapath. */
  readonly path: Datapath;
}

/** `CHANGED(path)`: the event changed the value. `WAS(path)`: the value before the event. */
export interface PastNode extends Span {
  /** Tells the kinds of nodes apart. */
  readonly kind: 'past';
  /** The function. */
  readonly call: PastFunction;
  /** The datapath whose change or former value is asked for. */
  readonly operand: PathNode;
}

/** The functions that compare an object with its former state. */
export type PastFunction = 'CHANGED' | 'WAS';
