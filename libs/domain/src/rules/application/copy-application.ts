import { message } from '@ats/message';
import { runStatement, type Transaction } from '@ats/postgres';
import { copyFormValues } from '../form/copy-form-values.js';
import { addHistory } from '../history/history.js';
import { resourceUrl } from '../../vocabulary/resource-url.js';
import { type ReadSettings } from '../../reading/representation-sql.js';
import { type Resource } from '../../vocabulary/resource.js';
import { initialState } from '../process/move-state.js';
import { toValidationError } from '../../writing/constraint-violations.js';
import { ValidationError, type Violation } from '../../vocabulary/validation-error.js';
import { noteChanges } from '../../writing/event/note-changes.js';
import { touch } from '../../writing/write-object.js';
import { lockApplicant } from './lock-applicant.js';
import { type OpenOpportunity, openOpportunity, type TargetOpportunity } from './open-opportunity.js';

export interface ApplicationCopy {
  readonly id: number;
  /** The vacancy or event that the copy is for. */
  readonly opportunityId: number;
  readonly recruiterId: number;
  readonly settings: ReadSettings;
}

export interface CopiedApplication {
  readonly id: number;
  /** The candidate of the copy, who is also the candidate of the copied application. */
  readonly userId: number;
}

/** A requested copy. `opportunityId` is undefined when the request has no valid id of an opportunity. */
type WantedCopy = Pick<ApplicationCopy, 'id'> & { readonly opportunityId?: number | undefined };

interface CheckedCopy {
  readonly opportunity?: OpenOpportunity;
  readonly source: Source;
  readonly violations: readonly Violation[];
}

interface Source {
  readonly opportunity_id: number;
  readonly user_id: number;
  readonly status: string;
}

/**
 * Copies an application to another opportunity of the same kind. The copy starts in the initial state of its process.
 * It has the same candidate, source and tags, and the values of forms that apply to both opportunities. It does not get
 * the posting, rating, score and dates.
 * @throws {NotFoundError} when the collection has no such application
 * @throws {ValidationError} with all violations: `invalid`, `opportunity_not_open` or `already_exists` at `/opp_id`,
 *   and `anonymised`
 * Source: docs/reference/scoring.md, "Copies".
 */
export async function copyApplication(
  transaction: Transaction,
  resource: Resource,
  copy: ApplicationCopy,
): Promise<CopiedApplication> {
  const { id, opportunityId, recruiterId, settings } = copy;
  const { opportunity, source, violations } = await checkCopy(transaction, resource, copy);
  if (!opportunity || violations.length > 0) throw new ValidationError(resource.name, violations);
  const state = await initialState(transaction, { id: opportunity.process_id });
  const copyId = await insertCopy(transaction, resource, copy, state);
  await noteChanges(transaction, { root: resource.type.name, change: 'create', ids: [copyId] });
  await copyFormValues(
    transaction,
    resource,
    { id, opportunityId: source.opportunity_id },
    { id: copyId, opportunityId },
  );
  await touch(transaction, resource.type, id);
  const reference = (of: number): object => ({ id: of, url: resourceUrl(settings.baseUrl, resource.paths[0], of) });
  const entry = { type: 'copied', subjectType: 'application', recruiterId } as const;
  await addHistory(transaction, {
    ...entry,
    subjectId: id,
    changes: [{ path: '/copied_to', old: null, new: reference(copyId) }],
  });
  await addHistory(transaction, {
    ...entry,
    subjectId: copyId,
    toStateId: state.id,
    changes: [{ path: '/copied_from', old: null, new: reference(id) }],
  });
  return { id: copyId, userId: source.user_id };
}

/**
 * Returns the violations that a copy would have. It also works for a request with other violations.
 * @throws {NotFoundError} when the collection has no such application
 */
export const copyViolations = async (
  transaction: Transaction,
  resource: Resource,
  copy: WantedCopy,
): Promise<readonly Violation[]> => (await checkCopy(transaction, resource, copy)).violations;

/** Checks a copy. Locks the opportunity, the candidate and the application, in the order that all transactions use. */
async function checkCopy(
  transaction: Transaction,
  resource: Resource,
  { id, opportunityId }: WantedCopy,
): Promise<CheckedCopy> {
  const target: TargetOpportunity =
    opportunityId === undefined ? {} : await openOpportunity(transaction, resource, opportunityId);
  const source = await lockSource(transaction, resource, id);
  const live = await runStatement<{ id: number }>(
    transaction,
    'SELECT id FROM applications WHERE user_id = $1 AND opportunity_id = $2 AND is_live',
    [source.user_id, opportunityId ?? null],
  );
  const violations: readonly Violation[] = [
    ...(target.violation ? [{ path: '/opp_id', ...target.violation }] : []),
    ...live.map((application) => ({
      path: '/opp_id',
      code: 'already_exists' as const,
      info: message`the candidate already has a live application to this vacancy or event`,
      existing: { resource: resource.name, id: application.id },
    })),
    ...(source.status === 'anonymised'
      ? [{ path: '', code: 'anonymised' as const, info: message`the candidate is anonymised and cannot be changed` }]
      : []),
  ];
  return { source, violations, ...(target.opportunity && { opportunity: target.opportunity }) };
}

async function lockSource(transaction: Transaction, resource: Resource, id: number): Promise<Source> {
  await lockApplicant(transaction, resource, id, 'UPDATE');
  const [source] = await runStatement<Source>(
    transaction,
    'SELECT a.opportunity_id, a.user_id, u.status FROM applications a JOIN users u ON u.id = a.user_id WHERE a.id = $1',
    [id],
  );
  if (!source) throw new Error('an application was deleted while this transaction held its lock');
  return source;
}

async function insertCopy(
  transaction: Transaction,
  resource: Resource,
  { id, opportunityId }: ApplicationCopy,
  state: Awaited<ReturnType<typeof initialState>>,
): Promise<number> {
  try {
    const [copy] = await runStatement<{ id: number }>(
      transaction,
      `INSERT INTO applications
         (app_type, user_id, source, tags, copied_from_id, opportunity_id, state_id, outcome, is_live)
       SELECT app_type, user_id, source, tags, id, $2, $3, $4, $5 FROM applications WHERE id = $1 RETURNING id`,
      [id, opportunityId, state.id, state.outcome, state.is_live],
    );
    if (!copy) throw new Error('an application was deleted while this transaction held its lock');
    return copy.id;
  } catch (error) {
    // When copies are made concurrently, the unique index accepts one and rejects the others.
    throw toValidationError(error, resource, { uq_applications_live: '/opp_id' });
  }
}
