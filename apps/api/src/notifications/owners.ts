import { bodyViolations, type Resource, ValidationError, type WriteBody } from '@ats/domain';
import { message } from '@ats/message';
import { type Work } from '../collections/unit-of-work.js';
import { allows, checkScope, type Scope } from '../vocabulary/scopes.js';

/**
 * Returns the owner that a body asks for. A new item belongs to the credential that creates it. A new endpoint belongs
 * to the recruiter of this credential. Undefined means that the owner does not change.
 * @param before  the item that the body replaces
 * @throws {Problem} 403 when the body names another owner and the credential is no admin
 * @throws {ValidationError} when the owner does not exist
 * Source: docs/reference/notifications.md, "Owners".
 */
export async function ownerFor(
  work: Work,
  resource: Resource,
  { owner_id }: WriteBody,
  before?: { readonly owner_id: number | null },
): Promise<number | null | undefined> {
  const self = resource.type.relations['owner']?.target === 'recruiter' ? work.recruiterId : work.credentialId;
  if (owner_id === undefined || (owner_id === null && !before)) return before ? undefined : self;
  const wanted = owner_id as number | null;
  if (wanted === (before ? before.owner_id : self)) return wanted;
  const scope = resource.adminScope as Scope;
  checkScope(work.scopes, scope, message`The credential lacks the scope ${scope}, which ${'owner_id'} needs`);
  const violations = await ownerViolations(work, resource, { owner_id });
  if (violations.length > 0) throw new ValidationError(resource.name, violations);
  return wanted;
}

/** Returns the violations of the owner in a body. Only admins may find out which credentials exist. */
export const ownerViolations = (
  work: Work,
  resource: Resource,
  { owner_id }: WriteBody,
): ReturnType<typeof bodyViolations> =>
  allows(work.scopes, resource.adminScope as Scope)
    ? bodyViolations(work.transaction, resource, { owner_id })
    : Promise.resolve([]);
