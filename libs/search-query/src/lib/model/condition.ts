import { type CheckedExpression, type DateClock, type ValueType } from '@ats/datapath';

/** One relation of a path from the root to a value. */
export interface PathStep {
  /** The name of the relation. */
  readonly relation: string;
  /** The name of the object type that has the relation. */
  readonly owner: string;
  /** The object type that the relation leads to. */
  readonly target: string;
  /** True when the relation leads to several objects. */
  readonly many: boolean;
  /** The label of the only element that counts, for a to-many step with `[label]`. */
  readonly label?: { readonly attribute: string; readonly text: string };
}

/** The end of a path: an attribute of `owner`, or an object without an id, which can only be present or missing. */
export type PathEnd =
  | {
      readonly kind: 'attribute';
      readonly owner: string;
      readonly name: string;
      readonly type: ValueType;
      readonly many: boolean;
    }
  | { readonly kind: 'object' };

/** The path of a search key or sort key that was found in the object model, as plain read-only data. */
export interface Path {
  /** The datapath without the name of the root. */
  readonly datapath: string;
  /** The object type at which the datapath begins. */
  readonly root: string;
  /** The relations that the datapath follows. */
  readonly steps: readonly PathStep[];
  /** The attribute or the object at the end of the datapath. */
  readonly end: PathEnd;
  /** True when a step is to-many, or when the end is a list. */
  readonly many: boolean;
}

/**
 * The values of a comparison, which have the type of the attribute. A datetime is a range: one millisecond for a
 * moment, a whole UTC day for a date.
 */
export type Operand =
  | { readonly kind: 'text'; readonly values: readonly string[] }
  | { readonly kind: 'integer' | 'decimal'; readonly values: readonly string[] }
  | { readonly kind: 'boolean'; readonly values: readonly boolean[] }
  | { readonly kind: 'date'; readonly values: readonly string[] }
  | { readonly kind: 'datetime'; readonly values: readonly MomentRange[] };

/** A half-open range of time, in milliseconds since 1970-01-01T00:00Z. */
export interface MomentRange {
  /** The first millisecond of the range. */
  readonly from: number;
  /** The first millisecond after the range. */
  readonly to: number;
}

/**
 * An operator without its negation. A comparison with `=` can have several values, and is true when one of them
 * matches. With any other operator it has exactly one value.
 */
export type PositiveOperator = '=' | '=~' | '<' | '<=' | '>' | '>=';

/** A comparison of a key with values. Source: docs/reference/search.md, "Operators". */
export interface Comparison {
  /** The kind of the condition. */
  readonly kind: 'comparison';
  /** The datapath whose values are compared. */
  readonly path: Path;
  /** The operator without its negation. */
  readonly operator: PositiveOperator;
  /** True for `!=` and `!~`. They are true exactly when the positive operator is false. */
  readonly isNegated: boolean;
  /** The values with which the values of the datapath are compared. */
  readonly operand: Operand;
  /** True when the values of `=` include the empty value. It matches null, the empty text and an empty list. */
  readonly matchesEmpty: boolean;
}

/** The `filter` parameter. It is true when any of the fields contains the text. */
export interface TextFilter {
  /** The kind of the condition. */
  readonly kind: 'filter';
  /** The object type of the items of the collection. */
  readonly root: string;
  /** The text that must occur in one of the fields. */
  readonly text: string;
  /** The datapaths of the fields. */
  readonly fields: readonly Path[];
}

/** A conjunction: true when all its conditions are true, or when it has no conditions. */
export interface Conjunction {
  /** The kind of the condition. */
  readonly kind: 'all';
  /** The conditions that must all be true. */
  readonly conditions: readonly Condition[];
}

/** The `where` parameter: an expression over the items. Source: docs/reference/search.md, "Where". */
export interface ExpressionCondition {
  /** The kind of the condition. */
  readonly kind: 'expression';
  /** The checked expression. */
  readonly checked: CheckedExpression;
  /** The datapaths of `checked.paths` as paths of the search model, in the same order. */
  readonly paths: readonly Path[];
  /** The current day and moment. May be absent when the expression does not need a clock. */
  readonly clock?: DateClock;
}

/** A condition on the items of a collection. `kind` says which form it has. */
export type Condition = Comparison | TextFilter | ExpressionCondition | Conjunction;

/** A path by which items are sorted, with the direction. */
export interface SortKey {
  /** The datapath whose values are sorted. */
  readonly path: Path;
  /** True for the largest values first. */
  readonly isDescending: boolean;
}
