import {
  bodyViolations,
  createToken,
  credentials,
  insertObject,
  lockObject,
  parseToken,
  rowsOf,
  users,
  ValidationError,
  type Violation,
  type WriteBody,
} from '@ats/domain';
import { message } from '@ats/message';
import { Injectable } from '@nestjs/common';
import { type Work } from '../collections/unit-of-work.js';
import { checkBody } from '../request/body.js';
import { type Actor } from '../request/request-context.js';
import { allows, isScope } from '../vocabulary/scopes.js';
import { credentialSchema } from './credential.dto.js';

@Injectable()
export class CredentialsService {
  /**
   * Creates a credential with an API user of its own. Only the digest of the token is stored.
   * @throws {ValidationError} with all violations; a scope that the creating credential lacks is a violation
   */
  async create(
    { transaction, recruiterId }: Work,
    actor: Actor,
    given: unknown,
  ): Promise<{ id: number; token: string }> {
    const checked = checkBody<WriteBody>(credentialSchema, given);
    const isObject = typeof given === 'object' && given !== null && !Array.isArray(given);
    const more = isObject
      ? [
          ...missingScopeViolations(actor, (given as WriteBody)['scopes']),
          ...(await bodyViolations(transaction, credentials, given as WriteBody)),
        ]
      : [];
    if (checked.violations || more.length > 0)
      throw new ValidationError(credentials.name, [...(checked.violations ?? []), ...more]);
    const body = checked.data;
    const token = createToken();
    const parsed = parseToken(token);
    if (!parsed) throw new Error('a new token has an invalid format');
    const user = await rowsOf(transaction, users.type).insert({
      type: 'api',
      firstname: 'API',
      lastname: body['name'],
      email: `${parsed.keyId.toLowerCase()}.${Date.now()}@api.localhost`,
    });
    const id = await insertObject(transaction, credentials, body, {
      key_id: parsed.keyId,
      token_digest: parsed.digest,
      user_id: user.identifiers[0]?.['id'],
      recruiter_id: body['recruiter_id'] ?? recruiterId,
    });
    return { id, token };
  }

  /** Keeps the row, so that earlier requests can still be traced to the credential. */
  async revoke({ transaction }: Work, id: number): Promise<void> {
    await lockObject(transaction, credentials, id);
    await rowsOf<{ id: number; revoked_dt: Date | null; updated_dt: Date }>(transaction, credentials.type).update(
      { id },
      { revoked_dt: () => 'coalesce(revoked_dt, now())', updated_dt: () => 'now()' },
    );
  }
}

/** Returns a violation for each scope that the creating credential lacks. The schema reports unknown scopes. */
function missingScopeViolations(actor: Actor, scopes: unknown): Violation[] {
  if (!Array.isArray(scopes)) return [];
  return scopes.flatMap((scope: unknown, index) =>
    typeof scope !== 'string' || !isScope(scope) || allows(actor.scopes, scope)
      ? []
      : [{ path: `/scopes/${index}`, code: 'invalid', info: message`your own credential lacks the scope ${scope}` }],
  );
}
