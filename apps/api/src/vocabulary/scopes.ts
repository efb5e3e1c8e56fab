import { allResources, requiredScopes, type Resource } from '@ats/domain';
import { message, type Message } from '@ats/message';
import { SetMetadata } from '@nestjs/common';
import { Problem } from './problem.js';

/** Reading the history of objects has a scope of its own, although no resource is called so. */
const HISTORY = 'history';

/** The part of a scope before the colon. Several resources can share one. */
const SCOPE_RESOURCES = [...new Set([...allResources().map(({ scope }) => scope), HISTORY])].sort();

export type Scope = `${string}:${'read' | 'write'}`;

/** All texts that `scopes` of a credential may have. */
export const SCOPES: readonly string[] = [...SCOPE_RESOURCES, '*'].flatMap((resource) => [
  `${resource}:read`,
  `${resource}:write`,
]);

export const allows = (granted: ReadonlySet<string>, scope: Scope): boolean =>
  granted.has(scope) || granted.has(`*:${scope.endsWith(':write') ? 'write' : 'read'}`);

/** @throws {Problem} 403 naming what the credential lacks of the scopes that these datapaths need. CONTRACT.md 2. */
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
 * @param refusal  says which scope is lacking, and what needs it
 * @throws {Problem} 403 when the credential lacks the scope
 */
export function checkScope(granted: ReadonlySet<string>, scope: Scope, refusal: Message): void {
  if (!allows(granted, scope)) throw new Problem(403, refusal);
}

export const PUBLIC = 'ats:public';
export const SCOPE = 'ats:scope';

/** A route that needs no credential. */
export const Public = (): MethodDecorator & ClassDecorator => SetMetadata(PUBLIC, true);

/**
 * A route needs one of these scopes. A route without this decorator is open to every valid credential.
 * @throws {Error} for an unknown scope, when the module loads
 */
export function RequiresScope(...scopes: readonly [Scope, ...Scope[]]): MethodDecorator & ClassDecorator {
  const unknown = scopes.filter((scope) => !SCOPES.includes(scope));
  if (unknown.length > 0) throw new Error(`there is no scope ${unknown.join(', ')}`);
  return SetMetadata(SCOPE, scopes);
}
