import { type Transaction } from '@ats/postgres';
import { type z } from 'zod';
import { candidates } from '../../objects/user.model.js';
import { type ReadSettings } from '../../reading/representation-sql.js';
import { type Resource } from '../../vocabulary/resource.js';
import { type Violation } from '../../vocabulary/validation-error.js';
import { markNotes } from '../../writing/event/note-changes.js';
import { insertObject, replaceObject } from '../../writing/write-object.js';
import { type WriteBody, writeSchema } from '../../writing/write-schema.js';
import { givenValues } from '../form/form-values-body.js';
import { isFormRequired } from '../form/form-definition.js';
import { type ValidatedValues } from '../form/validate-form-values.js';
import { validateOwner, withItems } from '../form/validate-owners.js';
import { initialState } from '../process/move-state.js';
import { type ApplicationBody, type CheckedTarget } from './application-target.js';
import { modeOf, unusedAddress } from './existing-candidate.js';
import { type OpenOpportunity } from './open-opportunity.js';

export interface InvalidBody extends ApplicationBody {
  readonly target: CheckedTarget;
  /** The violations that the schema of the body has found. */
  readonly found?: readonly Violation[];
}

/**
 * Validates the form values of a request on a draft of its application. The draft is an application that is written for
 * the check, and rolled back after it. A condition that reads an invalid property causes no violation. Without a valid
 * opportunity there is no draft, and only the values themselves are checked.
 * @returns undefined when the request has no form values and needs none
 */
export async function validateOnDraft(
  transaction: Transaction,
  resource: Resource,
  body: InvalidBody,
  settings: ReadSettings,
): Promise<ValidatedValues | undefined> {
  const {
    given,
    ownId,
    target: { opportunity },
  } = body;
  const isApplying = ownId === undefined;
  const opportunityId = opportunity && Number(given['opportunity_id']);
  if ((given['form_values'] ?? undefined) === undefined)
    if (!isApplying || !(await isFormRequired(transaction, resource.name, opportunityId))) return undefined;
  const values = givenValues(given['form_values'] ?? [], '/form_values');
  const validate = (id: number, isUnknown: (datapath: string) => boolean): Promise<ValidatedValues> => {
    const opportunities = new Map([[id, opportunityId]]);
    const applicantEmail = modeOf(given) === 'refuse' ? undefined : emailOf(given);
    const validation = { resource, settings, opportunities, isUnknown, isApplying, applicantEmail };
    return validateOwner(transaction, validation, { id, pointer: '/form_values', ...values });
  };
  return rolledBack(transaction, async () => {
    if (!opportunity) return validate(ownId ?? 0, () => true);
    const { id, isUnknown } = await writeDraft(transaction, resource, { ...body, opportunity }, settings);
    return validate(id, isUnknown);
  });
}

const emailOf = ({ candidate }: WriteBody): unknown => (candidate as WriteBody | undefined)?.['email'];

export interface FormValuesViolations {
  /** The violations that the schema of the body has found. A violation about a form value names its form item. */
  readonly found: readonly Violation[];
  readonly ofValues: readonly Violation[];
}

/** Validates the form values of a body that has other violations, so that one answer can report all of them. */
export async function formValuesOfInvalid(
  transaction: Transaction,
  resource: Resource,
  body: InvalidBody,
  settings: ReadSettings,
): Promise<FormValuesViolations> {
  const { found = [] } = body;
  const validated = await validateOnDraft(transaction, resource, body, settings);
  return validated ? { found: withItems(found, [validated]), ofValues: validated.violations } : { found, ofValues: [] };
}

/** Runs `work` after a savepoint, and then rolls back everything that it has written. */
async function rolledBack<T>(transaction: Transaction, work: () => Promise<T>): Promise<T> {
  await transaction.query('SAVEPOINT draft');
  const forgetNotes = markNotes(transaction);
  try {
    return await work();
  } finally {
    await transaction.query('ROLLBACK TO SAVEPOINT draft');
    forgetNotes();
  }
}

interface Draft {
  readonly id: number;
  /**
   * Returns true for a datapath whose real value the draft lacks: the property of the datapath is invalid, or a
   * placeholder replaces the candidate.
   */
  readonly isUnknown: (datapath: string) => boolean;
}

/**
 * Writes an application with the valid properties of the body. A placeholder replaces a candidate that is invalid or
 * unknown.
 */
async function writeDraft(
  transaction: Transaction,
  resource: Resource,
  body: InvalidBody & { readonly opportunity: OpenOpportunity },
  settings: ReadSettings,
): Promise<Draft> {
  const { given, ownId, opportunity, target } = body;
  const { valid, invalid } = splitProperties(resource, given, target.violations);
  const known = validCandidate(given, target);
  const user_id =
    known.userId ?? (await insertObject(transaction, candidates, known.candidate ?? placeholderCandidate()));
  // In the mode `update`, the request will change the stored person. So the stored values of the person count as
  // unknown.
  const isUpdated = modeOf(given) === 'update' && target.knownId !== undefined;
  const isPlaceholder = isUpdated || (known.userId === undefined && known.candidate === undefined);
  const unknown = new Set([...invalid, ...(isPlaceholder ? ['user', 'candidate'] : [])]);
  const isUnknown = (datapath: string): boolean => unknown.has(datapath.split('.')[1] ?? '');
  const draft = { ...valid, user_id };
  // The draft must not be live: the candidate may already have a live application to the opportunity, and only one is
  // allowed.
  if (ownId !== undefined) {
    await replaceObject(transaction, resource, { id: ownId, body: draft, extra: { is_live: false } }, settings);
    return { id: ownId, isUnknown };
  }
  const state = await initialState(transaction, { id: opportunity.process_id });
  return {
    id: await insertObject(transaction, resource, draft, {
      state_id: state.id,
      outcome: state.outcome,
      is_live: false,
    }),
    isUnknown,
  };
}

/** Returns the valid properties of the body, and the names of the invalid ones. It skips `user_id` and `candidate`. */
function splitProperties(
  { type }: Resource,
  given: WriteBody,
  violations: readonly Violation[],
): { readonly valid: WriteBody; readonly invalid: readonly string[] } {
  const refused = new Set(violations.filter(({ code }) => code === 'invalid').map(({ path }) => path.slice(1)));
  const valid: Record<string, unknown> = {};
  const invalid: string[] = [];
  for (const [name, schema] of Object.entries<z.ZodType>(writeSchema(type).shape)) {
    if (name === 'user_id') continue;
    const parsed = schema.safeParse(given[name]);
    if (parsed.success && !refused.has(name)) valid[name] = parsed.data;
    else invalid.push(name.replace(/_id$/, ''));
  }
  return { valid, invalid };
}

/**
 * Returns the id of the candidate, or the body of a new candidate. The result is empty when the candidate is missing or
 * invalid.
 */
function validCandidate(
  given: WriteBody,
  { violations }: CheckedTarget,
): { readonly userId?: number; readonly candidate?: WriteBody } {
  const { user_id, candidate } = given;
  const isGiven = (value: unknown): boolean => value !== undefined && value !== null;
  if (
    isGiven(user_id) === isGiven(candidate) ||
    violations.some(({ path }) => path === '/user_id' || path.startsWith('/candidate'))
  )
    return {};
  if (isGiven(candidate)) {
    const parsed = writeSchema(candidates.type).safeParse(candidate);
    if (!parsed.success) return {};
    // The draft gets an unused e-mail address, so that the check runs in the same way for known and unknown addresses.
    // A known address would also violate the unique index.
    const email = modeOf(given) === 'refuse' ? parsed.data['email'] : unusedAddress();
    return { candidate: { ...parsed.data, email } };
  }
  return Number.isSafeInteger(user_id) ? { userId: Number(user_id) } : {};
}

const placeholderCandidate = (): WriteBody => ({
  firstname: 'Nobody',
  lastname: 'Nobody',
  email: unusedAddress(),
});
