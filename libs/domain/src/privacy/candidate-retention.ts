import { type Database, runStatement, type Transaction } from '@ats/postgres';
import { candidate } from '../objects/user.model.js';
import { type ReadSettings } from '../reading/representation-sql.js';
import { recordEvent } from '../writing/event/record-event.js';
import { anonymiseCandidate } from './anonymise.js';

/**
 * Maximum number of candidates whose anonymisation one transaction announces, and maximum number that one call
 * anonymises. Each candidate is anonymised in a transaction of its own.
 */
const BATCH = { announced: 100, anonymised: 20 } as const;

/**
 * The candidate after which the next batch begins. A process keeps one cursor for each function, so that a batch skips
 * the candidates of earlier batches. After the last candidate, the next batch begins with the first candidate again.
 */
export interface RetentionCursor {
  after?: { readonly updated: string; readonly id: number } | undefined;
}

interface CandidateRow {
  readonly id: number;
  readonly updated: string;
}

/** SQL condition and order of the candidates in a batch. The parameters are the values of the cursor. */
const batchSql = (updated: string, id: string, limit: number): string =>
  `AND (t.updated_dt, t.id) > (coalesce(${updated}::timestamptz, '-infinity'), coalesce(${id}::bigint, 0))
   ORDER BY t.updated_dt, t.id LIMIT ${limit}`;

const moveCursor = (cursor: RetentionCursor, rows: readonly CandidateRow[], limit: number): void => {
  cursor.after = rows.length < limit ? undefined : rows.at(-1);
};

interface RetentionRule {
  /** Number of days without activity after which a candidate is anonymised. */
  readonly days: number;
  /** Number of days between the announcement and the anonymisation. */
  readonly notice: number;
  /** The time at which the retention rule last changed. Announcements before this time do not count. */
  readonly since: Date | null;
}

/**
 * Reads the retention rule and locks it until the transaction ends. A request that changes the rule waits, so that
 * nobody is anonymised after the rule was switched off.
 * @returns undefined while the rule is off
 */
async function lockRule(transaction: Transaction): Promise<RetentionRule | undefined> {
  const [rule] = await runStatement<{ days: number | null; notice: number; since: Date | null }>(
    transaction,
    `SELECT candidate_retention_days AS days, retention_notice_days AS notice, retention_since_dt AS since
     FROM systems ORDER BY id LIMIT 1 FOR SHARE`,
  );
  if (!rule || rule.days === null) return undefined;
  return { ...rule, days: rule.days };
}

const INACTIVE_SINCE = ((): string => {
  const attribute = candidate.attributes['inactive_since_dt'];
  if (!attribute) throw new Error('the object type candidate has no attribute inactive_since_dt');
  return attribute.sql('t', {});
})();

/**
 * SQL condition that is true when the candidate `t` has had no activity for `$1` days. The index of `updated_dt` limits
 * the rows to check.
 */
const INACTIVE = `t.type = 'candidate' AND t.status <> 'anonymised'
  AND t.updated_dt < now() - make_interval(days => $1) AND ${INACTIVE_SINCE} < now() - make_interval(days => $1)`;

/**
 * SQL condition that is true when the announcement counts: it is not older than the rule (`$2`), and the candidate has
 * not been active since.
 */
const IS_ANNOUNCED = `(t.retention_notice_dt >= coalesce($2::timestamptz, '-infinity')
  AND t.retention_notice_dt > ${INACTIVE_SINCE})`;

/**
 * Announces the anonymisation of candidates, `retention_notice_days` before it. Records an event for each candidate.
 * Several processes may call this function at the same time.
 * @returns the number of announced candidates: call it again until it returns 0
 * Source: docs/reference/data-protection.md, "Retention of candidates".
 */
export async function announceAnonymisations(
  database: Database,
  settings: ReadSettings,
  cursor: RetentionCursor = {},
): Promise<number> {
  return database.transaction(async (transaction) => {
    const rule = await lockRule(transaction);
    if (!rule) return 0;
    const rows = await runStatement<CandidateRow & { readonly recruiter_id: number | null }>(
      transaction,
      `SELECT t.id, t.updated_dt::text AS updated, coalesce(
         (SELECT h.recruiter_id FROM history_entries h WHERE h.subject_type = 'candidate' AND h.subject_id = t.id
            AND h.recruiter_id IS NOT NULL ORDER BY h.id DESC LIMIT 1),
         (SELECT min(r.id) FROM users r WHERE r.type = 'recruiter')) AS recruiter_id
       FROM users t WHERE ${INACTIVE} AND ${IS_ANNOUNCED} IS NOT TRUE
         ${batchSql('$3', '$4', BATCH.announced)} FOR UPDATE OF t SKIP LOCKED`,
      [Math.max(0, rule.days - rule.notice), rule.since, cursor.after?.updated ?? null, cursor.after?.id ?? null],
    );
    moveCursor(cursor, rows, BATCH.announced);
    for (const { id, recruiter_id: recruiterId } of rows) {
      if (recruiterId === null) continue;
      await recordEvent(transaction, { type: 'CANDIDATE_ANONYMISATION_DUE', subjectId: id, recruiterId }, settings);
    }
    await runStatement(transaction, 'UPDATE users SET retention_notice_dt = clock_timestamp() WHERE id = ANY($1)', [
      rows.map(({ id }) => id),
    ]);
    return rows.length;
  });
}

/**
 * SQL condition that is true when the candidate `t` is inactive and has an announcement that counts and is `$3` days
 * old.
 */
const IS_DUE = `${INACTIVE} AND ${IS_ANNOUNCED} AND t.retention_notice_dt <= now() - make_interval(days => $3)`;

const parametersOf = ({ days, since, notice }: RetentionRule): readonly unknown[] => [days, since, notice];

/**
 * Anonymises the candidates whose announcement is old enough. Each candidate has a transaction of its own, so a killed
 * process loses the work on one candidate at most. Several processes may call this function at the same time.
 * @returns the number of anonymised candidates, and the number of texts of others that still mention them
 * Source: docs/reference/data-protection.md, "Retention of candidates".
 */
export async function anonymiseDueCandidates(
  database: Database,
  { baseUrl }: ReadSettings,
  cursor: RetentionCursor = {},
): Promise<{ readonly candidates: number; readonly remaining: number }> {
  const due = await database.transaction(async (transaction) => {
    const rule = await lockRule(transaction);
    if (!rule) return [];
    return runStatement<CandidateRow>(
      transaction,
      `SELECT t.id, t.updated_dt::text AS updated FROM users t WHERE ${IS_DUE} ${batchSql('$4', '$5', BATCH.anonymised)}`,
      [...parametersOf(rule), cursor.after?.updated ?? null, cursor.after?.id ?? null],
    );
  });
  moveCursor(cursor, due, BATCH.anonymised);
  let [candidates, remaining] = [0, 0];
  for (const { id } of due) {
    const report = await database.transaction(async (transaction) => {
      const rule = await lockRule(transaction);
      if (!rule) return undefined;
      const locked = await runStatement(transaction, 'SELECT 1 FROM users WHERE id = $1 FOR UPDATE SKIP LOCKED', [id]);
      // The conditions are checked again in a new statement. It sees what others committed before the lock, such as a
      // new application.
      const still =
        locked.length > 0
          ? await runStatement(transaction, `SELECT 1 FROM users t WHERE ${IS_DUE} AND t.id = $4`, [
              ...parametersOf(rule),
              id,
            ])
          : [];
      return still.length > 0 ? anonymiseCandidate(transaction, id, { recruiterId: null, baseUrl }) : undefined;
    });
    if (!report) continue;
    candidates += 1;
    remaining += report.remaining.length;
  }
  return { candidates, remaining };
}
