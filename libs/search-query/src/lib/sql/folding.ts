/**
 * The one case folding of `=~`, `!~` and `filter`: lower case without regard to language, and the sigma that ends a word
 * like any other sigma, so that a piece of a word is found inside it. JavaScript and PostgreSQL's ICU compute it alike for
 * every letter that both know.
 */
export const fold = (text: string): string => text.toLowerCase().replaceAll('ς', 'σ');

/** The Unicode root collation of PostgreSQL's ICU: the same order on every machine, whatever the database's own is. */
export const ROOT_COLLATION = '"und-x-icu"';

/** The same folding in SQL. */
export const foldSql = (sql: string): string => `translate(lower(${sql} COLLATE ${ROOT_COLLATION}), 'ς', 'σ')`;

/** English adds nothing to the root collation; `und` would mean the machine's language. */
const collator = new Intl.Collator('en');

/**
 * The order of texts: Unicode root collation, that is letters first, then accents, then case; what is alike in all of them
 * by code points, as PostgreSQL does.
 */
export function compareTexts(left: string, right: string): number {
  return collator.compare(left, right) || compareCodePoints(left, right);
}

function compareCodePoints(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  for (let at = 0; at < length; at++) {
    if (left.charCodeAt(at) !== right.charCodeAt(at))
      return (left.codePointAt(startOf(left, at)) ?? 0) - (right.codePointAt(startOf(right, at)) ?? 0);
  }
  return left.length - right.length;
}

/** The texts are alike before `at`, so a low half there has its high half in both. */
const startOf = (text: string, at: number): number => (/[\uDC00-\uDFFF]/.test(text.charAt(at)) ? at - 1 : at);
