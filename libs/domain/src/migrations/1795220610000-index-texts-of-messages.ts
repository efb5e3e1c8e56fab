import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Finds messages by a part of their text or subject. What both have in common with the other texts, `search_text`, serves the filter alone. */
export class IndexTextsOfMessages1795220610000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
CREATE INDEX ix_communications_body_trigrams ON communications USING gin (${folded('body_plain')});
CREATE INDEX ix_communications_subject_trigrams ON communications USING gin (${folded('subject')}) WHERE subject IS NOT NULL;`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX ix_communications_body_trigrams, ix_communications_subject_trigrams');
  }
}

/** As `foldSql` of @ats/search-query writes it: the index serves what looks exactly like it. */
const folded = (column: string): string => `(translate(lower(${column} COLLATE "und-x-icu"), 'ς', 'σ')) gin_trgm_ops`;
