import { quoteLiteral } from '@ats/search-query';

export interface QueryVariantsOptions {
  /** The table whose words are compared. */
  readonly source: string;
  /** Words that not everybody may see are tried too. */
  readonly showsAll: boolean;
  /** Whether any object has the words of a query, which is an SQL expression. */
  readonly hasAny: (query: string) => string;
}

/** Words of a text that count: enough to tell people and titles apart, few enough to be looked for at once. */
const MAX_WORDS = 20;
/** Of those, how many are completed or corrected. */
const MAX_CHANGED = 3;
/** Of a text with more words none is completed or corrected: each that is tried in its place takes its time. */
const MAX_UNSURE = 4;
/** Where all words are short, how many beginnings are looked for at once: thousands of words may begin with each. */
const MAX_BEGUN = 2;
/** How many words are tried in the place of one. */
const COMPLETIONS = 12;
const CORRECTIONS = 4;
/** How close a word is that two letters beside each other, changed about, make of another; trigrams find such a word far away. */
const SWAPPED = 0.9;
/** Trigrams of more characters take longer than they tell. */
export const MAX_TEXT = 120;

/**
 * The parts of a WITH that make `tries(query, initial, is_guess)` from the text `$1`: queries, what a further word must begin with, and whether what they find may look unlike
 * the text: `near(word, other, closeness)` has what was looked for in the place of a word. They are worked out one by one, each when those before it have not found enough:
 *
 * 1. all words, in any order;
 * 2. words that begin with them; an initial leads to too many, and is looked for in what the others have led to (of a single short word: one after the other, the shortest first, for thousands may begin so; of short words alone those of two letters, at once);
 *
 * and when nobody has these,
 *
 * 3. words that look like them: with two letters changed about, or by trigrams;
 *
 * and when nobody has those either,
 *
 * 4. the longest word and any of the others, or alone where there are but two.
 *
 * A number is right or wrong: it is neither completed nor corrected.
 */
export function queryVariantsSql({ source, showsAll, hasAny }: QueryVariantsOptions): string {
  const lexeme = (word: string, end = ''): string =>
    showsAll ? `format('(''%1$s''${end} | ''~%1$s''${end})', ${word})` : `format('''%1$s''${end}', ${word})`;
  const known = (condition: string, order: string, limit: number): string =>
    `SELECT v.word FROM quick_search_words v WHERE v.source = ${quoteLiteral(source)} AND ${condition} GROUP BY v.word ORDER BY ${order}, v.word LIMIT ${limit}`;
  const similar = (word: string): string => `SELECT s.word AS other, max(s.closeness) AS closeness FROM (
      SELECT v.word, similarity(v.word, ${word}) AS closeness FROM quick_search_words v WHERE v.source = ${quoteLiteral(source)} AND v.word % ${word}
      UNION ALL
      SELECT v.word, ${SWAPPED} FROM quick_search_words v WHERE v.source = ${quoteLiteral(source)} AND v.word = ANY (ARRAY(
        SELECT left(${word}, at - 1) || substr(${word}, at + 1, 1) || substr(${word}, at, 1) || substr(${word}, at + 2) FROM generate_series(1, length(${word}) - 1) AS at))
    ) s GROUP BY s.word ORDER BY 2 DESC, s.word LIMIT ${CORRECTIONS}`;
  const nearOf = (word: string): string =>
    `'(' || coalesce((SELECT string_agg(${lexeme('n.other')}, ' | ') FROM near n WHERE n.word = ${word}), ${lexeme(word)}) || ')'`;
  const only = 'asked.words[1]';
  return `split AS MATERIALIZED (
  SELECT ARRAY(
    SELECT word FROM string_to_table(plain, ' ') WITH ORDINALITY AS w(word, place) GROUP BY word ORDER BY length(word) DESC, min(place) LIMIT ${MAX_WORDS}) AS words
  FROM search_words($1) AS plain
),
asked AS MATERIALIZED (
  SELECT left(array_to_string(words, ' '), ${MAX_TEXT}) AS text, words, cardinality(words) AS size,
    ARRAY(SELECT word FROM unnest(words) AS w(word) WHERE length(word) > 2 AND word ~ '[a-z]' LIMIT ${MAX_CHANGED}) AS long,
    ARRAY(SELECT word FROM unnest(words) AS w(word) WHERE length(word) < 3 AND word ~ '[a-z]') AS short
  FROM split
),
begun AS MATERIALIZED (
  SELECT b.words, cardinality(asked.long) = 0 AS is_guess, (SELECT word FROM unnest(asked.short) AS w(word) WHERE word <> ALL (b.words) LIMIT 1) AS initial
  FROM asked, LATERAL (
    SELECT CASE WHEN cardinality(asked.long) > 0 THEN asked.long ELSE ARRAY(SELECT word FROM unnest(asked.short) AS w(word) WHERE length(word) = 2 LIMIT ${MAX_BEGUN}) END AS words) b
),
queries AS MATERIALIZED (
  SELECT (SELECT string_agg(${lexeme('w.word')}, ' & ') FROM unnest(asked.words) AS w(word)) AS exact,
    CASE WHEN asked.size <= ${MAX_UNSURE} AND (cardinality(asked.short) > 1 OR cardinality(asked.long) > 0 AND (asked.size > 1 OR length(${only}) > 3)) THEN
      (SELECT string_agg(${lexeme('w.word', ':*')}, ' & ') FROM unnest(begun.words) AS w(word)) END AS completed
  FROM asked, begun
),
-- Asked only when it comes to that: nothing may look into \`near\` for what was found before.
near AS MATERIALIZED (
  SELECT w.word, s.other, s.closeness FROM asked, unnest(asked.long) AS w(word), LATERAL (${similar('w.word')}) s WHERE asked.size <= ${MAX_UNSURE}
),
corrected AS MATERIALIZED (
  SELECT CASE WHEN asked.size <= ${MAX_UNSURE} THEN (SELECT string_agg(${nearOf('w.word')}, ' & ') FROM unnest(asked.long) AS w(word)) END AS query,
    CASE WHEN asked.size > 1 THEN concat_ws(' & ', ${nearOf('asked.long[1]')},
      CASE WHEN asked.size > 2 THEN '(' || (SELECT string_agg(${lexeme('w.word')}, ' | ') FROM unnest(asked.words) AS w(word) WHERE w.word <> asked.long[1]) || ')' END) END AS loosened
  FROM asked, queries
  WHERE cardinality(asked.long) > 0 AND NOT ${hasAny('queries.exact')} AND NOT ${hasAny('queries.completed')}
),
tries AS (
  SELECT exact AS query, NULL AS initial, false AS is_guess FROM queries
  UNION ALL
  SELECT ${lexeme('b.word')}, NULL, false FROM asked, LATERAL (${known(`v.word > ${only} AND v.word < ${only} || '{'`, 'length(v.word)', COMPLETIONS)}) b
    WHERE asked.size = 1 AND length(${only}) < 4
  UNION ALL
  SELECT completed, begun.initial, begun.is_guess FROM queries, begun
  UNION ALL
  SELECT query, NULL, true FROM corrected
  UNION ALL
  SELECT loosened, NULL, true FROM corrected WHERE NOT ${hasAny('corrected.query')}
)`;
}
