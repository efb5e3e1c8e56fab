import { type CheckedExpression, type DateClock, type ValueType } from '@ats/datapath';

/** One relation of a path from the root to a value. */
export interface PathStep {
  readonly relation: string;
  /** Name of the object type that has the relation. */
  readonly owner: string;
  readonly target: string;
  readonly many: boolean;
  /** For a to-many step with `[label]`: only the element with this label counts. */
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

/** The path that a search key or sort key names, after it was found in the object model. Plain read-only data. */
export interface Path {
  /** The datapath without the name of the root. */
  readonly datapath: string;
  readonly root: string;
  readonly steps: readonly PathStep[];
  readonly end: PathEnd;
  /** True when a step is to-many, or when the end is a list. */
  readonly many: boolean;
}

/**
 * Values of the attribute's type. A datetime value is a range: one millisecond for a moment, a whole UTC day for a
 * date.
 */
export type Operand =
  | { readonly kind: 'text'; readonly values: readonly string[] }
  | { readonly kind: 'integer' | 'decimal'; readonly values: readonly string[] }
  | { readonly kind: 'boolean'; readonly values: readonly boolean[] }
  | { readonly kind: 'date'; readonly values: readonly string[] }
  | { readonly kind: 'datetime'; readonly values: readonly MomentRange[] };

/** A half-open range of time, in milliseconds since 1970-01-01T00:00Z. */
export interface MomentRange {
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
}

/** `=` matches any of its values. Every other operator has exactly one value. */
export type PositiveOperator = '=' | '=~' | '<' | '<=' | '>' | '>=';

/** A comparison of a key with values. Source: docs/reference/search.md, "Operators". */
export interface Comparison {
  readonly kind: 'comparison';
  readonly path: Path;
  readonly operator: PositiveOperator;
  /** True for `!=` and `!~`, which hold exactly when the positive operator does not. */
  readonly isNegated: boolean;
  readonly operand: Operand;
  /** True when the empty value is among the values of `=`. It matches null, the empty text and an empty list. */
  readonly matchesEmpty: boolean;
}

/** The `filter` parameter. It holds when any of the fields contains the text. */
export interface TextFilter {
  readonly kind: 'filter';
  readonly root: string;
  readonly text: string;
  readonly fields: readonly Path[];
}

/** Holds when all conditions hold, and always when there are none. */
export interface Conjunction {
  readonly kind: 'all';
  readonly conditions: readonly Condition[];
}

/** The `where` parameter: an expression over the items. Source: docs/reference/search.md, "Where". */
export interface ExpressionCondition {
  readonly kind: 'expression';
  readonly checked: CheckedExpression;
  /** The paths of `checked.paths`, in the same order. */
  readonly paths: readonly Path[];
  readonly clock: DateClock;
}

/** A condition on rows. `kind` tells the forms apart. */
export type Condition = Comparison | TextFilter | ExpressionCondition | Conjunction;

/** A path to sort by, with its direction. */
export interface SortKey {
  readonly path: Path;
  readonly isDescending: boolean;
}
