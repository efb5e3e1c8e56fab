/** What a rich text may be. Parsing costs more than linearly in the elements that are open at once, so tags are counted first. */
export const RICH_TEXT_LIMITS = {
  /** In characters (code points), as given and as stored. CONTRACT.md 5 */
  length: 100_000,
  /** Start tags, end tags and comments together. */
  tags: 10_000,
  /** Elements inside each other; deeper ones lose their tags and keep their text. */
  depth: 50,
} as const;
