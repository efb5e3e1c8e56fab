import { type Transaction } from '@ats/postgres';
import { type Resource } from '../../vocabulary/resource.js';
import { ValidationError, type Violation } from '../../vocabulary/validation-error.js';
import { lockObject } from '../../writing/lock-object.js';
import { deleteObject, insertObject, replaceObject } from '../../writing/write-object.js';
import { readItem } from '../../reading/read-item.js';
import { type WriteBody } from '../../writing/write-schema.js';
import { claimDocuments, deleteDocumentsOf } from '../document/documents.js';
import { givenValues } from '../form/form-values-body.js';
import { isFormRequired } from '../form/form-definition.js';
import { storeFormValues, writeFormValues } from '../form/write-form-values.js';
import { addHistory, buryApplications } from '../history/history.js';
import { initialState } from '../process/move-state.js';
import { lockApplicant } from './lock-applicant.js';
import { formValuesOfInvalid, type InvalidBody } from './application-draft.js';
import { type ValidTarget, withApplicant, withNewCandidate } from './applicant.js';
import { type ApplicationBody, type ApplicationClient, checkTarget } from './application-target.js';

/**
 * Creates an application in the initial state of its opportunity's process. Also creates its inline candidate and
 * stores its form values.
 * @param resource  applications to vacancies or to events; they differ only in the kind of their opportunity
 * @returns the id of the application
 * @throws {ValidationError} with all violations of the body, the candidate and the form values
 * Source: docs/reference/resources.md, "Live applications".
 */
export async function createApplication(
  transaction: Transaction,
  resource: Resource,
  given: WriteBody,
  client: ApplicationClient,
): Promise<number> {
  const { recruiterId } = client;
  const target = await expectTarget(transaction, resource, { given }, client);
  const { body, values } = await withApplicant(transaction, resource, { given, target }, client);
  const state = await initialState(transaction, { id: target.opportunity.process_id });
  const id = await insertObject(transaction, resource, body, {
    state_id: state.id,
    outcome: state.outcome,
    is_live: state.is_live,
  });
  await claimDocuments(transaction, (given['document_ids'] ?? []) as readonly number[], {
    column: 'application_id',
    id,
  });
  await addHistory(transaction, {
    type: 'created',
    subjectType: 'application',
    subjectId: id,
    recruiterId,
    toStateId: state.id,
  });
  if (values === 'unchecked') await writeGivenValues(transaction, resource, { id, given, isApplying: true }, client);
  else if (values) await storeFormValues(transaction, { resource, ...client }, id, values);
  return id;
}

interface ReplacedApplication {
  readonly id: number;
  readonly given: WriteBody;
  /**
   * The representation before the write as JSON text. Set it only if the transaction has locked the application and
   * then read it.
   */
  readonly present?: string | undefined;
}

/**
 * Replaces an application. A new opportunity removes its score.
 * @returns the representation after the change as JSON text, if it is known
 * @throws {NotFoundError} when the collection has no such application
 * @throws {ValidationError} like `createApplication`
 */
export async function replaceApplication(
  transaction: Transaction,
  resource: Resource,
  { id, given, ...known }: ReplacedApplication,
  client: ApplicationClient,
): Promise<string | undefined> {
  const { recruiterId, settings } = client;
  const { is_valid } = await lockApplicant(transaction, resource, id, 'UPDATE');
  const present = known.present ?? (await readItem(transaction, resource, id, settings));
  const kept = keptReferences(JSON.parse(present) as StoredReferences, given);
  if (!kept.all || !is_valid) await expectTarget(transaction, resource, { given, ownId: id }, client);
  const body = await withNewCandidate(transaction, resource, given, recruiterId);
  // The score was computed with the scoring rules of the old opportunity.
  const extra = kept.opportunity ? {} : { score: null };
  const { changes, text } = await replaceObject(transaction, resource, { id, body, extra, present }, settings);
  if (changes.length > 0)
    await addHistory(transaction, {
      type: 'field_change',
      subjectType: 'application',
      subjectId: id,
      recruiterId,
      changes,
    });
  await writeGivenValues(transaction, resource, { id, given }, client);
  return given['form_values'] === undefined ? text : undefined;
}

/**
 * Deletes an application with its history and documents. A tombstone with its id stays in the history of the
 * collection.
 * @throws {NotFoundError} when the collection has no such application
 */
export async function deleteApplication(
  transaction: Transaction,
  resource: Resource,
  { id, recruiterId }: { readonly id: number; readonly recruiterId: number | null },
): Promise<void> {
  await lockObject(transaction, resource, id);
  await deleteDocumentsOf(transaction, { applicationIds: [id] });
  await deleteObject(transaction, resource, id);
  await buryApplications(transaction, { collection: resource.name, ids: [id], recruiterId });
}

/**
 * Returns all violations of a body that violates its schema: the violations of the schema (`found`), and the violations
 * that only the database can show.
 */
export async function applicationViolations(
  transaction: Transaction,
  resource: Resource,
  body: ApplicationBody & Pick<InvalidBody, 'found'>,
  client: ApplicationClient,
): Promise<readonly Violation[]> {
  const target = await checkTarget(transaction, resource, body, client);
  return allViolations(transaction, resource, { ...body, target }, client);
}

/** @throws {ValidationError} with all violations of the body and of its form values */
async function expectTarget(
  transaction: Transaction,
  resource: Resource,
  body: ApplicationBody,
  client: ApplicationClient,
): Promise<ValidTarget> {
  const target = await checkTarget(transaction, resource, body, client);
  const { opportunity } = target;
  if (opportunity && target.violations.length === 0) return { ...target, opportunity };
  throw new ValidationError(resource.name, await allViolations(transaction, resource, { ...body, target }, client));
}

async function allViolations(
  transaction: Transaction,
  resource: Resource,
  body: InvalidBody,
  { settings }: ApplicationClient,
): Promise<readonly Violation[]> {
  const { found, ofValues } = await formValuesOfInvalid(transaction, resource, body, settings);
  return [...found, ...body.target.violations, ...ofValues];
}

interface GivenOwner {
  readonly id: number;
  readonly given: WriteBody;
  readonly isApplying?: boolean;
}

async function writeGivenValues(
  transaction: Transaction,
  resource: Resource,
  { id, given, isApplying = false }: GivenOwner,
  { recruiterId, settings }: ApplicationClient,
): Promise<void> {
  const { form_values } = given;
  if (
    form_values === undefined &&
    !(isApplying && (await isFormRequired(transaction, resource.name, Number(given['opportunity_id']))))
  )
    return;
  const pointer = '/form_values';
  await writeFormValues(transaction, { resource, recruiterId, settings, isApplying }, [
    { id, pointer, ...givenValues(form_values ?? [], pointer) },
  ]);
}

/** The references in the representation of an application. */
interface StoredReferences {
  readonly opportunity_id: number;
  readonly user: { readonly id: number };
  readonly posting: { readonly id: number } | null;
}

/**
 * Returns two booleans: `opportunity` is true when the body keeps the opportunity of the stored application, and `all`
 * is true when the body keeps the opportunity, the candidate and the posting.
 */
function keptReferences(
  { opportunity_id, user, posting }: StoredReferences,
  given: WriteBody,
): { readonly opportunity: boolean; readonly all: boolean } {
  const opportunity = given['opportunity_id'] === opportunity_id;
  const isSamePosting = (given['posting_id'] ?? null) === (posting?.id ?? null);
  return { opportunity, all: opportunity && given['user_id'] === user.id && isSamePosting };
}
