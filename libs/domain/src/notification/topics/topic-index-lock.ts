import { ADVISORY_LOCKS, runStatement, type Transaction } from '@ats/postgres';

/**
 * Keeps matching out until this transaction ends. It makes "active from" exact: the clock is read under the lock, so an
 * event at or after that moment is matched after this commit, and no event falls between the two.
 *
 * Take it before any row of a topic or subscription is locked, or two writers can wait for each other.
 */
export async function lockTopicIndex(transaction: Transaction): Promise<void> {
  await runStatement(transaction, 'SELECT pg_advisory_xact_lock($1)', [ADVISORY_LOCKS.topicIndex]);
}

/** Waits for writes under way, and keeps new ones out until this transaction ends. For matching alone. */
export async function shareTopicIndex(transaction: Transaction): Promise<void> {
  await runStatement(transaction, 'SELECT pg_advisory_xact_lock_shared($1)', [ADVISORY_LOCKS.topicIndex]);
}

/** Tells every matcher to read this topic and its subscriptions again. The lock must be held. */
export async function noteTopicChange(transaction: Transaction, topicId: number): Promise<void> {
  await runStatement(
    transaction,
    `WITH next AS (UPDATE notification_index_version SET version = version + 1 RETURNING version)
     INSERT INTO notification_index_changes (version, topic_id) SELECT version, $1 FROM next`,
    [topicId],
  );
}
