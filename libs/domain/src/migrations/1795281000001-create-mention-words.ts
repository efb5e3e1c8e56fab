import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Creates the functions with which anonymising finds the texts that mention a person by indexes, for names in every
 * script and of any length. Source: docs/reference/data-protection.md, "How texts are found".
 */
export class CreateMentionWords1795281000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(FUNCTIONS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION mention_query(text[]), mention_words(text[]), json_texts(jsonb)');
  }
}

const FUNCTIONS = String.raw`
-- The texts in a JSON value, without the names of members.
CREATE FUNCTION json_texts(value jsonb) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
  RETURN (SELECT string_agg(found #>> '{}', E'\x1f') FROM jsonb_path_query(value, 'strict $.** ? (@.type() == "string")') AS found);

-- The words of texts, folded as by fold(), and for each two words in a row a number of 20 bits, which begins with ~.
-- From U+0E00 on, except in additions to the Latin and Greek scripts, each character is a word: many of those scripts put
-- no spaces between words. A long word keeps its first 100 characters, because a word of a tsvector has at most 2,046
-- bytes. All words of a tsvector have at most 1 MiB together, so long texts have the only word *, which every query
-- matches. All names are those of PostgreSQL itself, so that an index can be built with any search_path, such as that of
-- pg_restore.
CREATE FUNCTION mention_words(VARIADIC texts text[]) RETURNS tsvector LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE STRICT COST 1000
AS $function$
DECLARE
  folded text := translate(lower(array_to_string(texts, E'\x1f') COLLATE "und-x-icu"), 'ς', 'σ');
  words text[];
BEGIN
  IF folded ~ '[^\u0001-\u0dff\u1e00-\u2bff]' THEN
    folded := regexp_replace(folded COLLATE "und-x-icu", '([\u0e00-\u1dff\u2c00-\U0010ffff])', ' \1 ', 'g');
  END IF;
  folded := btrim(regexp_replace(folded COLLATE "und-x-icu", '[^[:alnum:]]+', ' ', 'g'));
  IF octet_length(folded) > 250000 THEN
    RETURN array_to_tsvector(ARRAY['*']);
  END IF;
  words := string_to_array(folded, ' ');
  RETURN array_to_tsvector(ARRAY(
    SELECT left(word, 100) FROM unnest(words) AS word
    UNION ALL SELECT '~' || left(md5(word || ' ' || next), 5) FROM unnest(words, words[2:]) AS pair(word, next) WHERE next <> ''));
END $function$;

-- Matches the words of texts that contain one of the given values. It also matches a few other texts, so the texts have
-- to be compared with the values afterwards. Null when no value has a word.
CREATE FUNCTION mention_query(given text[]) RETURNS tsquery LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
  RETURN (SELECT (string_agg('(' || words || ')', ' | ') || ' | ''*''')::tsquery FROM (
    SELECT string_agg(quote_literal(word), ' & ') AS words
    FROM unnest(given) WITH ORDINALITY AS value(text, place), unnest(tsvector_to_array(mention_words(value.text))) AS word
    GROUP BY value.place) AS wanted);
`;
