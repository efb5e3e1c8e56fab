import { requiredScopes, type Resource } from '@ats/domain';
import { message, type Message } from '@ats/message';
import { SetMetadata } from '@nestjs/common';
import { Problem } from './problem.js';

/** What a credential can be allowed to read and write. Source: CONTRACT.md 2. */
export const SCOPE_RESOURCES = [
  'applications',
  'candidates',
  'users',
  'vacancies',
  'events',
  'postings',
  'job_boards',
  'recruiters',
  'communications',
  'history',
  'forms',
  'layouts',
  'searches',
  'selections',
  'notifications',
  'systems',
  'credentials',
] as const;

export type ScopeResource = (typeof SCOPE_RESOURCES)[number];
export type Scope = `${ScopeResource}:${'read' | 'write'}`;

/** Every text that may stand in a credential's `scopes`. */
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

/** The scope that a route needs, or several of which any will do; a route with none is open to every valid credential. */
export const RequiresScope = (...scopes: readonly [Scope, ...Scope[]]): MethodDecorator & ClassDecorator =>
  SetMetadata(SCOPE, scopes);
