import {
  ADVISORY_LOCKS,
  type Database,
  highWaterMark,
  runRepeated,
  runStatement,
  type Transaction,
} from '@ats/postgres';
import { type Change } from '../../writing/object-changes.js';

export type HistorySubject = 'application' | 'opportunity' | 'candidate' | 'posting';

/** The types of history entries. Source: docs/reference/history.md, "Entry types". */
export const HISTORY_TYPES = [
  'created',
  'state_change',
  'field_change',
  'form_submitted',
  'comm_sent',
  'copied',
  'anonymised',
  'deleted',
] as const;
export type HistoryType = (typeof HISTORY_TYPES)[number];

export interface HistoryEntry {
  readonly type: HistoryType;
  readonly subjectType: HistorySubject;
  readonly subjectId: number;
  /** The recruiter who made the change; null for the service itself. */
  readonly recruiterId: number | null;
  readonly fromStateId?: number;
  readonly toStateId?: number;
  readonly comment?: string | null;
  readonly changes?: readonly Change[];
}

/**
 * Adds an entry to the subject's history, in the transaction of the change. A trigger stores the collection in entries
 * of event applications. Source: docs/reference/history.md.
 */
export const addHistory = (transaction: Transaction, entry: HistoryEntry): Promise<void> =>
  addHistoryOfMany(transaction, [entry]);

/** Adds entries for many subjects in one statement. Their ids follow the order of `entries`. */
export async function addHistoryOfMany(transaction: Transaction, entries: readonly HistoryEntry[]): Promise<void> {
  if (entries.length === 0) return;
  const column = (valueOf: (entry: HistoryEntry) => unknown): readonly unknown[] =>
    entries.map((entry) => valueOf(entry) ?? null);
  await runRepeated(
    transaction,
    // The statement takes the shared lock before it draws an id, and holds it until the commit: `historyHighWaterMark`
    // relies on both.
    `INSERT INTO history_entries
       (subject_type, subject_id, type, date, recruiter_id, from_state_id, to_state_id, comment, changes)
     SELECT e.subject_type, e.subject_id, e.type, clock_timestamp(), e.recruiter_id, e.from_state_id, e.to_state_id,
       e.comment, e.changes
     FROM (SELECT pg_advisory_xact_lock_shared(${ADVISORY_LOCKS.history})) locked,
       unnest($1::text[], $2::bigint[], $3::text[], $4::bigint[], $5::bigint[], $6::bigint[], $7::text[], $8::jsonb[])
         AS e(subject_type, subject_id, type, recruiter_id, from_state_id, to_state_id, comment, changes)`,
    [
      column(({ subjectType }) => subjectType),
      column(({ subjectId }) => subjectId),
      column(({ type }) => type),
      column(({ recruiterId }) => recruiterId),
      column(({ fromStateId }) => fromStateId),
      column(({ toStateId }) => toStateId),
      column(({ comment }) => comment),
      column(({ changes }) => changes && JSON.stringify(changes)),
    ],
  );
}

/** The deleted items, for which tombstones are added, and the recruiter who deleted them. */
export interface Tombstones {
  /** The collection whose feed shows the tombstones. */
  readonly collection: string;
  readonly ids: readonly number[];
  readonly recruiterId: number | null;
}

/**
 * Deletes the history of deleted applications. Adds a tombstone for each application. A tombstone contains only the id
 * of its application, and the history feed of the collection shows it.
 * @returns the number of deleted entries
 */
export async function buryApplications(
  transaction: Transaction,
  { collection, ids, recruiterId }: Tombstones,
): Promise<number> {
  const deleted = await deleteHistory(transaction, 'application', ids);
  await runStatement(
    transaction,
    // As in `addHistoryOfMany`, the statement takes the shared lock before it draws ids.
    `INSERT INTO history_entries (subject_type, subject_id, type, date, recruiter_id, collection)
     SELECT 'application', given.id, 'deleted', clock_timestamp(), $2::bigint, $3
     FROM (SELECT pg_advisory_xact_lock_shared(${ADVISORY_LOCKS.history})) locked, unnest($1::bigint[]) AS given (id)`,
    [ids, recruiterId, collection],
  );
  return deleted;
}

/** Deletes the history of deleted subjects. */
export async function deleteHistory(
  transaction: Transaction,
  subjectType: HistorySubject,
  subjectIds: readonly number[],
): Promise<number> {
  const rows = await runStatement(
    transaction,
    'DELETE FROM history_entries WHERE subject_type = $1 AND subject_id = ANY($2) RETURNING id',
    [subjectType, subjectIds],
  );
  return rows.length;
}

/** The highest entry id up to which all entries are committed, see `highWaterMark`. */
export const historyHighWaterMark = (database: Database): Promise<number> =>
  highWaterMark(database, { table: 'history_entries', lock: ADVISORY_LOCKS.history });
