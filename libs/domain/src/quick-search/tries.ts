import { quoteLiteral } from '@ats/search-query';

export interface TriesOptions {
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
/** How many words are tried in the place of one. */
const COMPLETIONS = 12;
const CORRECTIONS = 4;
/** Trigrams of more characters take longer than they tell. */
const MAX_COMPARED = 120;

/**
 * The parts of a WITH that make `tries(query, initial)` from the text `$1`: queries, and what a further word must begin with. They are worked out one by one, each when those
 * before it have not found enough:
 *
 * 1. all words, in any order;
 * 2. words that begin with them; an initial leads to too many, and is looked for in what the others have led to (of a single short word: one after the other, the shortest first, for thousands may begin so);
 *
 * and when nobody has these,
 *
 * 3. words that look like them, by trigrams;
 *
 * and when nobody has those either,
 *
 * 4. the longest word and any of the others, or alone where there are but two.
 *
 * A number is right or wrong: it is neither completed nor corrected.
 */
export function triesSql({ source, showsAll, hasAny }: TriesOptions): string {
  const lexeme = (word: string, end = ''): string =>
    showsAll ? `format('(''%1$s''${end} | ''~%1$s''${end})', ${word})` : `format('''%1$s''${end}', ${word})`;
  const known = (condition: string, order: string, limit: number): string =>
    `SELECT v.word FROM quick_search_words v WHERE v.source = ${quoteLiteral(source)} AND ${condition} GROUP BY v.word ORDER BY ${order}, v.word LIMIT ${limit}`;
  const similar = (word: string): string => known(`v.word % ${word}`, `similarity(v.word, ${word}) DESC`, CORRECTIONS);
  const only = 'asked.words[1]';
  return `split AS MATERIALIZED (
  SELECT ARRAY(
    SELECT word FROM string_to_table(plain, ' ') WITH ORDINALITY AS w(word, place) GROUP BY word ORDER BY length(word) DESC, min(place) LIMIT ${MAX_WORDS}) AS words
  FROM search_words($1) AS plain
),
asked AS MATERIALIZED (
  SELECT left(array_to_string(words, ' '), ${MAX_COMPARED}) AS text, words, cardinality(words) AS size,
    ARRAY(SELECT word FROM unnest(words) AS w(word) WHERE length(word) > 2 AND word ~ '[a-z]' LIMIT ${MAX_CHANGED}) AS long,
    (SELECT word FROM unnest(words) AS w(word) WHERE length(word) < 3 AND word ~ '[a-z]' LIMIT 1) AS initial
  FROM split
),
queries AS MATERIALIZED (
  SELECT (SELECT string_agg(${lexeme('w.word')}, ' & ') FROM unnest(asked.words) AS w(word)) AS exact,
    CASE WHEN cardinality(asked.long) > 0 AND asked.size <= ${MAX_UNSURE} AND (asked.size > 1 OR length(${only}) > 3) THEN
      (SELECT string_agg(${lexeme('w.word', ':*')}, ' & ') FROM unnest(asked.long) AS w(word)) END AS completed, asked.initial
  FROM asked
),
near AS MATERIALIZED (
  SELECT w.place, '(' || coalesce((SELECT string_agg(${lexeme('s.word')}, ' | ') FROM (${similar('w.word')}) s WHERE asked.size <= ${MAX_UNSURE}), ${lexeme('w.word')}) || ')' AS words
  FROM asked, unnest(asked.long) WITH ORDINALITY AS w(word, place)
),
-- Asked only when it comes to that: nothing outside may look into \`near\`.
corrected AS MATERIALIZED (
  SELECT CASE WHEN asked.size <= ${MAX_UNSURE} THEN (SELECT string_agg(words, ' & ') FROM near) END AS query,
    CASE WHEN asked.size > 1 THEN concat_ws(' & ', (SELECT near.words FROM near WHERE near.place = 1),
      CASE WHEN asked.size > 2 THEN '(' || (SELECT string_agg(${lexeme('w.word')}, ' | ') FROM unnest(asked.words) AS w(word) WHERE w.word <> asked.long[1]) || ')' END) END AS loosened
  FROM asked, queries
  WHERE cardinality(asked.long) > 0 AND NOT ${hasAny('queries.exact')} AND NOT ${hasAny('queries.completed')}
),
tries AS (
  SELECT exact AS query, NULL AS initial FROM queries
  UNION ALL
  SELECT ${lexeme('b.word')}, NULL FROM asked, LATERAL (${known(`v.word > ${only} AND v.word < ${only} || '{'`, 'length(v.word)', COMPLETIONS)}) b
    WHERE asked.size = 1 AND length(${only}) < 4
  UNION ALL
  SELECT completed, initial FROM queries
  UNION ALL
  SELECT query, NULL FROM corrected
  UNION ALL
  SELECT loosened, NULL FROM corrected WHERE NOT ${hasAny('corrected.query')}
)`;
}
