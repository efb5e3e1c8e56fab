import { type Database } from '@ats/postgres';

interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly Plans?: readonly Plan[];
}

/** Returns the tables that a plan reads by sequential scans. */
const walked = (plan: Plan): readonly string[] => [
  ...(plan['Node Type'].endsWith('Seq Scan') ? [plan['Relation Name'] ?? ''] : []),
  ...(plan.Plans ?? []).flatMap(walked),
];

/** Tables that a plan may scan. A test has only few of their rows, and its statement reads all of them anyway. */
const MAY_BE_SCANNED: readonly string[] = ['notification_subscriptions', 'notification_endpoints'];

/** Returns the number of rows of the largest table that a statement scans. Tables that it may scan do not count. */
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
