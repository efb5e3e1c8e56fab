import { message, type Message } from '@ats/message';
import { runRepeated, runStatement, type Transaction } from '@ats/postgres';
import { candidates } from '../../objects/user.model.js';
import { type ReadSettings } from '../../reading/representation-sql.js';
import { type Resource } from '../../vocabulary/resource.js';
import { type Violation } from '../../vocabulary/validation-error.js';
import { idSchema } from '../../vocabulary/value-schema.js';
import { bodyViolations } from '../../writing/body-violations.js';
import { type WriteBody } from '../../writing/write-schema.js';
import { documentViolations } from '../document/documents.js';
import { findKnownPerson, modeOf, type OnExistingCandidate } from './existing-candidate.js';
import { type OpenOpportunity, openOpportunity } from './open-opportunity.js';

/** The result of checking a body against the database: the opportunity of the application, and the violations. */
export interface CheckedTarget {
  /**
   * Absent when the opportunity does not exist or has the wrong kind: an event instead of a vacancy, or the reverse.
   */
  readonly opportunity?: OpenOpportunity;
  readonly violations: readonly Violation[];
  /** The stored candidate who has the address of the inline candidate. Absent when the mode is `refuse`. */
  readonly knownId?: number | undefined;
  /**
   * Violations that reveal whether an e-mail address is known. An answer contains them only when the request has no
   * other violations. So nobody can test addresses with requests that are refused for other reasons.
   */
  readonly confidential?: readonly Violation[];
}

/** The body of a new or replaced application. It may violate its schema. */
export interface ApplicationBody {
  readonly given: WriteBody;
  /** Id of the application that the request replaces. Undefined for a new application. */
  readonly ownId?: number | undefined;
}

/** The client that writes an application. */
export interface ApplicationClient {
  readonly recruiterId: number;
  /** The credential that uploaded the documents of the application. */
  readonly credentialId: number;
  readonly settings: ReadSettings;
  /** True when the client may learn which candidate has a given e-mail address. */
  readonly canReadCandidates: boolean;
}

interface Target {
  readonly ownId?: number | undefined;
  readonly opportunityId?: number | undefined;
}

/**
 * Checks the opportunity, the posting, the candidate and the documents of a body. It ignores malformed ids, because the
 * schema reports them. It locks the opportunity and the candidate until the transaction ends.
 * Source: docs/reference/resources.md, "Live applications".
 */
export async function checkTarget(
  transaction: Transaction,
  resource: Resource,
  { given, ownId }: ApplicationBody,
  { canReadCandidates, credentialId }: ApplicationClient,
): Promise<CheckedTarget> {
  const [opportunityId, postingId, userId] = ['opportunity_id', 'posting_id', 'user_id'].map(
    (name) => idSchema.safeParse(given[name]).data,
  );
  const { opportunity, violation } =
    opportunityId === undefined ? {} : await openOpportunity(transaction, resource, opportunityId, ownId);
  const target = { ownId, opportunityId };
  const candidate = isObject(given['candidate']) ? given['candidate'] : undefined;
  const mode = modeOf(given);
  const isRefused = candidate !== undefined && mode === 'refuse';
  const known =
    candidate !== undefined && mode !== 'refuse'
      ? await knownApplicant(transaction, resource, { candidate, mode }, target)
      : undefined;
  const violations = [
    ...(violation ? [{ ...violation, path: '/opportunity_id' }] : []),
    ...(opportunityId === undefined || postingId === undefined
      ? []
      : await postingViolations(transaction, postingId, opportunityId)),
    ...(userId === undefined ? [] : await personViolations(transaction, resource, userId, target)),
    ...(isRefused ? await candidateViolations(transaction, candidate, canReadCandidates) : []),
    ...(mode === 'update' ? (known?.violations ?? []) : []),
    ...(ownId === undefined
      ? await documentViolations(transaction, { given: given['document_ids'], credentialId })
      : []),
  ];
  return {
    violations,
    ...(opportunity && { opportunity }),
    ...(known && { knownId: known.knownId }),
    ...(mode === 'use' && known && { confidential: known.violations }),
  };
}

const isObject = (value: unknown): value is WriteBody =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

async function postingViolations(
  transaction: Transaction,
  postingId: number,
  opportunityId: number,
): Promise<Violation[]> {
  const own = await runRepeated(transaction, 'SELECT 1 FROM postings WHERE id = $1 AND vacancy_id = $2', [
    postingId,
    opportunityId,
  ]);
  return own.length > 0
    ? []
    : [{ path: '/posting_id', code: 'invalid', info: message`the opportunity has no posting with this id` }];
}

/**
 * Returns the violations of a candidate who is named by id. Locks the candidate, so that no concurrent request can
 * anonymise the candidate before the application is stored.
 */
async function personViolations(
  transaction: Transaction,
  resource: Resource,
  userId: number,
  { ownId = 0, opportunityId = 0 }: Target,
): Promise<Violation[]> {
  const [user] = await runRepeated<{ status: string }>(
    transaction,
    `SELECT status FROM users WHERE id = $1 AND type = 'candidate' FOR SHARE`,
    [userId],
  );
  if (!user) return [{ path: '/user_id', code: 'invalid', info: message`no candidate has this id` }];
  if (user.status === 'anonymised')
    return [{ path: '/user_id', code: 'invalid', info: message`the candidate is anonymised and cannot be changed` }];
  return liveViolations(transaction, resource, userId, { ownId, opportunityId });
}

/**
 * Returns a violation when the candidate already has a live application to the opportunity. It sees only committed
 * applications; the unique index decides between concurrent inserts. The replacement of an application that is not live
 * is always allowed.
 */
async function liveViolations(
  transaction: Transaction,
  resource: Resource,
  userId: number,
  { ownId = 0, opportunityId = 0 }: Target,
): Promise<Violation[]> {
  const live = await runRepeated<{ id: number }>(
    transaction,
    `SELECT id FROM applications WHERE user_id = $1 AND opportunity_id = $2 AND is_live AND id <> $3
       AND NOT EXISTS (SELECT FROM applications WHERE id = $3 AND NOT is_live)`,
    [userId, opportunityId, ownId],
  );
  return live.map(({ id }) => ({
    path: '/opportunity_id',
    code: 'already_exists',
    info: message`the candidate already has a live application to this vacancy or event`,
    existing: { resource: resource.name, id },
  }));
}

/**
 * Finds the stored candidate with the address of an inline candidate. It runs the same queries for known and unknown
 * addresses, so that its duration does not reveal whether an address is known.
 */
async function knownApplicant(
  transaction: Transaction,
  resource: Resource,
  { candidate, mode }: { readonly candidate: WriteBody; readonly mode: OnExistingCandidate },
  target: Target,
): Promise<Pick<CheckedTarget, 'knownId' | 'violations'>> {
  const { id, violations } = await findKnownPerson(transaction, candidate, mode);
  const live = await liveViolations(transaction, resource, id ?? 0, target);
  return { knownId: id, violations: [...violations.map(belowCandidate), ...live] };
}

/** Returns the violations of an inline candidate, with paths below `/candidate`. */
async function candidateViolations(
  transaction: Transaction,
  candidate: WriteBody,
  canReadCandidates: boolean,
): Promise<Violation[]> {
  const violations = await bodyViolations(transaction, candidates, candidate);
  const info =
    canReadCandidates && violations.some(isTakenEmail)
      ? await takenEmailInfo(transaction, candidate['email'])
      : undefined;
  return violations
    .map(belowCandidate)
    .map((violation) => (info !== undefined && isTakenEmail(violation) ? { ...violation, info } : violation));
}

const isTakenEmail = ({ path, code }: Violation): boolean => path.endsWith('/email') && code === 'already_exists';

export const belowCandidate = (violation: Violation): Violation => ({
  ...violation,
  path: `/candidate${violation.path}`,
});

/**
 * Returns a message that names the candidate with this e-mail address, or undefined when another kind of user has it.
 */
async function takenEmailInfo(transaction: Transaction, email: unknown): Promise<Message | undefined> {
  const [user] = await runStatement<{ id: number }>(
    transaction,
    `SELECT id FROM users WHERE lower(email) = lower($1) AND type = 'candidate'`,
    [email],
  );
  return user && message`candidate ${user.id} has this e-mail address: send user_id ${user.id} instead of candidate`;
}
