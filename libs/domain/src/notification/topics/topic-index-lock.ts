import { ADVISORY_LOCKS, runStatement, type Transaction } from '@ats/postgres';

/**
 * Blocks matching until this transaction ends, so that `active_from_dt` separates events exactly. That time is read
 * from the clock under the lock, so every event at or after it is matched after the commit of this transaction.
 *
 * Take this lock before locking a row of a topic or subscription. Otherwise two writers can deadlock.
 */
export async function lockTopicIndex(transaction: Transaction): Promise<void> {
  await runStatement(transaction, 'SELECT pg_advisory_xact_lock($1)', [ADVISORY_LOCKS.topicIndex]);
}

/**
 * Takes the lock of the topic index in shared mode, which only matching does. It waits for running writes of topics and
 * subscriptions, and blocks new ones until this transaction ends.
 */
export async function shareTopicIndex(transaction: Transaction): Promise<void> {
  await runStatement(transaction, 'SELECT pg_advisory_xact_lock_shared($1)', [ADVISORY_LOCKS.topicIndex]);
}

/**
 * Records that every notifier must read this topic and its subscriptions again before it matches further events. {@link
 * lockTopicIndex} must be held.
 */
export async function recordTopicChange(transaction: Transaction, topicId: number): Promise<void> {
  await runStatement(
    transaction,
    `WITH next AS (UPDATE notification_index_version SET version = version + 1 RETURNING version)
     INSERT INTO notification_index_changes (version, topic_id) SELECT version, $1 FROM next`,
    [topicId],
  );
}
