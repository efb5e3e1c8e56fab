import { ADVISORY_LOCKS, runStatement, type Transaction } from '@ats/postgres';

/**
 * Takes the lock of the topic index, which blocks matching until the transaction ends. The caller reads
 * `active_from_dt` from the clock under the lock. Every event at or after that time is therefore matched after the
 * commit of this transaction, so `active_from_dt` separates events exactly.
 *
 * Take this lock before locking a row of a topic or subscription. Otherwise two writers can deadlock.
 */
export async function lockTopicIndex(transaction: Transaction): Promise<void> {
  await runStatement(transaction, 'SELECT pg_advisory_xact_lock($1)', [ADVISORY_LOCKS.topicIndex]);
}

/**
 * Takes the lock of the topic index in shared mode. Only matching does this. It waits for running writes of topics and
 * subscriptions, and blocks new ones until the transaction ends.
 */
export async function shareTopicIndex(transaction: Transaction): Promise<void> {
  await runStatement(transaction, 'SELECT pg_advisory_xact_lock_shared($1)', [ADVISORY_LOCKS.topicIndex]);
}

/**
 * Records that every notifier must read this topic and its subscriptions again before it matches further events. The
 * caller must hold the lock of {@link lockTopicIndex}.
 */
export async function recordTopicChange(transaction: Transaction, topicId: number): Promise<void> {
  await runStatement(
    transaction,
    `WITH next AS (UPDATE notification_index_version SET version = version + 1 RETURNING version)
     INSERT INTO notification_index_changes (version, topic_id) SELECT version, $1 FROM next`,
    [topicId],
  );
}
