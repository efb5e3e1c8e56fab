import { quoteLiteral } from '@ats/search-query';

/** What the text is tried as, most exact first; each is a condition on words that one index answers. */
export interface TriesOptions {
  /** The table whose words are compared. */
  readonly source: string;
  /** Words that not everybody may see are tried too. */
  readonly showsAll: boolean;
}

/** Words of a text that count: enough to tell people and titles apart, few enough to be looked for at once. */
const MAX_WORDS = 20;
/** Of those, how many are completed or corrected. */
const MAX_CHANGED = 3;
/** How many words are tried in the place of one. */
const COMPLETIONS = 12;
const CORRECTIONS = 4;
/** Trigrams of more characters take longer than they tell. */
const MAX_COMPARED = 200;

/**
 * The parts of a WITH that make a column of queries `tries(query)` from the text `$1`. They are worked out one by one, each when those
 * before it have not found enough:
 *
 * 1. all words, in any order;
 * 2. words that begin with them (of a single short word: one after the other, the shortest first, for thousands may begin so);
 * 3. words that look like them, by trigrams;
 * 4. all but the longest word left out, save one of them where there are more than two.
 *
 * A number is right or wrong: it is neither completed nor corrected.
 */
export function triesSql({ source, showsAll }: TriesOptions): string {
  const lexeme = (word: string, end = ''): string => {
    const plain = `'''%1$s''${end}'`;
    return showsAll ? `format('(''%1$s''${end} | ''~%1$s''${end})', ${word})` : `format(${plain}, ${word})`;
  };
  const known = (condition: string, order: string, limit: number): string =>
    `SELECT v.word FROM quick_search_words v WHERE v.source = ${quoteLiteral(source)} AND ${condition} GROUP BY v.word ORDER BY ${order}, v.word LIMIT ${limit}`;
  const similar = (word: string): string => known(`v.word % ${word}`, `similarity(v.word, ${word}) DESC`, CORRECTIONS);
  const only = 'asked.words[1]';
  return `asked AS MATERIALIZED (
  SELECT left(plain, ${MAX_COMPARED}) AS text, words, cardinality(words) AS size,
    ARRAY(SELECT word FROM unnest(words) AS w(word) WHERE length(word) > 2 AND word ~ '[a-z]' LIMIT ${MAX_CHANGED}) AS long,
    ARRAY(SELECT word FROM unnest(words) AS w(word) WHERE length(word) < 3 AND word ~ '[a-z]' LIMIT 1) AS short
  FROM search_words($1) AS plain, LATERAL (SELECT ARRAY(
    SELECT word FROM string_to_table(plain, ' ') WITH ORDINALITY AS w(word, place) GROUP BY word ORDER BY length(word) DESC, min(place) LIMIT ${MAX_WORDS}) AS words) l
),
near AS MATERIALIZED (
  SELECT w.place, '(' || concat_ws(' | ', ${lexeme('w.word')}, (SELECT string_agg(${lexeme('s.word')}, ' | ') FROM (${similar('w.word')}) s)) || ')' AS words
  FROM asked, unnest(asked.long) WITH ORDINALITY AS w(word, place)
),
tries AS (
  SELECT (SELECT string_agg(${lexeme('w.word')}, ' & ') FROM unnest(asked.words) AS w(word)) AS query FROM asked
  UNION ALL
  SELECT ${lexeme('b.word')} FROM asked, LATERAL (${known(`v.word > ${only} AND v.word < ${only} || '{'`, 'length(v.word)', COMPLETIONS)}) b
    WHERE asked.size = 1 AND length(${only}) < 4
  UNION ALL
  SELECT (SELECT string_agg(${lexeme('w.word', ':*')}, ' & ') FROM unnest(asked.long || asked.short) AS w(word)) FROM asked
    WHERE cardinality(asked.long) > 0 AND (asked.size > 1 OR length(${only}) > 3)
  UNION ALL
  SELECT ${lexeme('s.word')} FROM asked, LATERAL (${similar(only)}) s WHERE asked.size = 1 AND length(${only}) > 2
  UNION ALL
  SELECT (SELECT string_agg(near.words, ' & ') FROM near) FROM asked WHERE asked.size > 1
  UNION ALL
  SELECT concat_ws(' & ', (SELECT near.words FROM near WHERE near.place = 1),
      CASE WHEN asked.size > 2 THEN '(' || (SELECT string_agg(${lexeme('w.word')}, ' | ') FROM unnest(asked.words) AS w(word) WHERE w.word <> asked.long[1]) || ')' END)
    FROM asked WHERE asked.size > 1 AND cardinality(asked.long) > 0
)`;
}
