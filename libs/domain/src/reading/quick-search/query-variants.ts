import { quoteLiteral } from '@ats/search-query';

export interface QueryVariantsOptions {
  /** The table whose words are searched. */
  readonly source: string;
  /**
   * True to also search the words that are stored with a tilde in front. Only clients that may read candidates may find
   * objects by these words.
   */
  readonly showsAll: boolean;
  /**
   * Makes SQL that is true when at least one object matches a query.
   * @param query  SQL of a `tsquery`
   */
  readonly hasAny: (query: string) => string;
}

/** Maximum number of words of a searched text that are used. More words do not help to find a person or a title. */
const MAX_WORDS = 20;
/** Maximum number of words of a searched text that are completed or corrected. */
const MAX_CHANGED = 3;
/**
 * A search text with more words than this is neither completed nor corrected, because each replaced word takes time.
 */
const MAX_UNSURE = 4;
/**
 * Maximum number of two-letter words that are completed at once, because thousands of words can begin with the same two
 * letters.
 */
const MAX_BEGUN = 2;
/** Maximum number of completions of one word. `CORRECTIONS` is the same for corrections. */
const COMPLETIONS = 12;
const CORRECTIONS = 4;
/**
 * Closeness of two words that differ only by two swapped neighbouring letters. It is constant, because comparing
 * trigrams would give such words too low a value.
 */
const SWAPPED = 0.9;
/** Maximum length of a text whose trigrams are compared. Longer texts take more time without better results. */
export const MAX_TEXT = 120;

/**
 * Makes the parts of a WITH clause that derive the table `tries(query, initial, is_guess)` from the text `$1`. Each row
 * is one try: a query, the initial of a further word, and `is_guess`, which is true when matches may look unlike the
 * text. The table `near(word, other, closeness)` has the similar words of each word. PostgreSQL computes a try only
 * when the tries before it found too few items:
 *
 * 1. All words, in any order.
 * 2. Words that begin with the given words. Too many words begin with a single letter, an initial, so it is searched
 *    only among the matches of the other words. When the text is one short word, the words that begin with it are
 *    searched one by one, the shortest first. When all words of the text are short, the words of two letters are
 *    searched at once.
 * 3. If the first two tries have no match: similar words, with two swapped letters or by trigrams.
 * 4. If the third try has no match either: the longest word with any of the other words. If the text has only two
 *    words, the longest word alone.
 *
 * A number is neither completed nor corrected.
 */
export function queryVariantsSql({ source, showsAll, hasAny }: QueryVariantsOptions): string {
  const lexeme = (word: string, end = ''): string =>
    showsAll ? `format('(''%1$s''${end} | ''~%1$s''${end})', ${word})` : `format('''%1$s''${end}', ${word})`;
  const words = `quick_search_words v WHERE v.source = ${quoteLiteral(source)}`;
  const known = (condition: string, order: string, limit: number): string =>
    `SELECT v.word FROM ${words} AND ${condition} GROUP BY v.word ORDER BY ${order}, v.word LIMIT ${limit}`;
  const swapped = (word: string): string =>
    `left(${word}, at - 1) || substr(${word}, at + 1, 1) || substr(${word}, at, 1) || substr(${word}, at + 2)`;
  const similar = (word: string): string => `SELECT s.word AS other, max(s.closeness) AS closeness FROM (
      SELECT v.word, similarity(v.word, ${word}) AS closeness FROM ${words} AND v.word % ${word}
      UNION ALL
      SELECT v.word, ${SWAPPED} FROM ${words} AND v.word = ANY (ARRAY(
        SELECT ${swapped(word)} FROM generate_series(1, length(${word}) - 1) AS at))
    ) s GROUP BY s.word ORDER BY 2 DESC, s.word LIMIT ${CORRECTIONS}`;
  const nearOf = (word: string): string => {
    const others = `SELECT string_agg(${lexeme('n.other')}, ' | ') FROM near n WHERE n.word = ${word}`;
    return `'(' || coalesce((${others}), ${lexeme(word)}) || ')'`;
  };
  const only = 'asked.words[1]';
  return `split AS MATERIALIZED (
  SELECT ARRAY(
    SELECT word FROM string_to_table(plain, ' ') WITH ORDINALITY AS w(word, place)
    GROUP BY word ORDER BY length(word) DESC, min(place) LIMIT ${MAX_WORDS}) AS words
  FROM search_words($1) AS plain
),
asked AS MATERIALIZED (
  SELECT left(array_to_string(words, ' '), ${MAX_TEXT}) AS text, words, cardinality(words) AS size,
    ARRAY(SELECT word FROM unnest(words) AS w(word)
      WHERE length(word) > 2 AND word ~ '[a-z]' LIMIT ${MAX_CHANGED}) AS long,
    ARRAY(SELECT word FROM unnest(words) AS w(word) WHERE length(word) < 3 AND word ~ '[a-z]') AS short
  FROM split
),
begun AS MATERIALIZED (
  SELECT b.words, cardinality(asked.long) = 0 AS is_guess,
    (SELECT word FROM unnest(asked.short) AS w(word) WHERE word <> ALL (b.words) LIMIT 1) AS initial
  FROM asked, LATERAL (
    SELECT CASE WHEN cardinality(asked.long) > 0 THEN asked.long ELSE ARRAY(
      SELECT word FROM unnest(asked.short) AS w(word) WHERE length(word) = 2 LIMIT ${MAX_BEGUN}) END AS words) b
),
queries AS MATERIALIZED (
  SELECT (SELECT string_agg(${lexeme('w.word')}, ' & ') FROM unnest(asked.words) AS w(word)) AS exact,
    CASE WHEN asked.size <= ${MAX_UNSURE}
        AND (cardinality(asked.short) > 1
          OR cardinality(asked.long) > 0 AND (asked.size > 1 OR length(${only}) > 3)) THEN
      (SELECT string_agg(${lexeme('w.word', ':*')}, ' & ') FROM unnest(begun.words) AS w(word)) END AS completed
  FROM asked, begun
),
-- PostgreSQL computes \`near\` only when a query reads it, so no earlier try may read it.
near AS MATERIALIZED (
  SELECT w.word, s.other, s.closeness
  FROM asked, unnest(asked.long) AS w(word), LATERAL (${similar('w.word')}) s WHERE asked.size <= ${MAX_UNSURE}
),
corrected AS MATERIALIZED (
  SELECT CASE WHEN asked.size <= ${MAX_UNSURE} THEN (
      SELECT string_agg(${nearOf('w.word')}, ' & ') FROM unnest(asked.long) AS w(word)) END AS query,
    CASE WHEN asked.size > 1 THEN concat_ws(' & ', ${nearOf('asked.long[1]')},
      CASE WHEN asked.size > 2 THEN '(' || (
        SELECT string_agg(${lexeme('w.word')}, ' | ') FROM unnest(asked.words) AS w(word)
        WHERE w.word <> asked.long[1]) || ')' END) END AS loosened
  FROM asked, queries
  WHERE cardinality(asked.long) > 0 AND NOT ${hasAny('queries.exact')} AND NOT ${hasAny('queries.completed')}
),
tries AS (
  SELECT exact AS query, NULL AS initial, false AS is_guess FROM queries
  UNION ALL
  SELECT ${lexeme('b.word')}, NULL, false
    FROM asked, LATERAL (${known(`v.word > ${only} AND v.word < ${only} || '{'`, 'length(v.word)', COMPLETIONS)}) b
    WHERE asked.size = 1 AND length(${only}) < 4
  UNION ALL
  SELECT completed, begun.initial, begun.is_guess FROM queries, begun
  UNION ALL
  SELECT query, NULL, true FROM corrected
  UNION ALL
  SELECT loosened, NULL, true FROM corrected WHERE NOT ${hasAny('corrected.query')}
)`;
}
