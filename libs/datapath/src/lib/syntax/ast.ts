import { type Datapath } from './datapath.js';

/** Where a node stands in the source, in UTF-16 units. */
export interface Span {
  readonly offset: number;
  readonly length: number;
}

/** A whole text. `condition` is null when the text is blank: that matches everything. Plain read-only data. */
export interface Expression {
  readonly source: string;
  readonly condition: ExpressionNode | null;
}

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
  | PathNode;

/** At least two operands, none of them an `or`. */
export interface OrNode extends Span {
  readonly kind: 'or';
  readonly operands: readonly ExpressionNode[];
}

/** At least two operands, none of them an `and`. */
export interface AndNode extends Span {
  readonly kind: 'and';
  readonly operands: readonly ExpressionNode[];
}

export interface NotNode extends Span {
  readonly kind: 'not';
  readonly operand: ExpressionNode;
}

export type ComparisonOperator = '==' | '!=' | '<' | '<=' | '>' | '>=' | '=~' | '!~';

export interface ComparisonNode extends Span {
  readonly kind: 'comparison';
  readonly operator: ComparisonOperator;
  readonly left: ExpressionNode;
  readonly right: ExpressionNode;
}

export type ListItem = LiteralNode | DateNode;

/** `operand IN {items}`, or NOT IN. */
export interface MembershipNode extends Span {
  readonly kind: 'in';
  readonly operand: ExpressionNode;
  readonly items: readonly ListItem[];
  readonly negated: boolean;
}

export interface SumTerm {
  readonly operator: '+' | '-';
  readonly operand: ExpressionNode;
}

/** `first`, then at least one term added or subtracted, from left to right. */
export interface SumNode extends Span {
  readonly kind: 'sum';
  readonly first: ExpressionNode;
  readonly rest: readonly SumTerm[];
}

/** A minus before DTDURATION; before a number it is part of the literal. */
export interface NegativeNode extends Span {
  readonly kind: 'negative';
  readonly operand: DurationNode;
}

export interface LiteralNode extends Span {
  readonly kind: 'literal';
  readonly value: string | number | boolean | null;
}

/** `DATE(text)`; the text is known to be `today`, `now`, an ISO date or an ISO date-time with offset. */
export interface DateNode extends Span {
  readonly kind: 'date';
  readonly text: string;
}

/** `DTDURATION(…)` with its arguments in the order in which they are written: see `DURATION_UNITS`. */
export interface DurationNode extends Span {
  readonly kind: 'duration';
  readonly arguments: readonly number[];
}

export interface PathNode extends Span {
  readonly kind: 'path';
  readonly path: Datapath;
}
