import { runStatement, type Transaction } from '@ats/postgres';
import { parseToken } from './token.js';

/** The domain `.invalid` never exists (RFC 2606), so no e-mail arrives there. */
const ADMINISTRATOR_EMAIL = 'administrator@system.invalid';
const BOOTSTRAP_EMAIL = 'bootstrap-credential@system.invalid';

/**
 * Creates a credential with all scopes for a token that the operator has chosen. A second call with the same token
 * changes nothing. A call with another token adds another credential.
 * @throws {Error} when the text is not a token, or when another token has the same key id
 * Source: docs/reference/authentication.md, "First credential".
 */
export async function ensureBootstrapCredential(transaction: Transaction, token: string): Promise<void> {
  const parsed = parseToken(token);
  if (!parsed) throw new Error('BOOTSTRAP_TOKEN does not have the format of a token: README.md says how to make one');
  await runStatement(transaction, 'LOCK TABLE credentials IN SHARE ROW EXCLUSIVE MODE');
  const [existing] = await runStatement<{ token_digest: Buffer }>(
    transaction,
    'SELECT token_digest FROM credentials WHERE key_id = $1',
    [parsed.keyId],
  );
  if (existing) {
    if (existing.token_digest.equals(parsed.digest)) return;
    throw new Error('the key id in BOOTSTRAP_TOKEN belongs to another stored token: choose another key id');
  }
  const recruiterId = await ensureUser(transaction, 'recruiter', ADMINISTRATOR_EMAIL, 'Administrator');
  const apiUserId = await ensureUser(transaction, 'api', BOOTSTRAP_EMAIL, 'Bootstrap credential');
  await runStatement(
    transaction,
    `INSERT INTO credentials (name, key_id, token_digest, scopes, user_id, recruiter_id)
     VALUES ('Bootstrap', $1, $2, '{*:read,*:write,*:admin}', $3, $4)`,
    [parsed.keyId, parsed.digest, apiUserId, recruiterId],
  );
}

async function ensureUser(
  transaction: Transaction,
  type: 'recruiter' | 'api',
  email: string,
  lastname: string,
): Promise<number> {
  const [user] = await runStatement<{ id: number }>(
    transaction,
    `INSERT INTO users (type, firstname, lastname, email) VALUES ($1, 'System', $2, $3)
     ON CONFLICT (lower(email)) DO UPDATE SET is_active = true,
       updated_dt = CASE WHEN users.is_active THEN users.updated_dt ELSE now() END
     RETURNING id`,
    [type, lastname, email],
  );
  if (!user) throw new Error('INSERT INTO users ON CONFLICT DO UPDATE returned no row');
  return user.id;
}
