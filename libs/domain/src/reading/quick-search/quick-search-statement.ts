import { DatapathColumns } from '@ats/search-query';
import { prepared, type ReadStatement } from '@ats/postgres';
import { objectModel } from '../../objects/object-model.js';
import { conditionsOf, sqlSettings, tableOf, type ReadSettings } from '../representation-sql.js';
import { type QuickSearchGroup } from './groups.js';
import { MAX_TEXT, queryVariantsSql } from './query-variants.js';

/** One match of a group. */
export interface QuickSearchResult {
  readonly id: number;
  readonly url: string;
  readonly title: string;
  readonly subtitle: string | null;
  /** A number from 0 to 1: 80% `word_similarity` plus 20% `similarity` of the trigrams. */
  readonly score: number;
}

/**
 * Maximum number of matches of a group whose score is computed. Exact matches are taken before matches of similar
 * words, see `queryVariantsSql`.
 */
const MAX_COMPARED = 100;
/** Maximum number of persons whose applications are searched for. */
const MAX_PASSED = 500;
/** Maximum number of matches of one query that are checked for a word with the given initial. */
const MAX_SIFTED = 2_000;
/** Matches with a lower score are not shown. */
const MIN_SCORE = 0.4;
/** Closeness of two words when the searched word has one or two letters and the found word begins with it. */
const BEGUN = 0.6;
const WORDS = 'quick_search_text';
/**
 * SQL for the words of an object as a `tsvector`. It must equal the expression of the index. Otherwise PostgreSQL does
 * not use the index.
 */
const vector = (alias: string): string => `array_to_tsvector(string_to_array(${alias}.${WORDS}, ' '))`;

/**
 * Makes the statement that finds the best matches of one group for a text. PostgreSQL reuses its plan for all texts.
 */
export type QuickSearchStatement = (text: string, limit: number) => ReadStatement;

/**
 * Compiles the statement of a group. Its rows are `QuickSearchResult`s, with the highest score first and then by id.
 */
export function quickSearchStatement(group: QuickSearchGroup, settings: ReadSettings): QuickSearchStatement {
  const keyParameters = group.keys.map((_, index) => `$${index + 3}`);
  const { showsAll, compared } = group;
  const hasAny = (query: string): string =>
    `EXISTS (SELECT FROM ${tableOf(compared)} k WHERE ${vector('k')} @@ (${query})::tsquery)`;
  const keyed = group.keys.map((key, index) =>
    keyedSql(group, key.of, (alias) => key.sql(alias, keyParameters[index] ?? '')),
  );
  const text = `WITH ${queryVariantsSql({ source: tableOf(compared), showsAll, hasAny })},
found AS MATERIALIZED (
  ${[...keyed, triedSql(group)].join('\n  UNION ALL\n  ')}
  LIMIT ${MAX_COMPARED}
),
scored AS (
  SELECT f.id, CASE WHEN f.is_exact THEN 1
    ELSE round(greatest(${scoreSql('asked.text')}, guessed.score)::numeric, 3) END AS score
  FROM (
    SELECT id, words, bool_or(is_exact) AS is_exact, bool_or(is_guess) AS is_guess FROM found GROUP BY id, words
  ) f CROSS JOIN asked
  LEFT JOIN LATERAL (${guessedSql}) guessed ON true
),
ranked AS MATERIALIZED (
  SELECT id, score, row_number() OVER (ORDER BY score DESC, id) AS rank FROM scored WHERE score >= ${MIN_SCORE}
)
${shownSql(group, settings)}`;
  const statement = prepared(text);
  return (given, limit) => ({
    ...statement,
    parameters: [comparedPart(given), limit, ...group.keys.map((key) => key.read(given))],
  });
}

const scoreSql = (text: string): string => `(4 * word_similarity(${text}, f.words) + similarity(${text}, f.words)) / 5`;

/**
 * SQL for the score of a match that was found by similar words. The match's own words replace the searched words before
 * both texts are compared. The score is multiplied by the lowest closeness of the replaced words.
 */
const guessedSql = `SELECT g.closeness * ${scoreSql('g.text')} AS score FROM (
    SELECT left(string_agg(coalesce(o.word, a.word), ' '), ${MAX_TEXT}) AS text,
      coalesce(min(o.closeness), 1) AS closeness
    FROM unnest(asked.words) AS a(word) LEFT JOIN LATERAL (
      SELECT w.word, coalesce(n.closeness, ${BEGUN}) AS closeness
      FROM string_to_table(translate(f.words, '~', ''), ' ') AS w(word)
        LEFT JOIN near n ON n.word = a.word AND n.other = w.word
      WHERE n.other IS NOT NULL OR length(a.word) < 3 AND starts_with(w.word, a.word)
      ORDER BY 2 DESC, length(w.word), w.word LIMIT 1) o ON true
    WHERE f.is_guess) g`;

/**
 * Returns the part of an e-mail address before the @, because many persons can share a domain. Returns any other text
 * unchanged.
 */
const comparedPart = (text: string): string => (/^\S*@\S*$/.test(text) ? text.slice(0, text.indexOf('@')) : text);

/**
 * SQL for the words by which an item can be found. Words with a tilde in front come last; only groups with `showsAll`
 * search them.
 */
const wordsOf = ({ showsAll }: QuickSearchGroup): string =>
  showsAll ? `k.${WORDS}` : `split_part(k.${WORDS}, ' ~', 1)`;

function keyedSql(group: QuickSearchGroup, of: 'compared' | 'item', condition: (alias: string) => string): string {
  const where = [
    ...itemConditions(group),
    ...(of === 'item' ? [condition('i')] : [condition('k'), `k.${WORDS} IS NOT NULL`]),
  ].join(' AND ');
  return `(SELECT i.id, ${wordsOf(group)} AS words, true AS is_exact, false AS is_guess
    FROM ${fromSql(group, `${tableOf(group.compared)} k`)} WHERE ${where} ORDER BY i.id LIMIT ${MAX_COMPARED})`;
}

/** SQL that runs the queries of `tries` one after the other and stops after enough matches. */
function triedSql(group: QuickSearchGroup): string {
  const { compared, keyColumn } = group;
  const ofItems = keyColumn ? [] : conditionsOf(group.resource, 'k', '');
  const perTry = keyColumn ? MAX_PASSED : MAX_COMPARED;
  const where = [`${vector('k')} @@ tries.query::tsquery`, ...ofItems].join(' AND ');
  const objects = `SELECT l.id, l.words, tries.is_guess FROM tries CROSS JOIN LATERAL (
    SELECT m.id, m.words FROM (
      SELECT k.id, ${wordsOf(group)} AS words FROM ${tableOf(compared)} k WHERE ${where} LIMIT ${MAX_SIFTED}) m
    WHERE tries.initial IS NULL OR ' ' || m.words LIKE '% ' || tries.initial || '%' LIMIT ${perTry}) l
    WHERE tries.query IS NOT NULL LIMIT ${perTry}`;
  if (!keyColumn) return `(SELECT k.id, k.words, false AS is_exact, k.is_guess FROM (${objects}) k)`;
  return `(SELECT i.id, k.words, false AS is_exact, k.is_guess
    FROM ${fromSql(group, `(${objects}) k`)} WHERE ${itemConditions(group).join(' AND ')})`;
}

/** SQL that joins the items `i` to the objects `k` whose words are searched. */
const fromSql = ({ keyColumn, resource }: QuickSearchGroup, compared: string): string =>
  `${compared} JOIN ${tableOf(resource.type)} i ON ${keyColumn ? `i.${keyColumn} = k.id` : 'i.id = k.id'}`;

const itemConditions = ({ resource }: QuickSearchGroup): string[] => conditionsOf(resource, 'i', '');

function shownSql({ resource: { type }, title, subtitle }: QuickSearchGroup, settings: ReadSettings): string {
  const columns = new DatapathColumns({
    model: objectModel,
    root: type.name,
    alias: 't',
    settings: sqlSettings(settings),
    remembersSmall: true,
  });
  const shown = [
    `${columns.value('url')} AS url`,
    `${columns.value(title)} AS title`,
    `nullif(concat_ws(' · ', ${subtitle.map((path) => columns.value(path)).join(', ')}), '') AS subtitle`,
  ];
  return `SELECT r.id, ${shown.join(', ')}, r.score::float8 AS score
FROM ranked r JOIN ${tableOf(type)} t ON t.id = r.id ${columns.joins} WHERE r.rank <= $2::integer ORDER BY r.rank`;
}
