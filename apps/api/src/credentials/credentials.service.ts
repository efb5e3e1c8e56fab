import { createToken, credentials, insertObject, lockObject, parseToken, runStatement, ValidationError, type WriteBody } from '@ats/domain';
import { Injectable } from '@nestjs/common';
import { type Actor } from '../http/request-context.js';
import { allows, type Scope } from '../http/scopes.js';
import { type Work } from '../http/unit-of-work.js';

@Injectable()
export class CredentialsService {
  /**
   * Makes a credential with an API user of its own. The token is returned here and nowhere else.
   * @throws {ValidationError} also when it would be allowed what its maker is not
   */
  async create({ transaction, recruiterId }: Work, actor: Actor, body: WriteBody): Promise<{ id: number; token: string }> {
    const beyond = (body['scopes'] as readonly string[]).flatMap((scope, index) =>
      allows(actor.scopes, scope as Scope) ? [] : [{ path: `/scopes/${index}`, code: 'invalid', info: `you lack the scope ${scope} yourself` }],
    );
    if (beyond.length > 0) throw new ValidationError(credentials.name, beyond);
    const token = createToken();
    const parsed = parseToken(token);
    if (!parsed) throw new Error('a new token does not have the form of one');
    const [user] = await runStatement<{ id: number }>(
      transaction,
      `INSERT INTO users (type, firstname, lastname, email) VALUES ('api', 'API', $1, $2) RETURNING id`,
      [body['name'], `${parsed.keyId.toLowerCase()}.${Date.now()}@api.localhost`],
    );
    const id = await insertObject(transaction, credentials, body, {
      key_id: parsed.keyId,
      token_digest: parsed.digest,
      user_id: user?.id,
      recruiter_id: body['recruiter_id'] ?? recruiterId,
    });
    return { id, token };
  }

  /** From now on its token is refused; what it did stays traceable. */
  async revoke({ transaction }: Work, id: number): Promise<void> {
    await lockObject(transaction, credentials, id);
    await runStatement(
      transaction,
      'UPDATE credentials SET revoked_dt = coalesce(revoked_dt, now()), updated_dt = now() WHERE id = $1',
      [id],
    );
  }
}
