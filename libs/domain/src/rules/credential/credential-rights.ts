import { message } from '@ats/message';
import { type Violation } from '../../vocabulary/validation-error.js';
import { isInsideNetworks } from '../../objects/allowed-network.js';

/** The rights of a credential. They never change after its creation. */
export interface CredentialRights {
  readonly scopes: readonly string[];
  readonly recruiterId: number;
  /** Null for a credential that never expires. */
  readonly expiresDt: Date | null;
  /** The networks from which the credential may be used. Empty when it may be used from everywhere. */
  readonly allowedCidrs: readonly string[];
}

/** The rights that a client asks for. An absent right defaults to the same right of the maker. */
export interface RequestedRights {
  readonly scopes: readonly string[];
  readonly recruiterId?: number | null | undefined;
  readonly expiresDt?: Date | null | undefined;
  readonly allowedCidrs?: readonly string[] | undefined;
}

export interface RightsContext {
  readonly now: Date;
  /** The longest lifetime of a new credential in days. Undefined when there is no limit. */
  readonly maxLifetimeDays?: number | undefined;
  /** True when a list of scopes grants the given scope. */
  readonly covers: (scopes: readonly string[], scope: string) => boolean;
}

/** The scope that allows creating credentials that act as another recruiter. */
export const IMPERSONATE = 'credentials:impersonate';

const DAY_MS = 86_400_000;

/**
 * Returns the rights of a new credential, which the client asks for. They must not exceed the rights of the maker.
 * Source: docs/reference/authentication.md, "Makers".
 */
export function rightsWithin(
  maker: CredentialRights,
  requested: RequestedRights,
  context: RightsContext,
): { readonly rights: CredentialRights; readonly violations: readonly Violation[] } {
  const recruiterId = requested.recruiterId ?? maker.recruiterId;
  const expiresDt = requested.expiresDt ?? latestExpiry(maker, context);
  const allowedCidrs = requested.allowedCidrs?.length ? requested.allowedCidrs : maker.allowedCidrs;
  const rights = { scopes: requested.scopes, recruiterId, expiresDt, allowedCidrs };
  return {
    rights,
    violations: [
      ...scopeViolations(maker, rights, context),
      ...recruiterViolations(maker, rights, context),
      ...expiryViolations(maker, rights, context),
      ...networkViolations(maker, rights),
    ],
  };
}

/**
 * Returns the latest allowed expiry: the earlier one of the maker's own expiry and the end of the longest lifetime.
 * Null when there is neither.
 */
function latestExpiry({ expiresDt }: CredentialRights, { now, maxLifetimeDays }: RightsContext): Date | null {
  const ends = [
    ...(expiresDt ? [expiresDt.getTime()] : []),
    ...(maxLifetimeDays === undefined ? [] : [now.getTime() + maxLifetimeDays * DAY_MS]),
  ];
  return ends.length > 0 ? new Date(Math.min(...ends)) : null;
}

const scopeViolations = (
  maker: CredentialRights,
  { scopes }: CredentialRights,
  { covers }: RightsContext,
): Violation[] =>
  scopes.flatMap((scope, index) =>
    covers(maker.scopes, scope)
      ? []
      : [{ path: `/scopes/${index}`, code: 'invalid', info: message`your own credential lacks the scope ${scope}` }],
  );

const recruiterViolations = (
  maker: CredentialRights,
  { recruiterId }: CredentialRights,
  { covers }: RightsContext,
): Violation[] =>
  recruiterId === maker.recruiterId || covers(maker.scopes, IMPERSONATE)
    ? []
    : [{ path: '/recruiter_id', code: 'invalid', info: message`your own credential lacks the scope ${IMPERSONATE}` }];

function expiryViolations(
  maker: CredentialRights,
  { expiresDt }: CredentialRights,
  context: RightsContext,
): Violation[] {
  const path = '/expires_dt';
  if (expiresDt && expiresDt <= context.now) return [{ path, code: 'invalid', info: message`must be in the future` }];
  const latest = latestExpiry(maker, context);
  if (!expiresDt || !latest || expiresDt <= latest) return [];
  const { maxLifetimeDays } = context;
  const info =
    maker.expiresDt && latest >= maker.expiresDt
      ? message`must not be later than the expiry of your own credential: ${maker.expiresDt.toISOString()}`
      : message`must be within ${maxLifetimeDays ?? 0} days`;
  return [{ path, code: 'invalid', info }];
}

const networkViolations = (maker: CredentialRights, { allowedCidrs }: CredentialRights): Violation[] =>
  allowedCidrs.flatMap((network, index) =>
    isInsideNetworks(network, maker.allowedCidrs)
      ? []
      : [
          {
            path: `/allowed_cidrs/${index}`,
            code: 'invalid',
            info: message`must lie inside a network of your own credential: ${maker.allowedCidrs}`,
          },
        ],
  );
