import {
  type Database,
  dayOf,
  dropOldPartitions,
  type DroppedPartitions,
  ensurePartitions,
  type Partitioning,
  unlessBusy,
} from '@ats/postgres';

/** The audit log, partitioned by the month of the entry (UTC). */
const AUDIT_LOG: Partitioning & { readonly rest: string } = {
  tables: ['audit_entries'],
  next: (month) => monthOf(new Date(month), 1),
  rest: 'audit_entries_rest',
};

/** Partitions are created for this many months ahead. */
const MONTHS_AHEAD = 2;

/** Returns the first day of the month that is `later` months after the month of a time. */
const monthOf = (moment: Date, later = 0): string =>
  dayOf(new Date(Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth() + later, 1)));

/**
 * Creates the missing partitions of the audit log: for the next months, and for months with entries in the partition
 * `rest`. Does nothing while other transactions use these entries.
 */
export async function ensureAuditMonths(database: Database, now: Date): Promise<void> {
  const ahead = Array.from({ length: MONTHS_AHEAD + 1 }, (_, later) => monthOf(now, later));
  const late = await database.query<{ month: Date }>(
    `SELECT DISTINCT date_trunc('month', occurred_dt, 'UTC') AS month FROM ${AUDIT_LOG.rest}`,
  );
  const months = [...new Set([...ahead, ...late.map(({ month }) => monthOf(month))])];
  await unlessBusy(() => ensurePartitions(database, AUDIT_LOG, months));
}

/**
 * Drops the partitions of months that ended more than `keepDays` days ago. The entries also disappear from all
 * selections, as deleted items do. Source: docs/reference/audit.md, "Storage period".
 */
export async function dropOldAuditMonths(database: Database, keepDays: number): Promise<DroppedPartitions> {
  const result = await dropOldPartitions(database, AUDIT_LOG, keepDays);
  if (result.dropped.length > 0)
    await database.query(
      `DELETE FROM selection_members m WHERE m.member_table = 'audit_entries'
         AND NOT EXISTS (SELECT FROM audit_entries a WHERE a.id = m.member_id)`,
    );
  return result;
}
