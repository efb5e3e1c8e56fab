import { type Database } from '@ats/postgres';

/** Adds 20,000 delivered deliveries, and then lets ANALYZE collect statistics. */
export async function addDelivered(database: Database, subscriptionId: number): Promise<void> {
  await database.query(
    `INSERT INTO notification_deliveries (occurred_dt, message_id, event_id, subscription_id, topic_id, topic_revision,
       subject_type, subject_id, sequence, body, status, finished_dt)
     SELECT now(), gen_random_uuid(), n, $1, 1, 1, 'application', n, n, '{}', 'delivered', now()
     FROM generate_series(1, 20000) n`,
    [subscriptionId],
  );
  await database.query('ANALYZE notification_deliveries');
}

interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows'?: number;
  readonly 'Actual Loops'?: number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Plan[];
}

type Answer = readonly { readonly 'QUERY PLAN': readonly [{ readonly Plan: Plan }] }[];

/** Returns the tables that a plan reads by sequential scans. */
const walked = (plan: Plan): readonly string[] => [
  ...(plan['Node Type'].endsWith('Seq Scan') ? [plan['Relation Name'] ?? ''] : []),
  ...(plan.Plans ?? []).flatMap(walked),
];

/**
 * Tables that a plan may scan, because a test has only few of their rows and its statement reads all of them anyway.
 */
const MAY_BE_SCANNED: readonly string[] = ['notification_subscriptions', 'notification_endpoints'];

/**
 * Returns the number of rows of the largest table that a statement scans. `MAY_BE_SCANNED` lists tables that do not
 * count.
 */
export async function mostRowsScanned(
  database: Database,
  statement: string,
  parameters: readonly unknown[] = [],
): Promise<number> {
  const [row] = await database.query<{ 'QUERY PLAN': readonly [{ readonly Plan: Plan }] }>(
    `EXPLAIN (FORMAT JSON) ${statement}`,
    parameters,
  );
  const large = walked(row?.['QUERY PLAN'][0].Plan ?? { 'Node Type': 'Seq Scan', 'Relation Name': 'unknown' }).filter(
    (name) => !MAY_BE_SCANNED.includes(name),
  );
  const sizes = await database.query<{ rows: number }>(
    'SELECT reltuples AS rows FROM pg_class WHERE relname = ANY($1)',
    [large],
  );
  return Math.max(0, ...sizes.map(({ rows }) => rows));
}

/**
 * Runs a statement.
 * @returns the number of rows of deliveries that the statement reads. A row that is read twice counts twice
 */
export async function deliveriesRead(
  run: (text: string) => Promise<{ readonly rows: unknown[] }>,
  statement: string,
): Promise<number> {
  const { rows } = await run(`EXPLAIN (ANALYZE, FORMAT JSON) ${statement}`);
  const countOf = (plan: Plan): number => {
    const { 'Actual Rows': returned = 0, 'Rows Removed by Filter': removed = 0, 'Actual Loops': loops = 0 } = plan;
    const isScan = plan['Node Type'].endsWith('Scan') && plan['Relation Name']?.startsWith('notification_deliveries');
    return (plan.Plans ?? []).reduce((sum, part) => sum + countOf(part), isScan ? (returned + removed) * loops : 0);
  };
  return (rows as Answer).reduce((sum, row) => sum + countOf(row['QUERY PLAN'][0].Plan), 0);
}
