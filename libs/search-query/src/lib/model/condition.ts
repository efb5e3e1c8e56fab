import { type ValueType } from '@ats/datapath';

/** One relation followed on the way to a value. */
export interface PathStep {
  readonly relation: string;
  /** Name of the object type that has the relation. */
  readonly owner: string;
  readonly target: string;
  readonly many: boolean;
  /** Of a step to many: the label of the only element that counts. */
  readonly label?: { readonly attribute: string; readonly text: string };
}

/** Where a path ends: on an attribute of `owner`, or on an object itself, of which one can only ask whether it is there. */
export type PathEnd =
  | {
      readonly kind: 'attribute';
      readonly owner: string;
      readonly name: string;
      readonly type: ValueType;
      readonly many: boolean;
    }
  | { readonly kind: 'object' };

/** A key that the model knows. Plain read-only data. */
export interface Path {
  /** Without the root's name. */
  readonly datapath: string;
  readonly root: string;
  readonly steps: readonly PathStep[];
  readonly end: PathEnd;
  /** Whether a step or the end has many values. */
  readonly many: boolean;
}

/**
 * Values of the attribute's type. A datetime value is a range: one millisecond for a moment, a whole UTC day for a date.
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

/** `=` compares with any of the values, the others with the only one. */
export type PositiveOperator = '=' | '=~' | '<' | '<=' | '>' | '>=';

/** A key compared with values. */
export interface Comparison {
  readonly kind: 'comparison';
  readonly path: Path;
  readonly operator: PositiveOperator;
  /** `!=` and `!~`: holds exactly when the positive operator does not. */
  readonly isNegated: boolean;
  readonly operand: Operand;
  /** With `=`: the empty value is among the values. It matches null, the empty text and an empty to-many. */
  readonly matchesEmpty: boolean;
}

/** The `filter` parameter: the text is in any of the fields. */
export interface TextFilter {
  readonly kind: 'filter';
  readonly root: string;
  readonly text: string;
  readonly fields: readonly Path[];
}

/** All of them hold; none at all always does. */
export interface Conjunction {
  readonly kind: 'all';
  readonly conditions: readonly Condition[];
}

export type Condition = Comparison | TextFilter | Conjunction;

/** One `sort` parameter. */
export interface SortKey {
  readonly path: Path;
  readonly isDescending: boolean;
}
