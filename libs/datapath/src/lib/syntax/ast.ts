import { type Datapath } from './datapath.js';

/** Position of a node in the source text, in UTF-16 units. */
export interface Span {
  readonly offset: number;
  readonly length: number;
}

/**
 * A parsed expression, as plain read-only data. `condition` is null for a blank text, which matches everything.
 * Source: docs/reference/expressions.md, "Grammar".
 */
export interface Expression {
  readonly source: string;
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
  readonly kind: 'or';
  readonly operands: readonly ExpressionNode[];
}

/** Has at least two operands. None of them is an `and`. */
export interface AndNode extends Span {
  readonly kind: 'and';
  readonly operands: readonly ExpressionNode[];
}

/** `NOT operand`. */
export interface NotNode extends Span {
  readonly kind: 'not';
  readonly operand: ExpressionNode;
}

/** The operators of comparisons. */
export type ComparisonOperator = '==' | '!=' | '<' | '<=' | '>' | '>=' | '=~' | '!~';

/** `left operator right`. */
export interface ComparisonNode extends Span {
  readonly kind: 'comparison';
  readonly operator: ComparisonOperator;
  readonly left: ExpressionNode;
  readonly right: ExpressionNode;
}

/** An item of a list. */
export type ListItem = LiteralNode | DateNode;

/** `operand IN {items}`, or `operand NOT IN {items}` when `negated`. */
export interface MembershipNode extends Span {
  readonly kind: 'in';
  readonly operand: ExpressionNode;
  readonly items: readonly ListItem[];
  readonly negated: boolean;
}

/** A term that a sum adds or subtracts. */
export interface SumTerm {
  readonly operator: '+' | '-';
  readonly operand: ExpressionNode;
}

/** Starts with `first` and adds or subtracts at least one term, from left to right. */
export interface SumNode extends Span {
  readonly kind: 'sum';
  readonly first: ExpressionNode;
  readonly rest: readonly SumTerm[];
}

/** A minus before DTDURATION. A minus before a number is part of the literal instead. */
export interface NegativeNode extends Span {
  readonly kind: 'negative';
  readonly operand: DurationNode;
}

/** A number, a string, a boolean or null. */
export interface LiteralNode extends Span {
  readonly kind: 'literal';
  readonly value: string | number | boolean | null;
}

/** `DATE(text)`. The parser guarantees that the text is `today`, `now`, an ISO date or an ISO timestamp with offset. */
export interface DateNode extends Span {
  readonly kind: 'date';
  readonly text: string;
}

/** `DTDURATION(…)` with its four arguments in the order of `DURATION_UNITS`. */
export interface DurationNode extends Span {
  readonly kind: 'duration';
  readonly arguments: readonly number[];
}

/** A datapath. */
export interface PathNode extends Span {
  readonly kind: 'path';
  readonly path: Datapath;
}

/** `CHANGED(path)`: the event changed the value. `WAS(path)`: the value before the event. */
export interface PastNode extends Span {
  readonly kind: 'past';
  readonly call: PastFunction;
  readonly operand: PathNode;
}

/** The functions that compare an object with its former state. */
export type PastFunction = 'CHANGED' | 'WAS';
