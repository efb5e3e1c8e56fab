/** The properties of a live credential on which a revocation depends. */
export interface LiveCredential {
  readonly id: number;
  readonly scopes: readonly string[];
  readonly expiresDt: Date | null;
}

export interface RevocationRequest {
  /** The scopes of the acting credential, or those of the access token with which the request was authenticated. */
  readonly actor: Pick<LiveCredential, 'scopes'>;
  /** The credential to revoke. It may be revoked or expired already. */
  readonly target: Pick<LiveCredential, 'id' | 'scopes'>;
  /** The live credentials that the target made, directly or through other credentials. */
  readonly descendants: readonly LiveCredential[];
  /** All credentials that are accepted at the moment and can write credentials. */
  readonly writers: readonly LiveCredential[];
  readonly keepChildren: boolean;
  readonly now: Date;
  /** True when a list of scopes grants the given scope. */
  readonly covers: (scopes: readonly string[], scope: string) => boolean;
}

export type Revocation =
  | { readonly kind: 'allowed'; readonly ids: readonly number[] }
  /**
   * The acting credential lacks `scope`. The revocation needs this scope, because the target or a kept credential has
   * it, or because it allows keeping credentials.
   */
  | { readonly kind: 'beyond_scopes'; readonly scope: string; readonly of: 'target' | 'kept' }
  /**
   * After the revocation, no credential could write credentials, or only credentials that expire within `LASTING_DAYS`.
   */
  | { readonly kind: 'last_writer' };

/** The scope that allows revoking credentials with scopes that the acting credential lacks. */
export const ADMIN = 'credentials:admin';
/** A credential needs one of these scopes to write credentials. */
export const WRITER_SCOPES: readonly string[] = ['credentials:write', '*:write'];
const [WRITE = ''] = WRITER_SCOPES;

/** A credential is lasting when it does not expire within this number of days. */
export const LASTING_DAYS = 7;
const DAY_MS = 86_400_000;

/**
 * Decides whether a credential may revoke another, and which credentials the revocation ends.
 * Source: docs/reference/authentication.md, "Revocation".
 */
export function planRevocation(request: RevocationRequest): Revocation {
  const { actor, target, descendants, keepChildren, covers } = request;
  const beyond = (scopes: readonly string[]): string | undefined =>
    covers(actor.scopes, ADMIN) ? undefined : scopes.find((scope) => !covers(actor.scopes, scope));
  const ofTarget = beyond(target.scopes);
  if (ofTarget !== undefined) return { kind: 'beyond_scopes', scope: ofTarget, of: 'target' };
  if (keepChildren) {
    const missing = covers(actor.scopes, WRITE) ? beyond(descendants.flatMap(({ scopes }) => scopes)) : WRITE;
    if (missing !== undefined) return { kind: 'beyond_scopes', scope: missing, of: 'kept' };
  }
  const ids = [target.id, ...(keepChildren ? [] : descendants.map(({ id }) => id))];
  const left = request.writers.filter(({ id }) => !ids.includes(id));
  return losesLastWriter(request.writers, left, request.now) ? { kind: 'last_writer' } : { kind: 'allowed', ids };
}

/**
 * True when a change removes the last credential that can write credentials, or the last lasting credential that can do
 * so. A lasting credential does not expire within {@link LASTING_DAYS} days, so an administrator has enough time to
 * create the next one.
 * @param before,after  the credentials that are accepted and can write credentials
 */
export function losesLastWriter(
  before: readonly LiveCredential[],
  after: readonly LiveCredential[],
  now: Date,
): boolean {
  const isLasting = ({ expiresDt }: LiveCredential): boolean =>
    expiresDt === null || expiresDt.getTime() - now.getTime() > LASTING_DAYS * DAY_MS;
  return (before.length > 0 && after.length === 0) || (before.some(isLasting) && !after.some(isLasting));
}
