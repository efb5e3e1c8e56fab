import { allResources, defineAppList, requiredScopes, type Resource } from '@ats/domain';
import { message, type Message } from '@ats/message';
import { SetMetadata } from '@nestjs/common';
import { Problem } from './problem.js';

/** The scope `history:read` covers the history of all objects, although no resource has the name `history`. */
const HISTORY = 'history';

/**
 * The resources in scopes: the part before the colon. Several resources can share a scope.
 * Source: docs/reference/authentication.md, "Scopes".
 */
const SCOPE_RESOURCES = [...new Set([...allResources().map(({ scope }) => scope), HISTORY])].sort();

/** The actions whose scopes exist for every resource, and for `*`. */
const WIDE_ACTIONS = ['read', 'write'] as const;
/**
 * Actions that `write` includes and that also have a scope of their own. Such a scope exists only when a route of the
 * resource requires it.
 */
const NARROW_ACTIONS = ['create', 'move', 'delete'] as const;
/**
 * Actions that reach beyond the objects of the credential's own recruiter, or beyond its scopes. `write` includes none
 * of their scopes. `*:admin` includes all of them.
 */
const ADMIN_ACTIONS = ['impersonate', 'admin'] as const;
/** The resources that have a scope for admin actions. */
const ADMIN_SCOPES: Readonly<Record<string, readonly AdminAction[]>> = {
  credentials: ADMIN_ACTIONS,
  notifications: ['admin'],
  '*': ['admin'],
};
const ACTIONS: readonly string[] = [...WIDE_ACTIONS, ...NARROW_ACTIONS];

type AdminAction = (typeof ADMIN_ACTIONS)[number];
export type Action = (typeof WIDE_ACTIONS)[number] | (typeof NARROW_ACTIONS)[number] | AdminAction;
export type Scope = `${string}:${Action}`;

/** Every scope that a route requires. `RequiresScope` fills the set while the controllers load. */
const required = new Set<Scope>();

const isAdminAction = (action: string): boolean => ADMIN_ACTIONS.some((one) => one === action);

const partsOf = (scope: string): { readonly resource: string; readonly action: string } => {
  const [resource = '', action = ''] = scope.split(':');
  return { resource, action };
};

/**
 * Every scope that a credential can have, by resource; those for `*` come last. Complete when all controllers are
 * loaded.
 */
export const allScopes = (): readonly Scope[] =>
  [...SCOPE_RESOURCES, '*'].flatMap((resource) => [
    ...WIDE_ACTIONS.map((action): Scope => `${resource}:${action}`),
    ...NARROW_ACTIONS.map((action): Scope => `${resource}:${action}`).filter((scope) => required.has(scope)),
    ...(ADMIN_SCOPES[resource] ?? []).map((action): Scope => `${resource}:${action}`),
  ]);

defineAppList('scopes', allScopes);

export const isScope = (text: string): text is Scope => allScopes().some((scope) => scope === text);

/** Returns all scopes that allow what this scope allows. The narrowest comes first. A credential needs one of them. */
function scopesThatAllow(scope: Scope): readonly Scope[] {
  const { resource, action } = partsOf(scope);
  if (isAdminAction(action)) return [...new Set<Scope>([scope, '*:admin'])];
  const wide = action === 'read' ? 'read' : 'write';
  return [...new Set<Scope>([scope, `${resource}:${wide}`, `*:${wide}`])];
}

export const allows = (granted: ReadonlySet<string>, scope: Scope): boolean =>
  scopesThatAllow(scope).some((one) => granted.has(one));

/**
 * Returns the scopes that both lists allow. A scope of one list stays when the other list has this scope or a wider
 * one. The result therefore allows only what both lists allow.
 */
export function narrowScopes(some: readonly string[], others: readonly string[]): readonly string[] {
  const within = (list: readonly string[], granted: ReadonlySet<string>): readonly string[] =>
    list.filter((scope) => allows(granted, scope as Scope));
  return [...new Set([...within(some, new Set(others)), ...within(others, new Set(some))])];
}

/**
 * Returns the setting that limits the reads of a credential to the resources that it may read. Empty when the
 * credential may read all resources.
 */
export const readableBy = (granted: readonly string[]): { readonly readable?: readonly string[] } =>
  granted.includes('*:read')
    ? {}
    : { readable: granted.filter((scope) => partsOf(scope).action === 'read').map((scope) => partsOf(scope).resource) };

/** Returns the other scopes that include this scope, the narrowest first. */
export const includingScopes = (scope: Scope): readonly Scope[] =>
  scopesThatAllow(scope).filter((other) => other !== scope);

/** Returns the other scopes that this scope includes. */
export const includedScopes = (scope: Scope): readonly Scope[] =>
  allScopes().filter((other) => other !== scope && scopesThatAllow(other).includes(scope));

/**
 * Returns the read scopes that a credential needs to see the whole answer of a write. Empty for a route that only
 * reads.
 * Source: docs/reference/authentication.md, "Answers to writes".
 */
export const readScopesOfWrite = (scopes: readonly Scope[]): readonly Scope[] =>
  scopes.flatMap((scope): Scope[] => {
    const { resource, action } = partsOf(scope);
    return action === 'read' ? [] : [`${resource}:read`];
  });

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

/** The 403 for a credential that lacks a scope. */
export class MissingScope extends Problem {
  /** Makes the 403. @param scopes  scopes of which one would have sufficed */
  constructor(
    readonly scopes: readonly Scope[],
    refusal: Message,
  ) {
    super(403, refusal);
  }

  /** Returns the same error, with a text that names only the scope and not the datapath or property that needs it. */
  withoutUse(): MissingScope {
    return new MissingScope(this.scopes, message`The credential lacks the scope ${this.scopes}`);
  }
}

/**
 * Checks that the credential has a scope.
 * @param refusal  text that names the missing scope and the part of the request that needs it
 * @throws {MissingScope} when the credential lacks the scope
 */
export function checkScope(granted: ReadonlySet<string>, scope: Scope, refusal: Message): void {
  if (!allows(granted, scope)) throw new MissingScope([scope], refusal);
}

export const PUBLIC = 'ats:public';
export const SCOPE = 'ats:scope';
export const FURTHER_SCOPES = 'ats:further_scopes';

/** Marks a route that needs no credential. */
export const Public = (): MethodDecorator & ClassDecorator => SetMetadata(PUBLIC, true);

/**
 * Sets the scope of a route. Any one of several scopes suffices. A route without this decorator needs a credential, but
 * no scope.
 * @throws {Error} for an unknown scope, when the module loads
 */
export function RequiresScope(...scopes: readonly [Scope, ...Scope[]]): MethodDecorator & ClassDecorator {
  defineRequired(scopes);
  return SetMetadata(SCOPE, scopes);
}

/**
 * Adds further scopes to a route whose answer shows values of other resources. The credential needs all of them.
 * @throws {Error} for an unknown scope, when the module loads
 */
export function ShowsValuesOf(...scopes: readonly [Scope, ...Scope[]]): MethodDecorator {
  defineRequired(scopes);
  return SetMetadata(FURTHER_SCOPES, scopes);
}

function defineRequired(scopes: readonly Scope[]): void {
  for (const scope of scopes) {
    const { resource, action } = partsOf(scope);
    const isListed = SCOPE_RESOURCES.includes(resource) && ACTIONS.includes(action);
    if (!isListed && !ADMIN_SCOPES[resource]?.some((admin) => admin === action))
      throw new Error(`there is no scope ${scope}`);
    required.add(scope);
  }
}
