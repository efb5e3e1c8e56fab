import { ACTIVATION_TOKEN_PURPOSE, openActivationToken, SecretBox, startActivation } from '@ats/domain';
import { type Database, runStatement } from '@ats/postgres';
import { SECRET_KEY } from './fixtures.js';

export const activationSecrets = new SecretBox(SECRET_KEY, ACTIVATION_TOKEN_PURPOSE);

export interface ActivationFixture {
  readonly email?: string;
  readonly language?: string | null;
  /** Language of the request. */
  readonly requestLanguage?: string;
  /** Age of the account. */
  readonly ageHours?: number;
}

/**
 * Adds a candidate with a due activation e-mail in the same way as the API.
 * @returns the candidate's id and the token of the link
 */
export async function addActivation(
  database: Database,
  { email, language = null, requestLanguage = 'en', ageHours = 0 }: ActivationFixture = {},
): Promise<{ readonly id: number; readonly token: string }> {
  const id = await database.transaction(async (transaction) => {
    const [row] = await runStatement<{ id: number }>(
      transaction,
      `INSERT INTO users (type, status, firstname, lastname, email, language)
       VALUES ('candidate', 'pending_activation', 'Robin', 'Example', coalesce($1, gen_random_uuid() || '@example.com'),
         $2) RETURNING id`,
      [email ?? null, language],
    );
    if (!row) throw new Error('the INSERT of an account activation returned no row');
    await startActivation(
      transaction,
      { userId: row.id, language: requestLanguage, recruiterId: null },
      activationSecrets,
    );
    await runStatement(
      transaction,
      `UPDATE outgoing_mails SET next_attempt_dt = next_attempt_dt - $1 * interval '1 hour'
         WHERE activation_id = (SELECT id FROM account_activations WHERE user_id = $2)`,
      [ageHours, row.id],
    );
    return row.id;
  });
  const [mail] = await database.query<{ sealed_token: Buffer; activation_id: number }>(
    `SELECT sealed_token, activation_id FROM outgoing_mails m JOIN account_activations a ON a.id = m.activation_id
       WHERE a.user_id = $1`,
    [id],
  );
  if (!mail) throw new Error('the account activation has no queued e-mail');
  return { id, token: openActivationToken(mail.sealed_token, mail.activation_id, activationSecrets) };
}

export interface ActivationMailRow {
  readonly status: string;
  readonly attempts: number;
  readonly last_error: string | null;
  readonly message_id: string;
  readonly has_token: boolean;
}

export const readActivationMails = (database: Database): Promise<ActivationMailRow[]> =>
  database.query(
    `SELECT status, attempts, last_error, message_id, sealed_token IS NOT NULL AS has_token FROM outgoing_mails
       WHERE activation_id IS NOT NULL ORDER BY id`,
  );
