/**
 * Limits of the language. The parser enforces the first group before it recurses, so that hostile text costs little.
 * Evaluation enforces the second group; above these limits the result is unknown.
 * Source: docs/reference/expressions.md, "Limits". The numbers are similar to the limits of EventBridge and CEL.
 */
export const LIMITS = Object.freeze({
  /** Length of an expression or of a datapath that stands alone, in UTF-16 units. */
  textLength: 4096,
  /** Depth of nested parentheses. */
  nestedParentheses: 32,
  /** Length of a chain `NOT NOT NOT …`. */
  consecutiveNots: 32,
  /** Nodes of the tree. The list of an IN counts as one node. */
  nodes: 512,
  /** Names in a datapath, including the root. */
  pathSegments: 16,
  /** Characters of one name. */
  segmentLength: 64,
  /** Different datapaths in one expression. */
  distinctPaths: 64,
  /** Items in the list of an IN. */
  listItems: 1000,
  /** Length of a string after unescaping, in UTF-16 units. */
  stringLength: 1024,
  /** Days of a DTDURATION, as the sum of the absolute values of its arguments. */
  durationDays: 106_751,

  /** Values of a to-many datapath. */
  toManyElements: 1000,
  /** Pairs of values that one comparison of two to-many datapaths may compare. */
  comparedPairs: 10_000,
} as const);

/** The limits that a host may set for a text. The others are parts of the meaning of an expression. */
export type SyntaxLimits = Readonly<
  Record<
    | 'textLength'
    | 'nestedParentheses'
    | 'consecutiveNots'
    | 'nodes'
    | 'pathSegments'
    | 'segmentLength'
    | 'distinctPaths'
    | 'listItems'
    | 'stringLength',
    number
  >
>;

/** The limits of a text. */
export const limitsOf = ({ limits }: { readonly limits?: Partial<SyntaxLimits> }): SyntaxLimits =>
  limits === undefined ? LIMITS : { ...LIMITS, ...limits };
