import {
  addHistory,
  applications,
  bodyFaults,
  candidates,
  deleteHistory,
  deleteObject,
  eventApplications,
  givenValues,
  idSchema,
  initialState,
  insertObject,
  replaceObject,
  type Resource,
  runStatement,
  ValidationError,
  type ValidationFault,
  type WriteBody,
  writeFormValues,
} from '@ats/domain';
import { Injectable } from '@nestjs/common';
import { CandidatesService } from '../candidates/candidates.service.js';
import { type ResourceWrites } from '../http/resource-controller.js';
import { type Work } from '../http/unit-of-work.js';

interface Opportunity {
  readonly process_id: number;
  readonly state: string;
  /** The one that the application is for already. */
  readonly is_present: boolean;
}

/** Applications to vacancies and to events differ in what they are for; all else is the same. */
abstract class ApplicationsServiceBase implements ResourceWrites {
  protected abstract readonly resource: Resource;
  protected abstract readonly opportunityKind: 'vacancy' | 'event';

  constructor(private readonly candidates: CandidatesService) {}

  async create(work: Work, given: WriteBody): Promise<number> {
    const { transaction, recruiterId } = work;
    const opportunity = await this.#checkTarget(work, given);
    const body = await this.#withCandidate(work, given);
    const state = await initialState(transaction, { id: opportunity.process_id });
    const id = await insertObject(transaction, this.resource, body, { state_id: state.id, outcome: state.outcome, is_live: state.is_live });
    await addHistory(transaction, { type: 'created', subjectType: 'application', subjectId: id, recruiterId, toStateId: state.id });
    await this.#writeFormValues(work, id, given);
    return id;
  }

  async replace(work: Work, id: number, given: WriteBody): Promise<void> {
    const { transaction, recruiterId, settings } = work;
    await this.#checkTarget(work, given, id);
    const body = await this.#withCandidate(work, given);
    const { changes } = await replaceObject(transaction, this.resource, { id, body }, settings);
    if (changes.length > 0) await addHistory(transaction, { type: 'field_change', subjectType: 'application', subjectId: id, recruiterId, changes });
    await this.#writeFormValues(work, id, given);
  }

  async remove({ transaction }: Work, id: number): Promise<void> {
    await deleteObject(transaction, this.resource, id);
    await deleteHistory(transaction, 'application', [id]);
  }

  /** Also of a body whose form is wrong elsewhere. */
  async faults(work: Work, given: WriteBody, ownId?: number): Promise<readonly ValidationFault[]> {
    return (await this.#judgeTarget(work, given, ownId)).faults;
  }

  /** Values that the body brings along, in the same transaction. */
  async #writeFormValues({ transaction, recruiterId, settings }: Work, id: number, { form_values }: WriteBody): Promise<void> {
    if (form_values === undefined) return;
    const pointer = '/form_values';
    await writeFormValues(transaction, { resource: this.resource, recruiterId, settings }, [{ id, given: givenValues(form_values, pointer), pointer }]);
  }

  async #checkTarget(work: Work, body: WriteBody, ownId?: number): Promise<Opportunity> {
    const { opportunity, faults } = await this.#judgeTarget(work, body, ownId);
    if (!opportunity || faults.length > 0) throw new ValidationError(this.resource.name, faults);
    return opportunity;
  }

  /** What the application is for and who applies; ids that cannot be any are the schema's to refuse. */
  async #judgeTarget(work: Work, body: WriteBody, ownId?: number): Promise<{ readonly opportunity?: Opportunity; readonly faults: readonly ValidationFault[] }> {
    const { transaction } = work;
    const [opportunityId, postingId, userId] = ['opportunity_id', 'posting_id', 'user_id'].map((name) => idSchema.safeParse(body[name]).data);
    const faults: ValidationFault[] = [];
    const opportunity = opportunityId === undefined ? undefined : await this.#judgeOpportunity(work, opportunityId, { ownId, faults });
    if (opportunityId !== undefined && postingId !== undefined) {
      const own = await runStatement(transaction, 'SELECT 1 FROM postings WHERE id = $1 AND vacancy_id = $2', [postingId, opportunityId]);
      if (own.length === 0) faults.push({ path: '/posting_id', code: 'invalid', info: 'the opportunity has no such posting' });
    }
    if (userId !== undefined) {
      // Held until the end, so that nothing is added to a person who is being anonymised.
      const [user] = await runStatement<{ status: string }>(
        transaction,
        `SELECT status FROM users WHERE id = $1 AND type = 'candidate' FOR SHARE`,
        [userId],
      );
      if (!user) faults.push({ path: '/user_id', code: 'invalid', info: 'there is no such candidate' });
      else if (user.status === 'anonymised') faults.push({ path: '/user_id', code: 'invalid', info: 'the candidate is anonymised and stays as it is' });
    }
    const { candidate } = body;
    if (typeof candidate === 'object' && candidate !== null) {
      faults.push(...(await bodyFaults(transaction, candidates, candidate as WriteBody)).map(belowCandidate));
    }
    return { faults, ...(opportunity && { opportunity }) };
  }

  /** It must be of this collection's kind and open, unless the application is there already; it is held open until the end. */
  async #judgeOpportunity(
    { transaction }: Work,
    id: number,
    { ownId, faults }: { readonly ownId: number | undefined; readonly faults: ValidationFault[] },
  ): Promise<Opportunity | undefined> {
    const [opportunity] = await runStatement<Opportunity>(
      transaction,
      `SELECT o.process_id, s.state, EXISTS (SELECT FROM applications a WHERE a.id = $3 AND a.opportunity_id = o.id) AS is_present
       FROM opportunities o JOIN states s ON s.id = o.state_id WHERE o.id = $1 AND o.kind = $2 FOR SHARE OF o`,
      [id, this.opportunityKind, ownId ?? null],
    );
    if (!opportunity) faults.push({ path: '/opportunity_id', code: 'invalid', info: `there is no such ${this.opportunityKind}` });
    else if (opportunity.state !== 'open' && !opportunity.is_present) {
      faults.push({ path: '/opportunity_id', code: 'opportunity_not_open', info: `its state is ${opportunity.state}` });
    }
    return opportunity;
  }

  /** A candidate given inline is made first; its faults are those of the application, one step down. */
  async #withCandidate(work: Work, { candidate, ...body }: WriteBody): Promise<WriteBody> {
    if (candidate === undefined) return body;
    try {
      return { ...body, user_id: await this.candidates.create(work, candidate as WriteBody) };
    } catch (error) {
      if (!(error instanceof ValidationError)) throw error;
      throw new ValidationError(
        this.resource.name,
        error.faults.map(belowCandidate),
      );
    }
  }
}

const belowCandidate = (fault: ValidationFault): ValidationFault => ({ ...fault, path: `/candidate${fault.path}` });

@Injectable()
export class VacancyApplicationsService extends ApplicationsServiceBase {
  protected readonly resource = applications;
  protected readonly opportunityKind = 'vacancy';

  constructor(candidates: CandidatesService) {
    super(candidates);
  }
}

@Injectable()
export class EventApplicationsService extends ApplicationsServiceBase {
  protected readonly resource = eventApplications;
  protected readonly opportunityKind = 'event';

  constructor(candidates: CandidatesService) {
    super(candidates);
  }
}
