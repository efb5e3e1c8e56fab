import { runStatement, type Transaction } from '@ats/postgres';

/**
 * Forgets what destinations answered to messages about these applications, and what they are yet to answer to them: a trigger
 * empties the attempts of a delivery that keeps no answers. Source: CONTRACT.md 5, `anonymise`.
 */
export async function forgetAnswers(transaction: Transaction, applicationIds: readonly number[]): Promise<void> {
  const isAbout = `subject_type = 'application' AND subject_id = ANY($1)`;
  // The subscription comes before its deliveries in every transaction that changes both.
  await runStatement(
    transaction,
    `SELECT id FROM notification_subscriptions WHERE id IN (SELECT subscription_id FROM notification_deliveries WHERE ${isAbout}) ORDER BY id FOR NO KEY UPDATE`,
    [applicationIds],
  );
  await runStatement(transaction, `UPDATE notification_deliveries SET keeps_answers = false WHERE ${isAbout}`, [
    applicationIds,
  ]);
}
