/**
 * Limits of the language. The parser enforces the first group before it recurses, so that hostile text costs little.
 * Evaluation enforces the second group: above these limits the result is unknown. The numbers are similar to the limits
 * of EventBridge and CEL. Source: docs/reference/expressions.md, "Limits".
 */
export const LIMITS = Object.freeze({
  /** Maximum length of an expression, or of a datapath that stands alone, in UTF-16 units. */
  textLength: 4096,
  /** Maximum depth of nested parentheses. */
  nestedParentheses: 32,
  /** Maximum length of a chain `NOT NOT NOT …`. */
  consecutiveNots: 32,
  /** Maximum number of nodes of the tree. The list of an IN counts as one node. */
  nodes: 512,
  /** Maximum number of names in a datapath, including the root. */
  pathSegments: 16,
  /** Maximum number of characters of one name. */
  segmentLength: 64,
  /** Maximum number of different datapaths in one expression. */
  distinctPaths: 64,
  /** Maximum number of items in the list of an IN. */
  listItems: 1000,
  /** Maximum length of a string after unescaping, in UTF-16 units. */
  stringLength: 1024,
  /** Maximum days of a DTDURATION, as the sum of the absolute values of its arguments. */
  durationDays: 106_751,

  /** Maximum number of values of a to-many datapath. */
  toManyElements: 1000,
  /** Maximum number of pairs of values that a comparison of two to-many datapaths may compare. */
  comparedPairs: 10_000,
} as const);

/**
 * The limits that a host may set for a text. A host cannot set the other limits, because they change the result of an
 * expression.
 */
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

/** Returns the limits that apply to a text. */
export const limitsOf = ({ limits }: { readonly limits?: Partial<SyntaxLimits> }): SyntaxLimits =>
  limits === undefined ? LIMITS : { ...LIMITS, ...limits };
