import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Partitions deliveries and attempts by the day of their event, so that old days are deleted by dropping a table.
 * Existing rows become the first partition, up to the end of the current day, without copying. The notifier creates the
 * partitions of later days.
 */
export class PartitionDeliveries1795220400000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(COLUMNS);
    for (const table of [DELIVERIES, ATTEMPTS]) await partition(runner, table);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of [DELIVERIES, ATTEMPTS]) await mergePartitions(runner, table);
    await runner.query(DOWN);
  }
}

interface PartitionedTable {
  readonly name: string;
  readonly sequence: string;
  /** Maps the name of a constraint to the SQL that follows `CONSTRAINT <name>`. */
  readonly constraints: Readonly<Record<string, string>>;
  /** Maps the name of an index to the SQL that follows `CREATE INDEX <name> ON <table>`. */
  readonly indexes: Readonly<Record<string, string>>;
  /** The indexes that this migration adds, in the form of `indexes`. */
  readonly newIndexes: Readonly<Record<string, string>>;
}

const DELIVERIES: PartitionedTable = {
  name: 'notification_deliveries',
  sequence: 'notification_delivery_ids',
  constraints: {
    pk_notification_deliveries: 'PRIMARY KEY (id, occurred_dt)',
    uq_notification_deliveries_event: 'UNIQUE (event_id, subscription_id, occurred_dt)',
  },
  indexes: {
    ix_notification_deliveries_due: `(subscription_id, next_attempt_dt, id) WHERE status = 'due'`,
    ix_notification_deliveries_in_flight: `(subscription_id, subject_id) WHERE status IN ('queued', 'sending')`,
    ix_notification_deliveries_queued: `(queued_dt) WHERE status = 'queued'`,
    ix_notification_deliveries_sending: `(lease_until_dt) WHERE status = 'sending'`,
    ix_notification_deliveries_held: `(subscription_id, id) WHERE status = 'held'`,
    ix_notification_deliveries_subscription: '(subscription_id, sequence)',
  },
  newIndexes: {
    ix_notification_deliveries_due_by_time: `(next_attempt_dt, subscription_id) WHERE status = 'due'`,
    ix_notification_deliveries_application: `(subject_id) WHERE subject_type = 'application'`,
    ix_notification_deliveries_pings: `(next_attempt_dt) WHERE status = 'due' AND event_id IS NULL`,
  },
};

const ATTEMPTS: PartitionedTable = {
  name: 'notification_attempts',
  sequence: 'notification_attempt_ids',
  constraints: {
    pk_notification_attempts: 'PRIMARY KEY (id, occurred_dt)',
    uq_notification_attempts_attempt: 'UNIQUE (delivery_id, attempt, occurred_dt)',
  },
  indexes: {},
  newIndexes: {},
};

const COLUMNS = `
-- Why the next attempt is made, and which request of the API raised the event.
ALTER TABLE notification_deliveries
  ADD COLUMN reason text NOT NULL DEFAULT 'auto',
  ADD COLUMN request_id text,
  ADD CONSTRAINT ck_notification_deliveries_reason CHECK (reason IN ('auto', 'manual', 'recover', 'ping'));
ALTER TABLE domain_events ADD COLUMN request_id text;
ALTER TABLE notification_subscriptions
  -- Messages up to this one were held and then released: as long as one of them is on its way, it goes alone.
  ADD COLUMN released_sequence bigint,
  ADD COLUMN released_dt timestamptz(3),
  -- In flight at the same time at present: less than max_in_flight when the destination said that it is overloaded.
  ADD COLUMN in_flight_limit integer NOT NULL DEFAULT 4,
  ADD COLUMN limit_successes integer NOT NULL DEFAULT 0,
  ADD COLUMN is_recovering boolean NOT NULL DEFAULT false,
  ADD CONSTRAINT ck_notification_subscriptions_limit CHECK (in_flight_limit >= 1);

-- Subscriptions that were disabled, enabled or deleted with more deliveries pending than could be moved at once.
CREATE TABLE notification_backlogs (
  subscription_id bigint NOT NULL,
  CONSTRAINT pk_notification_backlogs PRIMARY KEY (subscription_id)
);
`;

const DOWN = `
DROP TABLE notification_backlogs;
ALTER TABLE notification_subscriptions
  DROP COLUMN released_sequence, DROP COLUMN released_dt, DROP COLUMN in_flight_limit, DROP COLUMN limit_successes, DROP COLUMN is_recovering;
ALTER TABLE domain_events DROP COLUMN request_id;
ALTER TABLE notification_deliveries DROP COLUMN reason, DROP COLUMN request_id;
`;

async function partition(
  runner: QueryRunner,
  { name, sequence, constraints, indexes, newIndexes }: PartitionedTable,
): Promise<void> {
  const first = `${name}_first`;
  const renames = [
    ...Object.keys(constraints).map(
      (constraint) => `ALTER TABLE ${name} RENAME CONSTRAINT ${constraint} TO ${constraint}_first;`,
    ),
    ...Object.keys(indexes).map((index) => `ALTER INDEX ${index} RENAME TO ${index}_first;`),
  ];
  await runner.query(`
    CREATE SEQUENCE ${sequence};
    SELECT setval('${sequence}', GREATEST((SELECT max(id) FROM ${name}), 0) + 1, false);
    ALTER TABLE ${name} ALTER COLUMN id DROP IDENTITY, ALTER COLUMN id SET DEFAULT nextval('${sequence}');
    ${renames.join('\n')}
    ALTER TABLE ${name} RENAME TO ${first};
    ${Object.entries(newIndexes)
      .map(([index, definition]) => `CREATE INDEX ${index}_first ON ${first} ${definition};`)
      .join('\n')}
    CREATE TABLE ${name} (LIKE ${first} INCLUDING DEFAULTS INCLUDING CONSTRAINTS) PARTITION BY RANGE (occurred_dt);
    ALTER SEQUENCE ${sequence} OWNED BY ${name}.id;
    ${Object.entries(constraints)
      .map(([constraint, definition]) => `ALTER TABLE ${name} ADD CONSTRAINT ${constraint} ${definition};`)
      .join('\n')}
    ${Object.entries({ ...indexes, ...newIndexes })
      .map(([index, definition]) => `CREATE INDEX ${index} ON ${name} ${definition};`)
      .join('\n')}`);
  await runner.query(`
    DO $$ BEGIN
      EXECUTE format('ALTER TABLE ${name} ATTACH PARTITION ${first} FOR VALUES FROM (MINVALUE) TO (%L)',
        to_char(date_trunc('day', GREATEST(now(), (SELECT max(occurred_dt) FROM ${first})) AT TIME ZONE 'UTC') + interval '1 day', 'YYYY-MM-DD"T"00:00:00"Z"'));
    END $$`);
}

/** Replaces all partitions by one table again. */
async function mergePartitions(runner: QueryRunner, { name, constraints, indexes }: PartitionedTable): Promise<void> {
  await runner.query(`
    CREATE TABLE ${name}_all (LIKE ${name} INCLUDING CONSTRAINTS INCLUDING DEFAULTS);
    INSERT INTO ${name}_all SELECT * FROM ${name};
    ALTER TABLE ${name}_all ALTER COLUMN id DROP DEFAULT;
    DROP TABLE ${name};
    ALTER TABLE ${name}_all RENAME TO ${name};
    ALTER TABLE ${name} ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (SEQUENCE NAME ${name}_id_seq);
    SELECT setval('${name}_id_seq', GREATEST((SELECT max(id) FROM ${name}), 0) + 1, false);
    ${Object.entries(constraints)
      .map(([constraint, definition]) => `ALTER TABLE ${name} ADD CONSTRAINT ${constraint} ${definition};`)
      .join('\n')}
    ${Object.entries(indexes)
      .map(([index, definition]) => `CREATE INDEX ${index} ON ${name} ${definition};`)
      .join('\n')}`);
}
