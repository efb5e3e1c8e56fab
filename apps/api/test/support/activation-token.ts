import { ACTIVATION_TOKEN_PURPOSE, openActivationToken, SecretBox } from '@ats/domain';
import { type Database } from '@ats/postgres';
import { SECRET_KEY } from './api-harness.js';

export interface ActivationMail {
  readonly status: string;
  readonly activation_id: number;
  readonly sealed_token: Buffer | null;
}

/** Returns the e-mails that have an activation link for a candidate. The oldest comes first. */
export const activationMailsOf = (database: Database, { id }: { readonly id: number }): Promise<ActivationMail[]> =>
  database.query<ActivationMail>(
    `SELECT m.status, m.activation_id, m.sealed_token
     FROM outgoing_mails m JOIN account_activations a ON a.id = m.activation_id WHERE a.user_id = $1 ORDER BY m.id`,
    [id],
  );

/**
 * Reads the token from the newest activation e-mail in the queue. The tests of the API run without the notifier, which
 * would send it.
 */
export async function activationTokenOf(database: Database, candidate: { readonly id: number }): Promise<string> {
  const mail = (await activationMailsOf(database, candidate)).at(-1);
  if (!mail?.sealed_token) throw new Error('no activation e-mail is queued');
  return openActivationToken(
    mail.sealed_token,
    mail.activation_id,
    new SecretBox(SECRET_KEY, ACTIVATION_TOKEN_PURPOSE),
  );
}
