import { type Database, runStatement, type Transaction } from '@ats/postgres';
import { readFormerValues } from '../../writing/event/former-values.js';
import { recordEvent } from '../../writing/event/record-event.js';
import { addHistory } from '../history/history.js';
import { type ReadSettings } from '../../reading/representation-sql.js';
import { posting } from '../../objects/posting.model.js';

const BATCH = 100;

const statusSql = (alias: string): string => {
  const status = posting.attributes['status'];
  if (!status) throw new Error('the object type posting has no attribute status');
  return status.sql(alias, {});
};

/**
 * SQL for the recruiter who counts as the author of a change that no recruiter has made, such as an application through
 * a public board. This is the last recruiter who wrote the posting in the row `alias`, else the recruiter in charge of
 * its vacancy, else the recruiter with the lowest id.
 */
export const recruiterSql = (alias: string): string => `coalesce(
  (SELECT h.recruiter_id FROM history_entries h
   WHERE h.subject_type = 'posting' AND h.subject_id = ${alias}.id AND h.recruiter_id IS NOT NULL
   ORDER BY h.id DESC LIMIT 1),
  (SELECT charged.owner_id FROM opportunities charged WHERE charged.id = ${alias}.vacancy_id),
  (SELECT min(first.id) FROM users first WHERE first.type = 'recruiter'))`;

/**
 * Stores the current status of a posting in `known_status`. Every write of a posting must call this function. The event
 * of the write already has the status, so {@link raiseStatusChangeEvents} must not raise another event.
 */
export async function storePostingStatus(transaction: Transaction, id: number): Promise<void> {
  await runStatement(transaction, `UPDATE postings p SET known_status = ${statusSql('p')} WHERE id = $1`, [id]);
}

/**
 * Raises events for postings that have become live or expired because of their dates. Each posting gets a history entry
 * and a `POSTING_UPDATE` event, whose recruiter is the last one who wrote the posting. Several processes may call this
 * function at the same time.
 * @returns the number of postings, at most `BATCH`: call it again until it returns 0
 * Source: docs/reference/notifications.md, "Event types".
 */
export async function raiseStatusChangeEvents(database: Database, settings: ReadSettings): Promise<number> {
  return database.transaction(async (transaction) => {
    await runStatement(
      transaction,
      `UPDATE postings p SET known_status = ${statusSql('p')}
       WHERE id IN (
         SELECT id FROM postings WHERE known_status IS NULL ORDER BY id LIMIT ${BATCH * 10} FOR UPDATE SKIP LOCKED)`,
    );
    const changed = await runStatement<{ id: number; old: string; current: string; recruiter_id: number | null }>(
      transaction,
      `SELECT p.id, p.known_status AS old, ${statusSql('p')} AS current, ${recruiterSql('p')} AS recruiter_id
       FROM postings p WHERE p.known_status <> ${statusSql('p')}
       ORDER BY p.id LIMIT ${BATCH} FOR UPDATE OF p SKIP LOCKED`,
    );
    const before = await readFormerValues(transaction, { root: 'posting', ids: changed.map(({ id }) => id) }, settings);
    for (const { id, old, current, recruiter_id } of changed) {
      await runStatement(transaction, 'UPDATE postings SET known_status = $2, updated_dt = now() WHERE id = $1', [
        id,
        current,
      ]);
      await addHistory(transaction, {
        type: 'field_change',
        subjectType: 'posting',
        subjectId: id,
        recruiterId: null,
        changes: [{ path: '/status', old, new: current }],
      });
      if (recruiter_id === null) continue;
      const event = {
        type: 'POSTING_UPDATE',
        subjectId: id,
        recruiterId: recruiter_id,
        before: before.get(id),
      } as const;
      await recordEvent(transaction, event, settings);
    }
    return changed.length;
  });
}
