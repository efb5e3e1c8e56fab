import { runStatement, type Transaction } from '@ats/postgres';

/**
 * Deletes the answers that destinations gave to messages about these applications. Later answers are not stored either:
 * a trigger removes the answer from an attempt when `keeps_answers` of its delivery is false.
 * @returns the number of deliveries that kept answers until now
 * Source: docs/reference/resources.md, "Anonymisation".
 */
export async function deleteDestinationAnswers(
  transaction: Transaction,
  applicationIds: readonly number[],
): Promise<number> {
  const isAbout = `subject_type = 'application' AND subject_id = ANY($1)`;
  // Lock order: subscriptions before their deliveries. Every transaction that changes subscriptions and deliveries uses
  // this order.
  await runStatement(
    transaction,
    `SELECT id FROM notification_subscriptions
     WHERE id IN (SELECT subscription_id FROM notification_deliveries WHERE ${isAbout}) ORDER BY id FOR NO KEY UPDATE`,
    [applicationIds],
  );
  const rows = await runStatement(
    transaction,
    `UPDATE notification_deliveries SET keeps_answers = false WHERE ${isAbout} AND keeps_answers RETURNING id`,
    [applicationIds],
  );
  return rows.length;
}
