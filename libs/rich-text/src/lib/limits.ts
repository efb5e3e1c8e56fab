/**
 * Limits of a rich text. The cost of parsing grows faster than the number of open elements, so tags are counted first.
 */
export const RICH_TEXT_LIMITS = {
  /** In characters (code points), as given and as stored. Source: docs/reference/rich-text.md. */
  length: 100_000,
  /** Start tags, end tags and comments together. */
  tags: 10_000,
  /** Depth of nested elements. Deeper elements lose their tags and keep their text. */
  depth: 50,
} as const;
