import { runStatement, type Transaction } from '../database/database.js';

/**
 * Every change below comes after the lock on the subscription's row, as in matching and in the end of an attempt: whoever
 * changes both takes the subscription first. An attempt under way is left alone; its end finds out for itself.
 */

/** Nobody wants these any more. What is being sent at this moment may still arrive, and is then not tried again. */
export async function cancelDeliveries(transaction: Transaction, subscriptionIds: readonly number[]): Promise<void> {
  await runStatement(
    transaction,
    `UPDATE notification_deliveries SET status = 'cancelled', finished_dt = now(), next_attempt_dt = NULL, queued_dt = NULL
     WHERE subscription_id = ANY($1) AND status IN ('due', 'queued', 'held')`,
    [subscriptionIds],
  );
}

/**
 * Keeps what is pending for later: nothing is dropped while a subscription is disabled. Test messages go all the same. Jobs
 * that are on their way find themselves out of date, also when the subscription has been enabled again by then.
 */
export async function holdDeliveries(transaction: Transaction, subscriptionId: number): Promise<void> {
  await runStatement(
    transaction,
    `UPDATE notification_deliveries SET status = 'held', next_attempt_dt = NULL, queued_dt = NULL,
       requeues = requeues + CASE WHEN status = 'queued' THEN 1 ELSE 0 END
     WHERE subscription_id = $1 AND status IN ('due', 'queued') AND event_id IS NOT NULL`,
    [subscriptionId],
  );
}

/** Sends what was held, oldest first, each with its whole schedule before it. */
export async function releaseDeliveries(transaction: Transaction, subscriptionId: number): Promise<void> {
  await runStatement(
    transaction,
    `UPDATE notification_deliveries SET status = 'due', next_attempt_dt = date_trunc('milliseconds', clock_timestamp()), failures = 0
     WHERE subscription_id = $1 AND status = 'held'`,
    [subscriptionId],
  );
}
