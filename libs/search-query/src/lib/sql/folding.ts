/**
 * Folds the case of a text for `=~`, `!~` and `filter`. The result is in lower case, for no particular language, and
 * the Greek final sigma becomes a normal sigma. JavaScript and the ICU library of PostgreSQL agree for every letter
 * that both know. Source: docs/reference/search.md, "Substrings".
 */
export const fold = (text: string): string => text.toLowerCase().replaceAll('ς', 'σ');

/** The name of ICU's Unicode root collation in PostgreSQL. It does not depend on the collation of the database. */
export const ROOT_COLLATION = '"und-x-icu"';

/** Returns the SQL expression that folds the text `sql` like `fold`. */
export const foldSql = (sql: string): string => `translate(lower(${sql} COLLATE ${ROOT_COLLATION}), 'ς', 'σ')`;

/**
 * Folds the case of an e-mail address for comparisons. It changes only ASCII letters, because stored addresses are
 * ASCII. So PostgreSQL and JavaScript agree in every collation.
 */
export const foldEmail = (text: string): string => text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());

/**
 * Returns the SQL expression that folds a stored address like `foldEmail`. Indexes of addresses use the same
 * expression.
 */
export const foldEmailSql = (sql: string): string => `lower(${sql})`;

/** The collation of English equals the root collation. The name `und` would mean the language of the machine. */
const collator = new Intl.Collator('en');

/**
 * Compares texts by the Unicode root collation: letters first, then accents, then case. Texts that are equal in all of
 * these are compared by code points, as in PostgreSQL.
 */
export function compareTexts(left: string, right: string): number {
  return collator.compare(left, right) || compareCodePoints(left, right);
}

function compareCodePoints(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  for (let at = 0; at < length; at++) {
    // The texts are equal before `at`. When `at` is inside a surrogate pair, a pair starts at the same position in both.
    if (left.charCodeAt(at) !== right.charCodeAt(at))
      return (left.codePointAt(startOf(left, at)) ?? 0) - (right.codePointAt(startOf(right, at)) ?? 0);
  }
  return left.length - right.length;
}

/** Returns the start of the surrogate pair that contains the position `at`, or `at` itself when there is none. */
const startOf = (text: string, at: number): number => (/[\uDC00-\uDFFF]/.test(text.charAt(at)) ? at - 1 : at);
