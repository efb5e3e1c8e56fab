import { ownerStatement, type Resource } from '@ats/domain';
import { message } from '@ats/message';
import { Database } from '@ats/postgres';
import {
  applyDecorators,
  type CanActivate,
  type ExecutionContext,
  Injectable,
  SetMetadata,
  UseGuards,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { type FastifyRequest } from 'fastify';
import { allows, checkScope, type Scope } from '../vocabulary/scopes.js';
import { unauthorized } from '../request/context-builder.js';
import { type Work } from './unit-of-work.js';

const OWNED = 'ats:owned';

interface OwnedItem {
  readonly resource: Resource;
  /** Name of the path parameter that contains the id of the item. */
  readonly parameter: string;
  /** Name of the path parameter with the id of the item above. Present only when the item is below another item. */
  readonly above?: string;
}

/** The credential and the recruiter that own an item. Null means that the item has no such owner. */
export interface Owners {
  readonly credential_id: number | null;
  readonly recruiter_id: number | null;
}

/**
 * Refuses changes of items that another credential or another recruiter owns.
 * Source: docs/reference/notifications.md, "Owners".
 */
@Injectable()
export class OwnerGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly database: Database,
  ) {}

  async canActivate(host: ExecutionContext): Promise<boolean> {
    const { resource, parameter, above } = this.reflector.get<OwnedItem>(OWNED, host.getHandler());
    const { context, params, headers } = host.switchToHttp().getRequest<FastifyRequest>();
    if (!context) throw unauthorized(headers);
    const scope = resource.adminScope as Scope;
    const parameters = [parameter, ...(above === undefined ? [] : [above])].map((name) => idIn(params, name));
    if (allows(context.actor.scopes, scope) || parameters.includes(undefined)) return true;
    const [row] = await this.database.query<Owners>(ownerStatement(resource), parameters);
    if (row) checkOwners(context.actor, row, scope);
    return true;
  }
}

/**
 * Checks that the credential may change an item.
 * @param scope  the scope that makes ownership unnecessary
 * @param refusal  the text of the 403. Defaults to one that says whether a credential or a recruiter owns the item
 * @throws {Problem} 403 when another credential or another recruiter owns the item
 */
export function checkOwners(
  { scopes, credentialId, recruiterId }: Pick<Work, 'scopes' | 'credentialId' | 'recruiterId'>,
  owners: Owners,
  scope: Scope,
  refusal?: ReturnType<typeof message>,
): void {
  if ((owners.credential_id ?? credentialId) !== credentialId) checkScope(scopes, scope, refusal ?? ofAnother(scope));
  if ((owners.recruiter_id ?? recruiterId) !== recruiterId)
    checkScope(scopes, scope, refusal ?? ofOtherRecruiter(scope));
}

/** Returns the text of the 403 for a change of an item that another credential owns. */
export const ofAnother = (scope: Scope): ReturnType<typeof message> =>
  message`Another credential owns this item: only its owner, or a credential with the scope ${scope}, can change it`;

/** Returns the text of the 403 for a change of an item that another recruiter owns. */
const ofOtherRecruiter = (scope: Scope): ReturnType<typeof message> =>
  message`Another recruiter owns this item: changing it needs a credential of the owner, or the scope ${scope}`;

/** Returns undefined for a text that is no id. The route itself then answers with an error. */
function idIn(params: unknown, name: string): number | undefined {
  const text = (params as Readonly<Record<string, string>>)[name] ?? '';
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
}

/**
 * Limits a route that changes an item to the owner of the item, when the description of the resource has an
 * `adminScope`. The route answers 404 for an item that does not exist.
 */
export const ChangesItemOf = (resource: Resource, parameter = 'id', above?: string): MethodDecorator =>
  resource.adminScope === undefined
    ? applyDecorators()
    : applyDecorators(
        SetMetadata(OWNED, { resource, parameter, ...(above !== undefined && { above }) } satisfies OwnedItem),
        UseGuards(OwnerGuard),
      );
