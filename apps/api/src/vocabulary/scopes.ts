import { allResources, requiredScopes, type Resource } from '@ats/domain';
import { message, type Message } from '@ats/message';
import { SetMetadata } from '@nestjs/common';
import { Problem } from './problem.js';

/** Reading the history of objects needs the scope `history:read`, although no resource has the name `history`. */
const HISTORY = 'history';

/**
 * The parts of scopes before the colon. Several resources can share a scope.
 * Source: docs/reference/authentication.md, "Scopes".
 */
const SCOPE_RESOURCES = [...new Set([...allResources().map(({ scope }) => scope), HISTORY])].sort();

export type Scope = `${string}:${'read' | 'write'}`;

/** Every valid entry of a credential's `scopes`. */
export const SCOPES: readonly string[] = [...SCOPE_RESOURCES, '*'].flatMap((resource) => [
  `${resource}:read`,
  `${resource}:write`,
]);

export const allows = (granted: ReadonlySet<string>, scope: Scope): boolean =>
  granted.has(scope) || granted.has(`*:${scope.endsWith(':write') ? 'write' : 'read'}`);

/**
 * Checks that the credential has all scopes that the datapaths need.
 * @param root  name of the object type where the datapaths begin
 * @param leadsTo  more specific object types of relations, see `Resource`
 * @throws {Problem} 403 that names the first missing scope
 * Source: docs/reference/datapaths.md, "Scopes".
 */
export function checkDatapathScopes(
  granted: ReadonlySet<string>,
  root: string,
  datapaths: readonly string[],
  leadsTo?: Resource['leadsTo'],
): void {
  for (const datapath of datapaths) {
    for (const scope of requiredScopes(root, datapath, leadsTo))
      checkScope(
        granted,
        scope as Scope,
        message`The credential lacks the scope ${scope}, which ${`${root}.${datapath}`} needs`,
      );
  }
}

/**
 * @param refusal  text that names the missing scope and the part of the request that needs it
 * @throws {Problem} 403 when the credential lacks the scope
 */
export function checkScope(granted: ReadonlySet<string>, scope: Scope, refusal: Message): void {
  if (!allows(granted, scope)) throw new Problem(403, refusal);
}

export const PUBLIC = 'ats:public';
export const SCOPE = 'ats:scope';

/** Marks a route that needs no credential. */
export const Public = (): MethodDecorator & ClassDecorator => SetMetadata(PUBLIC, true);

/**
 * Sets the scope of a route. Any one of several scopes suffices. A route without this decorator needs a credential, but
 * no scope.
 * @throws {Error} for an unknown scope, when the module loads
 */
export function RequiresScope(...scopes: readonly [Scope, ...Scope[]]): MethodDecorator & ClassDecorator {
  const unknown = scopes.filter((scope) => !SCOPES.includes(scope));
  if (unknown.length > 0) throw new Error(`there is no scope ${unknown.join(', ')}`);
  return SetMetadata(SCOPE, scopes);
}
