import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * The texts of each table that has more rows when there are more candidates, vacancies or postings: their columns in
 * alphabetical order. `mention-words.ts` makes the same expressions for the search.
 */
const TEXTS: Readonly<Record<string, string>> = {
  applications: 'source, joined_texts(tags)',
  candidate_addresses: 'address_line, city, country_code, postal_code, region',
  candidate_emails: 'address',
  candidate_phones: 'number',
  candidate_urls: 'address',
  communications: 'body, body_plain, subject, joined_texts(to_addresses)',
  documents: 'name',
  history_entries: 'json_texts(changes), comment',
  opportunities:
    'department, description, description_plain, employment_type, location, reference, joined_texts(tags), title, venue',
  opportunity_form_values: 'long_value, rich_value, rich_value_plain, text_value',
  postings: 'description, description_plain, location, title',
  scoring_rules: 'expression',
  users:
    'current_employer, current_title, email, firstname, job_title, lastname, preferred_name, source, joined_texts(tags), title',
};

/** The history of candidates and applications has no texts of others. */
const ROWS: Readonly<Record<string, string>> = {
  history_entries: ` WHERE subject_type IN ('opportunity', 'posting')`,
};

/** Indexes the words of texts that can mention a person. */
export class IndexMentions1795281000002 implements MigrationInterface {
  // CREATE INDEX CONCURRENTLY cannot run in a transaction. An attempt that failed leaves an invalid index behind.
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const [table, texts] of Object.entries(TEXTS)) {
      await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ix_${table}_mentions`);
      await runner.query(
        `CREATE INDEX CONCURRENTLY ix_${table}_mentions ON ${table} USING gin (mention_words(${texts}))${ROWS[table] ?? ''}`,
      );
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of Object.keys(TEXTS)) await runner.query(`DROP INDEX ix_${table}_mentions`);
  }
}
