import { type Datapath } from './datapath.js';

/** Position of a node in the source text, in UTF-16 units. */
export interface Span {
  /** The offset of the first character, in UTF-16 units. */
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

/** A node of the syntax tree. `kind` says which form it has. */
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
  | PastNode
  | CallNode;

/** An OR of at least two operands. None of the operands is itself an `or`. */
export interface OrNode extends Span {
  /** The kind of the node. */
  readonly kind: 'or';
  /** The operands, at least two. At least one of them must be true. */
  readonly operands: readonly ExpressionNode[];
}

/** An AND of at least two operands. None of the operands is itself an `and`. */
export interface AndNode extends Span {
  /** The kind of the node. */
  readonly kind: 'and';
  /** The operands, at least two. All of them must be true. */
  readonly operands: readonly ExpressionNode[];
}

/** A negation: `NOT operand`. */
export interface NotNode extends Span {
  /** The kind of the node. */
  readonly kind: 'not';
  /** The operand that must be false. */
  readonly operand: ExpressionNode;
}

/** The operators that compare two operands. */
export type ComparisonOperator = '==' | '!=' | '<' | '<=' | '>' | '>=' | '=~' | '!~';

/** A comparison: `left operator right`. */
export interface ComparisonNode extends Span {
  /** The kind of the node. */
  readonly kind: 'comparison';
  /** The operator of the comparison. */
  readonly operator: ComparisonOperator;
  /** The operand before the operator. */
  readonly left: ExpressionNode;
  /** The operand after the operator. */
  readonly right: ExpressionNode;
}

/** An item of the list after IN. */
export type ListItem = LiteralNode | DateNode;

/** A membership: `operand IN {items}`, or `operand NOT IN {items}` when `negated`. */
export interface MembershipNode extends Span {
  /** The kind of the node. */
  readonly kind: 'in';
  /** The operand whose value is searched in the list. */
  readonly operand: ExpressionNode;
  /** The items of the list. */
  readonly items: readonly ListItem[];
  /** True for `NOT IN`. */
  readonly negated: boolean;
}

/** A term that is added or subtracted in a sum. */
export interface SumTerm {
  /** The operator before the term. */
  readonly operator: '+' | '-';
  /** The operand that is added or subtracted. */
  readonly operand: ExpressionNode;
}

/** A sum. At least one term is added to `first` or subtracted from it, from left to right. */
export interface SumNode extends Span {
  /** The kind of the node. */
  readonly kind: 'sum';
  /** The operand before the first operator. */
  readonly first: ExpressionNode;
  /** The terms that are added to `first` or subtracted from it. */
  readonly rest: readonly SumTerm[];
}

/** A minus before DTDURATION. A minus before a number is a part of the literal instead. */
export interface NegativeNode extends Span {
  /** The kind of the node. */
  readonly kind: 'negative';
  /** The duration that is negated. */
  readonly operand: DurationNode;
}

/** A literal: a number, a string, a boolean or null. */
export interface LiteralNode extends Span {
  /** The kind of the node. */
  readonly kind: 'literal';
  /** The value of the literal. */
  readonly value: string | number | boolean | null;
}

/**
 * A call `DATE(text)`. The parser guarantees that the text is `today`, `now`, an ISO date or an ISO timestamp with
 * offset.
 */
export interface DateNode extends Span {
  /** The kind of the node. */
  readonly kind: 'date';
  /** The argument of DATE, as it was written. */
  readonly text: string;
}

/** A call `DTDURATION(…)`. Its four arguments are in the order of `DURATION_UNITS`. */
export interface DurationNode extends Span {
  /** The kind of the node. */
  readonly kind: 'duration';
  /** The days, hours, minutes and seconds of the duration. */
  readonly arguments: readonly number[];
}

/** A datapath that the expression reads. */
export interface PathNode extends Span {
  /** The kind of the node. */
  readonly kind: 'path';
  /** The parsed datapath. */
  readonly path: Datapath;
}

/**
 * A call of a function about the past. `CHANGED(path)` says whether the event changed the value, and `WAS(path)` is the
 * value before the event.
 */
export interface PastNode extends Span {
  /** The kind of the node. */
  readonly kind: 'past';
  /** The called function: CHANGED or WAS. */
  readonly call: PastFunction;
  /** The datapath in the parentheses. */
  readonly operand: PathNode;
}

/** A call of a function that the host added. */
export interface CallNode extends Span {
  /** The kind of the node. */
  readonly kind: 'call';
  /** The name of the function, in capitals. */
  readonly name: string;
  /** The arguments of the call, in the order of the text. */
  readonly arguments: readonly ExpressionNode[];
}

/** The functions that compare an object with its former state. */
export type PastFunction = 'CHANGED' | 'WAS';
