import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Indexes the body and the subject of communications for searches for a part of the text. The index of `search_text` is
 * used only for the `filter` parameter.
 */
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

/** The expression of `foldSql` in @ats/search-query: PostgreSQL uses the index only for exactly this expression. */
const folded = (column: string): string => `(translate(lower(${column} COLLATE "und-x-icu"), 'ς', 'σ')) gin_trgm_ops`;
