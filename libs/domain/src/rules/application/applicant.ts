import { type Transaction } from '@ats/postgres';
import { type Resource } from '../../vocabulary/resource.js';
import { UniqueConflictError, ValidationError } from '../../vocabulary/validation-error.js';
import { type WriteBody } from '../../writing/write-schema.js';
import { addCandidate } from '../candidate/add-candidate.js';
import { type ValidatedValues } from '../form/validate-form-values.js';
import { validateOnDraft } from './application-draft.js';
import { type ApplicationClient, belowCandidate, type CheckedTarget } from './application-target.js';
import { applyAsKnown, modeOf, updateKnown } from './existing-candidate.js';
import { type OpenOpportunity } from './open-opportunity.js';

/** The checked target of an application when it has no violations. */
export interface ValidTarget extends CheckedTarget {
  readonly opportunity: OpenOpportunity;
}

/** The body of a new application. It names its candidate by id. */
export interface ApplicantBody {
  readonly body: WriteBody;
  /** The validated form values, if there are any. `unchecked` when they must still be validated. */
  readonly values: ValidatedValues | 'unchecked' | undefined;
}

/**
 * Finds or creates the candidate of a new application. The mode in `on_existing_candidate` says what happens when the
 * e-mail address is known. In the mode `use`, form values are validated as if the candidate were new. Otherwise the
 * violations would show the result of conditions on the stored person, and thereby reveal that the address is known.
 * @throws {ValidationError} with the violations of the candidate and, in the mode `use`, of the form values
 */
export async function withApplicant(
  transaction: Transaction,
  resource: Resource,
  { given, target }: { readonly given: WriteBody; readonly target: ValidTarget },
  client: ApplicationClient,
): Promise<ApplicantBody> {
  const { candidate, ...body } = given;
  const mode = modeOf(given);
  const { knownId, confidential = [] } = target;
  if (candidate !== undefined && mode === 'use') {
    const values = await validateOnDraft(transaction, resource, { given, target }, client.settings);
    refuse(resource, values?.violations ?? []);
    refuse(resource, confidential);
    const user_id = await reportedBelowCandidate(resource, () =>
      applyAsKnown(transaction, candidate as WriteBody, knownId, client.recruiterId),
    );
    return { body: { ...body, user_id }, values };
  }
  if (candidate === undefined || mode !== 'update' || knownId === undefined)
    return { body: await withNewCandidate(transaction, resource, given, client.recruiterId), values: 'unchecked' };
  await reportedBelowCandidate(resource, () => updateKnown(transaction, candidate as WriteBody, knownId, client));
  return { body: { ...body, user_id: knownId }, values: 'unchecked' };
}

/** Creates the inline candidate, if there is one. Reports its violations below `/candidate`. */
export async function withNewCandidate(
  transaction: Transaction,
  resource: Resource,
  { candidate, ...body }: WriteBody,
  recruiterId: number,
): Promise<WriteBody> {
  if (candidate === undefined) return body;
  const user_id = await reportedBelowCandidate(resource, () =>
    addCandidate(transaction, candidate as WriteBody, { recruiterId }),
  );
  return { ...body, user_id };
}

function refuse({ name }: Resource, violations: ValidationError['violations']): void {
  if (violations.length > 0) throw new ValidationError(name, violations);
}

/**
 * Runs a write of a candidate, and reports the violations of the candidate below `/candidate`. The check of the request
 * has found no conflict, and has locked a known person. A violation about a unique value therefore comes from a
 * concurrent request, and the error asks the client to try again.
 */
async function reportedBelowCandidate<T>({ name }: Resource, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    const violations = error.violations.map(belowCandidate);
    const isConflict = violations.every(({ code }) => code === 'already_exists');
    throw isConflict ? new UniqueConflictError(name, violations) : new ValidationError(name, violations);
  }
}
