import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Creates the indexes of quick search: the words of each object, in a form whose comparison does not depend on the
 * database's locale, and a table of all words, so that a mistyped word finds similar words. `quick-search/groups.ts`
 * lists the attributes that are searched.
 */
export class IndexQuickSearch1795220520000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(WORDS);
    for (const [table, text] of Object.entries(TEXTS)) await runner.query(indexed(table, text));
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of Object.keys(TEXTS)) {
      for (const event of ['inserted', 'updated', 'deleted'])
        await runner.query(`DROP TRIGGER tr_${table}_words_${event} ON ${table}`);
      await runner.query(`DROP INDEX ix_${table}_quick_search`);
      await runner.query(`ALTER TABLE ${table} DROP COLUMN quick_search_text`);
    }
    await runner.query('DROP TABLE quick_search_words');
    await runner.query(
      'DROP FUNCTION learn_words(), forget_words(), learn_and_forget_words(), learn_word_list(text, text[]), forget_word_list(text, text[]), has_word(text, text), search_words(text)',
    );
  }
}

const WORDS = String.raw`
-- The words of a text, with one space between them, in lower case and without accents; numbers are words of their own, without
-- zeros before them. Trigrams know only the letters of the database's locale, which may be ASCII alone, so any other letter is
-- written as four of those, two alphabets sharing none. Where words are written without spaces, each sign is a word.
CREATE FUNCTION search_words(value text) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE STRICT AS $function$
DECLARE
  digits constant text := '0123456789abcdefghijklmnopqrstuvwxyz';
  plain text := translate(lower(value COLLATE "und-x-icu"), '''’ʼ' || chr(96), '');
  letter text;
  code integer;
  written text := '';
BEGIN
  IF plain ~ '[^ -~]' THEN
    plain := regexp_replace(normalize(plain, NFKD), '[\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670]', '', 'g');
    plain := replace(replace(replace(translate(plain, 'øđðłıħς', 'oddlihσ'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe');
    -- A sign may stand for a sentence.
    plain := regexp_replace(left(normalize(plain, NFC), 300) COLLATE "und-x-icu", '[^[:alnum:]]+', ' ', 'g');
  END IF;
  plain := regexp_replace(plain, '([0-9]+)', ' \1 ', 'g');
  IF plain ~ '[^ -~]' THEN
    FOREACH letter IN ARRAY regexp_split_to_array(plain, '') LOOP
      IF letter !~ '[ -~]' THEN
        code := (ascii(letter)::bigint * 7919 % 46656)::integer;
        written := written || CASE WHEN letter ~ '[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]' OR ascii(letter) > 131071 THEN ' ' ELSE '' END
          || substr(digits, code / 1296 + 1, 1) || '9' || substr(digits, code / 36 % 36 + 1, 1) || substr(digits, code % 36 + 1, 1)
          || CASE WHEN letter ~ '[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]' OR ascii(letter) > 131071 THEN ' ' ELSE '' END;
      ELSE
        written := written || letter;
      END IF;
    END LOOP;
    plain := written;
  END IF;
  plain := btrim(regexp_replace(regexp_replace(plain, '[^a-z0-9]+', ' ', 'g'), '(^| )0+([0-9])', '\1\2', 'g'));
  -- An index takes no endless word.
  RETURN CASE WHEN length(plain) <= 100 THEN plain ELSE regexp_replace(plain, '([a-z0-9]{100})[a-z0-9]+', '\1', 'g') END;
END $function$;

-- The words that objects of a table are found by. Not unique, so that who adds a word never waits for another who does: twice is as good as once.
CREATE TABLE quick_search_words (
  source text COLLATE "C" NOT NULL,
  word text COLLATE "C" NOT NULL
);
CREATE INDEX ix_quick_search_words ON quick_search_words (source, word);
CREATE INDEX ix_quick_search_words_trigrams ON quick_search_words USING gin (word gin_trgm_ops);

-- A number is right or wrong: nothing leads to it. A word that is there is held until the end, so that nobody forgets it meanwhile.
CREATE FUNCTION learn_word_list(source_table text, texts text[]) RETURNS void LANGUAGE sql AS $function$
  WITH given AS MATERIALIZED (SELECT DISTINCT ltrim(word, '~') AS word FROM unnest(texts) AS t(value), string_to_table(t.value, ' ') AS s(word)),
  held AS MATERIALIZED (SELECT k.word FROM quick_search_words k WHERE k.source = source_table AND k.word IN (SELECT word FROM given) ORDER BY k.word FOR KEY SHARE)
  INSERT INTO quick_search_words (source, word)
  SELECT source_table, word FROM given WHERE word !~ '^[0-9]*$' AND word NOT IN (SELECT word FROM held)
$function$;

CREATE FUNCTION has_word(source_table text, word text) RETURNS boolean LANGUAGE plpgsql AS $function$
DECLARE
  found_any boolean;
BEGIN
  EXECUTE format($sql$SELECT EXISTS (SELECT FROM %I WHERE array_to_tsvector(string_to_array(quick_search_text, ' ')) @@ $1)$sql$, source_table)
    INTO found_any USING (quote_literal(word) || ' | ' || quote_literal('~' || word))::tsquery;
  RETURN found_any;
END $function$;

-- Nobody's name stays behind when the last one who had it is gone, nor when the last two go at once: who may forget a word waits
-- for others who may, and, where nobody seems to have it, for those who are giving it to somebody. Each statement sees what was
-- committed before it, so it is asked again after the waiting; rows of the word that came meanwhile stay.
CREATE FUNCTION forget_word_list(source_table text, texts text[]) RETURNS void LANGUAGE plpgsql AS $function$
DECLARE
  gone text;
  held tid[];
BEGIN
  FOR gone IN SELECT DISTINCT ltrim(word, '~') COLLATE "C" FROM unnest(texts) AS t(value), string_to_table(t.value, ' ') AS s(word) ORDER BY 1 LOOP
    PERFORM FROM quick_search_words k WHERE k.source = source_table AND k.word = gone FOR NO KEY UPDATE;
    CONTINUE WHEN NOT FOUND OR has_word(source_table, gone);
    held := ARRAY(SELECT k.ctid FROM quick_search_words k WHERE k.source = source_table AND k.word = gone FOR UPDATE);
    CONTINUE WHEN has_word(source_table, gone);
    DELETE FROM quick_search_words k WHERE k.ctid = ANY (held);
  END LOOP;
END $function$;

CREATE FUNCTION learn_words() RETURNS trigger LANGUAGE plpgsql AS $function$
BEGIN
  PERFORM learn_word_list(TG_TABLE_NAME, ARRAY(SELECT quick_search_text FROM added));
  RETURN NULL;
END $function$;

CREATE FUNCTION forget_words() RETURNS trigger LANGUAGE plpgsql AS $function$
BEGIN
  PERFORM forget_word_list(TG_TABLE_NAME, ARRAY(SELECT quick_search_text FROM removed));
  RETURN NULL;
END $function$;

CREATE FUNCTION learn_and_forget_words() RETURNS trigger LANGUAGE plpgsql AS $function$
DECLARE
  before text[];
  now text[];
BEGIN
  SELECT array_agg(removed.quick_search_text), array_agg(added.quick_search_text) INTO before, now
    FROM removed JOIN added USING (id) WHERE removed.quick_search_text IS DISTINCT FROM added.quick_search_text;
  IF before IS NOT NULL THEN
    PERFORM learn_word_list(TG_TABLE_NAME, now);
    PERFORM forget_word_list(TG_TABLE_NAME, before);
  END IF;
  RETURN NULL;
END $function$;
`;

/**
 * SQL of an object's words, by table. Only the part of an e-mail address before the @ counts, because many people share
 * the rest. Words of texts that only clients with full read access may find have a tilde in front and come last.
 */
const TEXTS: Readonly<Record<string, string>> = {
  users: `CASE WHEN type = 'candidate' AND status <> 'anonymised' THEN
    search_words(firstname || ' ' || lastname || ' ' || split_part(email, '@', 1))
    || coalesce(' ~' || replace(nullif(search_words(preferred_name), ''), ' ', ' ~'), '') END`,
  opportunities: `search_words(title || ' ' || reference)`,
  postings: `search_words(title)`,
};

const indexed = (table: string, text: string): string => `
ALTER TABLE ${table} ADD COLUMN quick_search_text text COLLATE "C" GENERATED ALWAYS AS (${text}) STORED;
CREATE INDEX ix_${table}_quick_search ON ${table} USING gin (array_to_tsvector(string_to_array(quick_search_text, ' ')));
SELECT learn_word_list('${table}', ARRAY(SELECT quick_search_text FROM ${table}));
CREATE TRIGGER tr_${table}_words_inserted AFTER INSERT ON ${table} REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION learn_words();
CREATE TRIGGER tr_${table}_words_updated AFTER UPDATE ON ${table} REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION learn_and_forget_words();
CREATE TRIGGER tr_${table}_words_deleted AFTER DELETE ON ${table} REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION forget_words();
`;
