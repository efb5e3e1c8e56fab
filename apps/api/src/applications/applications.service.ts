import {
  addHistory,
  applications,
  bodyFaults,
  candidates,
  deleteHistory,
  deleteObject,
  eventApplications,
  initialState,
  insertObject,
  replaceObject,
  type Resource,
  runStatement,
  ValidationError,
  type ValidationFault,
  type WriteBody,
} from '@ats/domain';
import { Injectable } from '@nestjs/common';
import { CandidatesService } from '../candidates/candidates.service.js';
import { type ResourceWrites } from '../http/resource-controller.js';
import { type Work } from '../http/unit-of-work.js';

interface Opportunity {
  readonly process_id: number;
  readonly state: string;
}

/** Applications to vacancies and to events differ in what they are for; all else is the same. */
abstract class ApplicationsServiceBase implements ResourceWrites {
  protected abstract readonly resource: Resource;
  protected abstract readonly opportunityKind: 'vacancy' | 'event';

  constructor(private readonly candidates: CandidatesService) {}

  async create(work: Work, given: WriteBody): Promise<number> {
    const { transaction, recruiterId } = work;
    const opportunity = await this.#checkTarget(work, given, null);
    const body = await this.#withCandidate(work, given);
    const state = await initialState(transaction, { id: opportunity.process_id });
    const id = await insertObject(transaction, this.resource, body, { state_id: state.id, outcome: state.outcome, is_live: state.is_live });
    await addHistory(transaction, { type: 'created', subjectType: 'application', subjectId: id, recruiterId, toStateId: state.id });
    return id;
  }

  async replace(work: Work, id: number, given: WriteBody): Promise<void> {
    const { transaction, recruiterId, settings } = work;
    const [current] = await runStatement<{ opportunity_id: number }>(transaction, 'SELECT opportunity_id FROM applications WHERE id = $1', [id]);
    await this.#checkTarget(work, given, current?.opportunity_id ?? null);
    const body = await this.#withCandidate(work, given);
    const { changes } = await replaceObject(transaction, this.resource, { id, body }, settings);
    if (changes.length === 0) return;
    await addHistory(transaction, { type: 'field_change', subjectType: 'application', subjectId: id, recruiterId, changes });
  }

  async remove({ transaction }: Work, id: number): Promise<void> {
    await deleteObject(transaction, this.resource, id);
    await deleteHistory(transaction, 'application', [id]);
  }

  /**
   * The opportunity must be of this collection's kind and open, unless the application is there already; the posting must
   * be one of its own, the user a candidate.
   */
  async #checkTarget({ transaction }: Work, body: WriteBody, currentOpportunityId: number | null): Promise<Opportunity> {
    const faults: ValidationFault[] = [];
    const opportunityId = body['opportunity_id'];
    // Held until the end, so that it cannot be closed in between.
    const [opportunity] = await runStatement<Opportunity>(
      transaction,
      `SELECT o.process_id, s.state FROM opportunities o JOIN states s ON s.id = o.state_id
       WHERE o.id = $1 AND o.kind = $2 FOR SHARE OF o`,
      [opportunityId, this.opportunityKind],
    );
    if (!opportunity) faults.push({ path: '/opportunity_id', code: 'invalid', info: `there is no such ${this.opportunityKind}` });
    else if (opportunity.state !== 'open' && opportunityId !== currentOpportunityId) {
      faults.push({ path: '/opportunity_id', code: 'opportunity_not_open', info: `its state is ${opportunity.state}` });
    }
    if (typeof body['posting_id'] === 'number') {
      const own = await runStatement(transaction, 'SELECT 1 FROM postings WHERE id = $1 AND vacancy_id = $2', [body['posting_id'], opportunityId]);
      if (own.length === 0) faults.push({ path: '/posting_id', code: 'invalid', info: 'the opportunity has no such posting' });
    }
    if (body['user_id'] !== undefined) {
      // Held until the end, so that nothing is added to a person who is being anonymised.
      const [user] = await runStatement<{ status: string }>(
        transaction,
        `SELECT status FROM users WHERE id = $1 AND type = 'candidate' FOR SHARE`,
        [body['user_id']],
      );
      if (!user) faults.push({ path: '/user_id', code: 'invalid', info: 'there is no such candidate' });
      else if (user.status === 'anonymised') faults.push({ path: '/user_id', code: 'invalid', info: 'the candidate is anonymised and stays as it is' });
    }
    if (typeof body['candidate'] === 'object' && body['candidate'] !== null) {
      const ofCandidate = await bodyFaults(transaction, candidates, body['candidate'] as WriteBody);
      faults.push(...ofCandidate.map(belowCandidate));
    }
    if (!opportunity || faults.length > 0) throw new ValidationError(this.resource.name, faults);
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
