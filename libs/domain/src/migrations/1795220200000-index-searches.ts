import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Creates the indexes for searches, filters, orders and pages of collections: trigram indexes of folded texts, and an
 * index for each frequent order. The texts are folded as by `foldSql` and joined by `SEARCH_TEXT_SEPARATOR` of the
 * library search-query. The object model says which attributes a search text contains (`searchText` of an object type).
 */
export class IndexSearches1795220200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(FUNCTIONS);
    for (const [table, columns] of Object.entries(GENERATED)) await runner.query(addColumns(table, columns));
    await runner.query(TRIGRAMS);
    await runner.query(ORDERS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
    for (const [table, columns] of Object.entries(GENERATED)) {
      await runner.query(
        `ALTER TABLE ${table} ${Object.keys(columns)
          .map((column) => `DROP COLUMN ${column}`)
          .join(', ')}`,
      );
    }
    await runner.query('DROP FUNCTION fold(text), iso_date(date), joined_texts(text[])');
  }
}

const FUNCTIONS = `
CREATE EXTENSION IF NOT EXISTS pg_trgm;

CREATE FUNCTION fold(value text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
  RETURN translate(lower(value COLLATE "und-x-icu"), 'ς', 'σ');

-- What to_char and array_to_string would give, which for the types that they take in general cannot be relied on to stay the same.
CREATE FUNCTION iso_date(value date) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
  RETURN lpad(extract(year FROM value)::text, 4, '0') || '-' || lpad(extract(month FROM value)::text, 2, '0') || '-' || lpad(extract(day FROM value)::text, 2, '0');
CREATE FUNCTION joined_texts(value text[]) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE STRICT
  AS $$ BEGIN RETURN array_to_string(value, E'\\x1f'); END $$;
`;

/** SQL of the folded texts of a row, joined by the separator. */
const searchText = (...texts: readonly string[]): string =>
  `fold(${texts.map((text) => `coalesce(${text}, '')`).join(` || E'\\x1f' || `)})`;

const person = ['firstname', 'lastname', 'email'];
const ofKind = (column: string, kind: string, ...texts: readonly string[]): string =>
  `CASE WHEN ${column} = '${kind}' THEN ${searchText(...texts)} END`;
const opportunity = [
  'kind',
  'reference',
  'title',
  'description_plain',
  'location',
  'department',
  'iso_date(opening_date)',
  'iso_date(closing_date)',
  'joined_texts(tags)',
];

/**
 * Generated columns by table. They have the collation of the expressions that `foldSql` makes, because PostgreSQL uses
 * an index only for its own collation.
 */
const GENERATED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  users: {
    firstname_folded: 'fold(firstname)',
    lastname_folded: 'fold(lastname)',
    email_folded: 'fold(email)',
    user_search_text: searchText(...person, 'type', 'status', 'language'),
    candidate_search_text: ofKind(
      'type',
      'candidate',
      ...person,
      'status',
      'title',
      'preferred_name',
      'iso_date(date_of_birth)',
      'current_employer',
      'current_title',
      'joined_texts(tags)',
      'source',
    ),
    recruiter_search_text: ofKind('type', 'recruiter', ...person, 'job_title'),
  },
  candidate_emails: { search_text: searchText('label', 'address') },
  candidate_addresses: {
    search_text: searchText('label', 'address_line', 'city', 'region', 'postal_code', 'country_code'),
  },
  candidate_phones: { search_text: searchText('label', 'number') },
  candidate_urls: { search_text: searchText('label', 'address') },
  opportunities: {
    title_folded: 'fold(title)',
    vacancy_search_text: ofKind('kind', 'vacancy', ...opportunity, 'employment_type', 'salary_currency'),
    event_search_text: ofKind('kind', 'event', ...opportunity, 'venue'),
  },
  applications: { search_text: searchText('app_type', 'reference', 'outcome', 'source', 'joined_texts(tags)') },
};

const addColumns = (table: string, columns: Readonly<Record<string, string>>): string =>
  `ALTER TABLE ${table} ${Object.entries(columns)
    .map(
      ([column, expression]) =>
        `ADD COLUMN ${column} text COLLATE "und-x-icu" GENERATED ALWAYS AS (${expression}) STORED`,
    )
    .join(', ')}`;

const TRIGRAMS = `
CREATE INDEX ix_users_firstname_folded ON users USING gin (firstname_folded gin_trgm_ops);
CREATE INDEX ix_users_lastname_folded ON users USING gin (lastname_folded gin_trgm_ops);
CREATE INDEX ix_users_email_folded ON users USING gin (email_folded gin_trgm_ops);
CREATE INDEX ix_users_user_search_text ON users USING gin (user_search_text gin_trgm_ops);
CREATE INDEX ix_users_candidate_search_text ON users USING gin (candidate_search_text gin_trgm_ops);
CREATE INDEX ix_users_recruiter_search_text ON users USING gin (recruiter_search_text gin_trgm_ops) WHERE recruiter_search_text IS NOT NULL;
CREATE INDEX ix_candidate_emails_search_text ON candidate_emails USING gin (search_text gin_trgm_ops);
CREATE INDEX ix_candidate_addresses_search_text ON candidate_addresses USING gin (search_text gin_trgm_ops);
CREATE INDEX ix_candidate_phones_search_text ON candidate_phones USING gin (search_text gin_trgm_ops);
CREATE INDEX ix_candidate_urls_search_text ON candidate_urls USING gin (search_text gin_trgm_ops);
CREATE INDEX ix_opportunities_title_folded ON opportunities USING gin (title_folded gin_trgm_ops);
-- Tags are compared as a whole.
CREATE INDEX ix_applications_tags ON applications USING gin (tags);
CREATE INDEX ix_users_tags ON users USING gin (tags);
CREATE INDEX ix_opportunities_tags ON opportunities USING gin (tags);
CREATE INDEX ix_applications_search_text ON applications USING gin (search_text gin_trgm_ops);
`;

const ORDERS = `
-- Newest first and oldest first: read in one direction or the other, equal moments put in the order of their ids.
CREATE INDEX ix_applications_created ON applications (app_type, created_dt, id);
CREATE INDEX ix_applications_submitted ON applications (app_type, submitted_dt, id);
CREATE INDEX ix_applications_score ON applications (app_type, score, id) WHERE score IS NOT NULL;
CREATE INDEX ix_applications_app_type_updated ON applications (app_type, updated_dt, id);
-- The state of most searches, for the board of a recruiter.
CREATE INDEX ix_applications_state_created ON applications (state_id, created_dt, id) INCLUDE (app_type, user_id);
-- Those still to be decided are a part of all that grows little while the years go by.
CREATE INDEX ix_applications_pending ON applications (app_type, created_dt, id) INCLUDE (user_id, opportunity_id) WHERE outcome = 'pending';
-- From a vacancy or a person to the applications.
CREATE INDEX ix_applications_opportunity_created ON applications (opportunity_id, created_dt, id) INCLUDE (app_type);
CREATE INDEX ix_applications_user ON applications (user_id, id) INCLUDE (app_type);
-- To look at a row's folded name without the row.
CREATE INDEX ix_users_id_lastname_folded ON users (id) INCLUDE (lastname_folded);
CREATE INDEX ix_users_lastname ON users (lastname COLLATE "und-x-icu", id);
CREATE INDEX ix_users_firstname ON users (firstname COLLATE "und-x-icu", id);
CREATE INDEX ix_users_email ON users (email COLLATE "und-x-icu", id);
CREATE INDEX ix_users_created ON users (type, created_dt, id);
`;

const DOWN = `
DROP INDEX ix_applications_tags, ix_users_tags, ix_opportunities_tags, ix_applications_created, ix_applications_submitted, ix_applications_score, ix_applications_app_type_updated, ix_applications_state_created,
  ix_applications_pending, ix_applications_opportunity_created, ix_applications_user,
  ix_users_id_lastname_folded, ix_users_lastname, ix_users_firstname, ix_users_email, ix_users_created;
`;
