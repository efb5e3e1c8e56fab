import {
  addHistory,
  applications,
  deleteHistory,
  deleteObject,
  eventApplications,
  givenValues,
  initialState,
  insertObject,
  lockObject,
  type OpenOpportunity,
  replaceObject,
  type Resource,
  ValidationError,
  type Violation,
  type WriteBody,
  writeFormValues,
} from '@ats/domain';
import { runStatement } from '@ats/postgres';
import { Injectable } from '@nestjs/common';
import { CandidatesService } from '../candidates/candidates.service.js';
import { type ResourceWrites } from '../collections/resource-controller.js';
import { type Work } from '../collections/unit-of-work.js';
import { formValuesOfInvalid } from './application-draft.js';
import { belowCandidate, checkTarget, type CheckedTarget } from './application-target.js';

/** Writes applications to vacancies and to events. The two differ only in the kind of their opportunity. */
abstract class ApplicationsServiceBase implements ResourceWrites {
  protected abstract readonly resource: Resource;

  constructor(private readonly candidates: CandidatesService) {}

  async create(work: Work, given: WriteBody): Promise<number> {
    const { transaction, recruiterId } = work;
    const opportunity = await this.#checkTarget(work, given);
    const body = await this.#withCandidate(work, given);
    const state = await initialState(transaction, { id: opportunity.process_id });
    const id = await insertObject(transaction, this.resource, body, {
      state_id: state.id,
      outcome: state.outcome,
      is_live: state.is_live,
    });
    await addHistory(transaction, {
      type: 'created',
      subjectType: 'application',
      subjectId: id,
      recruiterId,
      toStateId: state.id,
    });
    await this.#writeFormValues(work, id, given);
    return id;
  }

  async replace(work: Work, id: number, given: WriteBody): Promise<void> {
    const { transaction, recruiterId, settings } = work;
    await this.#checkTarget(work, given, id);
    const body = await this.#withCandidate(work, given);
    const extra = (await isMove(work, this.resource, id, given)) ? { score: null } : {};
    const { changes } = await replaceObject(transaction, this.resource, { id, body, extra }, settings);
    if (changes.length > 0)
      await addHistory(transaction, {
        type: 'field_change',
        subjectType: 'application',
        subjectId: id,
        recruiterId,
        changes,
      });
    await this.#writeFormValues(work, id, given);
  }

  async remove({ transaction }: Work, id: number): Promise<void> {
    await deleteObject(transaction, this.resource, id);
    await deleteHistory(transaction, 'application', [id]);
  }

  async violations(work: Work, given: WriteBody, ownId?: number): Promise<readonly Violation[]> {
    return this.#allViolations(work, given, { ownId, target: await checkTarget(work, this.resource, given, ownId) });
  }

  /** @throws {ValidationError} with all violations of the body and of its form values */
  async #checkTarget(work: Work, given: WriteBody, ownId?: number): Promise<OpenOpportunity> {
    const target = await checkTarget(work, this.resource, given, ownId);
    if (target.opportunity && target.violations.length === 0) return target.opportunity;
    throw new ValidationError(this.resource.name, await this.#allViolations(work, given, { ownId, target }));
  }

  async #allViolations(
    work: Work,
    given: WriteBody,
    checked: { readonly ownId: number | undefined; readonly target: CheckedTarget },
  ): Promise<readonly Violation[]> {
    return [...checked.target.violations, ...(await formValuesOfInvalid(work, this.resource, { given, ...checked }))];
  }

  async #writeFormValues(
    { transaction, recruiterId, settings }: Work,
    id: number,
    { form_values }: WriteBody,
  ): Promise<void> {
    if (form_values === undefined) return;
    const pointer = '/form_values';
    await writeFormValues(transaction, { resource: this.resource, recruiterId, settings }, [
      { id, pointer, ...givenValues(form_values, pointer) },
    ]);
  }

  /** Creates the inline candidate, if any. Reports its violations below `/candidate`. */
  async #withCandidate(work: Work, { candidate, ...body }: WriteBody): Promise<WriteBody> {
    if (candidate === undefined) return body;
    try {
      return { ...body, user_id: await this.candidates.add(work, candidate as WriteBody) };
    } catch (error) {
      if (!(error instanceof ValidationError)) throw error;
      throw new ValidationError(this.resource.name, error.violations.map(belowCandidate));
    }
  }
}

/**
 * True when the body names another opportunity. The score then no longer applies: it follows the rules of the old one.
 */
async function isMove(
  { transaction }: Work,
  resource: Resource,
  id: number,
  { opportunity_id }: WriteBody,
): Promise<boolean> {
  await lockObject(transaction, resource, id);
  const moved = await runStatement(transaction, 'SELECT FROM applications WHERE id = $1 AND opportunity_id <> $2', [
    id,
    opportunity_id,
  ]);
  return moved.length > 0;
}

@Injectable()
export class VacancyApplicationsService extends ApplicationsServiceBase {
  protected readonly resource = applications;

  constructor(candidates: CandidatesService) {
    super(candidates);
  }
}

@Injectable()
export class EventApplicationsService extends ApplicationsServiceBase {
  protected readonly resource = eventApplications;

  constructor(candidates: CandidatesService) {
    super(candidates);
  }
}
