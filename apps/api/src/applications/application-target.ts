import {
  bodyViolations,
  candidates,
  idSchema,
  type OpenOpportunity,
  openOpportunity,
  type Resource,
  type Violation,
  type WriteBody,
} from '@ats/domain';
import { runStatement, type Transaction } from '@ats/postgres';
import { message, type Message } from '@ats/message';
import { type Work } from '../collections/unit-of-work.js';
import { allows } from '../vocabulary/scopes.js';

/** The opportunity of an application, and the violations of the properties that depend on the database. */
export interface CheckedTarget {
  /** Absent when no opportunity of this kind has the id. */
  readonly opportunity?: OpenOpportunity;
  readonly violations: readonly Violation[];
}

interface Target {
  readonly ownId?: number | undefined;
  readonly opportunityId?: number | undefined;
}

/**
 * Checks the opportunity, the posting and the candidate of a body. The body may have violations of the schema too:
 * malformed ids are left to the schema. Locks the opportunity and the candidate until the transaction ends.
 * @param ownId  the application that is replaced
 * Source: docs/reference/resources.md, "Live applications".
 */
export async function checkTarget(
  work: Work,
  resource: Resource,
  body: WriteBody,
  ownId?: number,
): Promise<CheckedTarget> {
  const { transaction } = work;
  const [opportunityId, postingId, userId] = ['opportunity_id', 'posting_id', 'user_id'].map(
    (name) => idSchema.safeParse(body[name]).data,
  );
  const { opportunity, violation } =
    opportunityId === undefined ? {} : await openOpportunity(transaction, resource, opportunityId, ownId);
  const violations = [
    ...(violation ? [{ ...violation, path: '/opportunity_id' }] : []),
    ...(opportunityId === undefined || postingId === undefined
      ? []
      : await postingViolations(transaction, postingId, opportunityId)),
    ...(userId === undefined ? [] : await personViolations(transaction, userId, { ownId, opportunityId })),
    ...(await candidateViolations(work, body['candidate'])),
  ];
  return { violations, ...(opportunity && { opportunity }) };
}

async function postingViolations(
  transaction: Transaction,
  postingId: number,
  opportunityId: number,
): Promise<Violation[]> {
  const own = await runStatement(transaction, 'SELECT 1 FROM postings WHERE id = $1 AND vacancy_id = $2', [
    postingId,
    opportunityId,
  ]);
  return own.length > 0
    ? []
    : [{ path: '/posting_id', code: 'invalid', info: message`the opportunity has no such posting` }];
}

/** Locks the candidate, so that a concurrent request cannot anonymise it before the application is stored. */
async function personViolations(
  transaction: Transaction,
  userId: number,
  { ownId = 0, opportunityId = 0 }: Target,
): Promise<Violation[]> {
  const [user] = await runStatement<{ status: string }>(
    transaction,
    `SELECT status FROM users WHERE id = $1 AND type = 'candidate' FOR SHARE`,
    [userId],
  );
  if (!user) return [{ path: '/user_id', code: 'invalid', info: message`there is no such candidate` }];
  if (user.status === 'anonymised')
    return [{ path: '/user_id', code: 'invalid', info: message`the candidate is anonymised and cannot be changed` }];
  // Finds committed applications only: the unique index decides between concurrent inserts. An application that is not
  // live may stay beside a live one.
  const live = await runStatement(
    transaction,
    `SELECT FROM applications WHERE user_id = $1 AND opportunity_id = $2 AND is_live AND id <> $3
       AND NOT EXISTS (SELECT FROM applications WHERE id = $3 AND NOT is_live)`,
    [userId, opportunityId, ownId],
  );
  return live.length > 0
    ? [{ path: '/opportunity_id', code: 'already_exists', info: message`the candidate has a live application there` }]
    : [];
}

/** Violations of an inline candidate, with paths below `/candidate`. */
async function candidateViolations({ transaction, scopes }: Work, candidate: unknown): Promise<Violation[]> {
  if (typeof candidate !== 'object' || candidate === null || Array.isArray(candidate)) return [];
  const violations = await bodyViolations(transaction, candidates, candidate as WriteBody);
  const info = violations.some(isTakenEmail)
    ? await whoHas(transaction, (candidate as WriteBody)['email'], scopes)
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

/** Names the candidate with this address. Absent when the credential may not read candidates. */
async function whoHas(
  transaction: Transaction,
  email: unknown,
  scopes: ReadonlySet<string>,
): Promise<Message | undefined> {
  if (!allows(scopes, 'candidates:read')) return undefined;
  const [user] = await runStatement<{ id: number }>(
    transaction,
    `SELECT id FROM users WHERE lower(email) = lower($1) AND type = 'candidate'`,
    [email],
  );
  return (
    user &&
    message`it is the address of candidate ${user.id}: send user_id ${user.id} instead of candidate to apply for them`
  );
}
