import {
  type ActingCredential,
  addAuditEntry,
  bodyViolations,
  countLiveChildren,
  createToken,
  credentials,
  insertObject,
  isActiveRecruiter,
  LASTING_DAYS,
  lockCredentials,
  lockObject,
  parseToken,
  planRevocation,
  readActingCredential,
  readDescendants,
  readWriters,
  revokeRows,
  rightsWithin,
  rowsOf,
  users,
  ValidationError,
  type Violation,
  type WriteBody,
} from '@ats/domain';
import { message } from '@ats/message';
import { ENVIRONMENT } from '@ats/nest-app';
import { Inject, Injectable } from '@nestjs/common';
import { type Work } from '../collections/unit-of-work.js';
import { type Environment } from '../config/env.js';
import { checkBody } from '../request/body.js';
import { unauthorized } from '../request/context-builder.js';
import { isJsonObject } from '../vocabulary/merge-patch.js';
import { Problem } from '../vocabulary/problem.js';
import { allows, isScope, MissingScope, narrowScopes, type Scope } from '../vocabulary/scopes.js';
import { credentialSchema, requestedRights } from './credential.dto.js';

/** The parameter of `DELETE` that keeps the credentials which the deleted one has made. */
export const KEEP_CHILDREN = 'keep_children';

/** True when the scopes allow a scope. Also true for a text that is no scope, because the schema reports it. */
const covers = (scopes: readonly string[], scope: string): boolean => !isScope(scope) || allows(new Set(scopes), scope);

/** Creates and revokes credentials. Source: docs/reference/authentication.md. */
@Injectable()
export class CredentialsService {
  constructor(@Inject(ENVIRONMENT) private readonly environment: Environment) {}

  /**
   * Creates a credential with an API user of its own, within the rights of the credential that makes it. Only the digest
   * of the token is stored.
   * @throws {ValidationError} with all violations
   * @throws {Problem} 401 when the maker was revoked meanwhile, 409 when it or one of its makers has made too many
   */
  async create(work: Work, given: unknown): Promise<{ id: number; token: string }> {
    const { transaction } = work;
    const maker = await this.#acting(work);
    const checked = checkBody<WriteBody>(credentialSchema, given);
    const { rights, violations } = await this.#rightsOf(work, maker, given);
    if (checked.violations || violations.length > 0)
      throw new ValidationError(credentials.name, [...(checked.violations ?? []), ...violations]);
    const body = checked.data;
    const makerIds = [maker.id, ...maker.makerIds];
    await this.#checkLimit(work, makerIds);
    const token = createToken();
    const parsed = parseToken(token);
    if (!parsed) throw new Error('the token that was just made does not have the format of a token');
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
      recruiter_id: rights.recruiterId,
      expires_dt: rights.expiresDt,
      allowed_cidrs: rights.allowedCidrs,
      created_by_id: maker.id,
      maker_ids: makerIds,
    });
    await addAuditEntry(transaction, { action: 'credential_created', collection: credentials.name, itemIds: [id] });
    return { id, token };
  }

  /**
   * Revokes a credential, and every credential that it has made, unless the flag `keep_children` is set.
   * @throws {NotFoundError} when there is no such credential
   * @throws {MissingScope} when the acting credential lacks a scope of the credential
   * @throws {Problem} 401 when the acting credential was revoked meanwhile, 409 for the last one that writes
   *   credentials
   */
  async revoke(work: Work, id: number, flags: ReadonlySet<string>): Promise<void> {
    const { transaction } = work;
    const actor = await this.#acting(work);
    await lockObject(transaction, credentials, id);
    const target = await rowsOf<{ id: number; scopes: string[] }>(transaction, credentials.type).findOneByOrFail({
      id,
    });
    const revocation = planRevocation({
      actor,
      target,
      descendants: await readDescendants(transaction, id),
      writers: await readWriters(transaction),
      keepChildren: flags.has(KEEP_CHILDREN),
      now: actor.now,
      covers,
    });
    if (revocation.kind === 'beyond_scopes')
      throw new MissingScope(
        [revocation.scope as Scope],
        revocation.of === 'target'
          ? message`The credential lacks the scope ${revocation.scope}, which the credential to revoke has`
          : message`The credential lacks the scope ${revocation.scope}, which ${KEEP_CHILDREN} needs`,
      );
    if (revocation.kind === 'last_writer')
      throw new Problem(
        409,
        message`This would revoke the last credential with the scope ${'credentials:write'} that is valid for more \
than ${LASTING_DAYS} days: create another one first`,
      );
    const itemIds = await revokeRows(transaction, revocation.ids);
    if (itemIds.length > 0)
      await addAuditEntry(transaction, { action: 'credential_revoked', collection: credentials.name, itemIds });
  }

  /**
   * Reads the acting credential and locks it, so that no other change of credentials runs until the transaction ends.
   * The result has only rights that the request's access token also has, and expires with it. Otherwise a stolen access
   * token could make a credential that outlives it.
   */
  async #acting({ transaction, credentialId, scopes, accessEndsDt }: Work): Promise<ActingCredential> {
    await lockCredentials(transaction);
    const acting = await readActingCredential(transaction, credentialId);
    if (!acting) throw unauthorized();
    // A request with an access token uses the expiry of the token, which is never later than that of the credential.
    const expiresDt = accessEndsDt ?? acting.expiresDt;
    return { ...acting, expiresDt, scopes: narrowScopes([...scopes], acting.scopes) };
  }

  /** Returns the rights of the new credential, and the violations that do not follow from the schema. */
  async #rightsOf({ transaction }: Work, maker: ActingCredential, given: unknown) {
    const { rights, violations } = rightsWithin(maker, requestedRights(given), {
      now: maker.now,
      maxLifetimeDays: this.environment.CREDENTIAL_MAX_LIFETIME_DAYS,
      covers,
    });
    if (!isJsonObject(given)) return { rights, violations: [] };
    const found = await bodyViolations(transaction, credentials, given);
    const isKnown = !found.some(({ path }) => path === RECRUITER);
    const inactive: Violation[] =
      isKnown && !(await isActiveRecruiter(transaction, rights.recruiterId))
        ? [{ path: RECRUITER, code: 'invalid', info: message`the recruiter is not active` }]
        : [];
    return { rights, violations: [...violations, ...found, ...inactive] };
  }

  /**
   * Checks the number of credentials.
   * @throws {Problem} 409 when the maker, or one of its own makers, has made as many live credentials as allowed
   */
  async #checkLimit({ transaction }: Work, makerIds: readonly number[]): Promise<void> {
    const { CREDENTIAL_LIMIT: limit } = this.environment;
    if (limit === 0 || (await countLiveChildren(transaction, makerIds)) < limit) return;
    throw new Problem(
      409,
      message`The credential, or the one that made it, has made ${limit} live credentials, which is the limit: \
revoke some of them first`,
    );
  }
}

const RECRUITER = '/recruiter_id';
