import { type CheckedExpression, type DateClock, type ValueType } from '@ats/datapath';

/** One relation of a path from the root to a value. */
export interface PathStep {
  /** The name of the relation. */
  readonly relation: string;
  /** Name of the object type that has the relation. */
  readonly owner: string;
  /** The object type that the relation leads to. */
  readonly target: string;
  /** True when the relation leads to several objects. */
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
  /** The object type at which the datapath begins. */
  readonly root: string;
  /** The relations that the datapath follows. */
  readonly steps: readonly PathStep[];
  /** What the datapath ends in. */
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
  /** The first millisecond of the range. */
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
}

/** `=` matches any of its values. Every other operator has exactly one value. */
export type PositiveOperator = '=' | '=~' | '<' | '<=' | '>' | '>=';

/** A comparison of a key with values. Source: docs/reference/search.md, "Operators". */
export interface Comparison {
  /** Tells the kinds of conditions apart. */
  readonly kind: 'comparison';
  /** The compared datapath. */
  readonly path: Path;
  /** The operator. */
  readonly operator: PositiveOperator;
  /** True for `!=` and `!~`, which hold exactly when the positive operator does not. */
  readonly isNegated: boolean;
  /** The values to compare with. */
  readonly operand: Operand;
  /** True when the empty value is among the values of `=`. It matches null, the empty text and an empty list. */
  readonly matchesEmpty: boolean;
}

/** The `filter` parameter. It holds when any of the fields contains the text. */
export interface TextFilter {
  /** Tells the kinds of conditions apart. */
  readonly kind: 'filter';
  /** The object type of the collection. */
  readonly root: string;
  /** The searched text. */
  readonly text: string;
  /** The datapaths whose texts are searched. */
  readonly fields: readonly Path[];
}

/** Holds when all conditions hold, and always when there are none. */
export interface Conjunction {
  /** Tells the kinds of conditions apart. */
  readonly kind: 'all';
  /** The conditions that must all hold. */
  readonly conditions: readonly Condition[];
}

/** The `where` parameter: an expression over the items. Source: docs/reference/search.md, "Where". */
export interface ExpressionCondition {
  /** Tells the kinds of conditions apart. */
  readonly kind: 'expression';
  /** The expression. */
  readonly checked: CheckedExpression;
  /** The paths of `checked.paths`, in the same order. */
  readonly paths: readonly Path[];
  /** Says which day and moment are now. */
  readonly clock: DateClock;
}

/** A condition on rows. `kind` tells the forms apart. */
export type Condition = Comparison | TextFilter | ExpressionCondition | Conjunction;

/** A path to sort by, with its direction. */
export interface SortKey {
  /** The datapath whose values are sorted. */
  readonly path: Path;
  /** True for the largest values first. */
  readonly isDescending: boolean;
}
