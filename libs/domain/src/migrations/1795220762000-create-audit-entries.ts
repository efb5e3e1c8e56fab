import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Creates the audit log, partitioned by the month of the entry (UTC), so that old months are deleted by dropping a
 * table. The first partition ends with the next month. The notifier creates the partitions of later months.
 */
export class CreateAuditEntries1795220762000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const [{ until }] = (await runner.query(END_OF_NEXT_MONTH)) as [{ readonly until: string }];
    await runner.query(PARENT);
    for (const table of [FIRST, REST]) await runner.query(createPartition(table));
    await runner.query(
      `ALTER TABLE audit_entries ATTACH PARTITION ${FIRST} FOR VALUES FROM (MINVALUE) TO ('${until}')`,
    );
    await runner.query(`ALTER TABLE audit_entries ATTACH PARTITION ${REST} DEFAULT`);
    await runner.query(TRIGGER);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE audit_entries; DROP SEQUENCE audit_entry_ids');
  }
}

const FIRST = 'audit_entries_first';
/**
 * The partition for the entries of months without a partition of their own. It is empty as long as the notifier creates
 * the partitions of later months in advance.
 */
const REST = 'audit_entries_rest';

/** Maps the name of an index to the SQL that follows `CREATE INDEX <name> ON <table>`. */
const INDEXES = {
  ix_audit_entries_items: 'USING gin (item_ids)',
  ix_audit_entries_credential: '(credential_id, id)',
  ix_audit_entries_action: `(action, id) WHERE action <> 'personal_data_read'`,
  ix_audit_entries_occurred: 'USING brin (occurred_dt)',
};

const END_OF_NEXT_MONTH = `
SELECT to_char(date_trunc('month', now() AT TIME ZONE 'UTC') + interval '2 months', 'YYYY-MM-DD"T"00:00:00"Z"') AS until`;

const PARENT = `
CREATE SEQUENCE audit_entry_ids;
CREATE TABLE audit_entries (
  id bigint NOT NULL DEFAULT nextval('audit_entry_ids'),
  occurred_dt timestamptz(3) NOT NULL,
  action text NOT NULL,
  outcome text NOT NULL,
  -- The number of equal refusals that the entry stands for.
  occurrences integer NOT NULL DEFAULT 1,
  credential_id bigint,
  recruiter_id bigint,
  address text,
  request_id text,
  scope text,
  collection text,
  item_ids bigint[] NOT NULL DEFAULT '{}',
  item_count integer,
  query_digest text,
  changed text[] NOT NULL DEFAULT '{}',
  CONSTRAINT pk_audit_entries PRIMARY KEY (id, occurred_dt),
  CONSTRAINT ck_audit_entries_outcome CHECK (outcome IN ('done', 'refused', 'failed'))
) PARTITION BY RANGE (occurred_dt);
${Object.entries(INDEXES)
  .map(([index, definition]) => `CREATE INDEX ${index} ON audit_entries ${definition};`)
  .join('\n')}`;

/** Names the indexes of a partition. PostgreSQL would otherwise choose their names. */
const createPartition = (table: string): string => {
  const suffix = table.replace('audit_entries', '');
  return `
CREATE TABLE ${table} (LIKE audit_entries INCLUDING DEFAULTS INCLUDING CONSTRAINTS);
ALTER TABLE ${table} ADD CONSTRAINT pk_audit_entries${suffix} PRIMARY KEY (id, occurred_dt);
${Object.entries(INDEXES)
  .map(([index, definition]) => `CREATE INDEX ${index}${suffix} ON ${table} ${definition};`)
  .join('\n')}`;
};

const TRIGGER = `
CREATE TRIGGER tr_audit_entries_leave_selections AFTER DELETE ON audit_entries
  REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION leave_selections()`;
