/**
 * The greatest sizes accepted. The first group is enforced while parsing, before any recursion, so that hostile text
 * costs little; the second at evaluation, where going beyond makes the result unknown rather than false.
 * Source: CONTRACT.md 6; what it leaves open follows EventBridge and the minima of CEL.
 */
export const LIMITS = {
  /** UTF-16 units of an expression or a standalone datapath. */
  textLength: 4096,
  /** Parentheses inside parentheses. */
  nestedParentheses: 32,
  /** `NOT NOT NOT …` */
  consecutiveNots: 32,
  /** Nodes of the tree; the list of an IN counts as one. */
  nodes: 512,
  /** Names of a datapath, the root included. */
  pathSegments: 16,
  segmentLength: 64,
  /** Different datapaths in one expression. */
  distinctPaths: 64,
  listItems: 1000,
  /** Decoded UTF-16 units of a string literal. */
  stringLength: 1024,
  /** Sum of the magnitudes of the four arguments of DTDURATION. */
  durationDays: 106_751,
  /** Section and form instances of `formdata`, which count from 1. */
  formInstance: 2_147_483_647,

  /** Elements of a to-many datapath. */
  toManyElements: 1000,
  /** Pairs compared when a to-many datapath stands on both sides. */
  comparedPairs: 10_000,
} as const;
