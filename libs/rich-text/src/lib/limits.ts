/**
 * Limits of a rich text. Tags are counted before parsing, because the cost of parsing grows faster than the number of
 * open elements.
 */
export const RICH_TEXT_LIMITS = Object.freeze({
  /**
   * Maximum length in characters (code points). It applies to the given text, its sanitised HTML and its plain text.
   * Source: docs/reference/rich-text.md.
   */
  length: 100_000,
  /** Maximum number of start tags, end tags and comments together. */
  tags: 10_000,
  /** Maximum depth of nested elements. Deeper elements lose their tags and keep their text. */
  depth: 50,
} as const);

/** The limits that a caller of `readRichText` may set. The depth is fixed, because parsers use recursion. */
export type RichTextLimits = Readonly<Record<'length' | 'tags', number>>;
