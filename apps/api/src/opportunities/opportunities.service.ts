import {
  addHistory,
  applications,
  deleteHistory,
  deleteObject,
  eventApplications,
  events,
  initialState,
  insertObject,
  lockObject,
  noteChanges,
  postings as postingsResource,
  refuseUsed,
  replaceObject,
  type Resource,
  vacancies,
  type Violation,
  type WriteBody,
} from '@ats/domain';
import { runStatement } from '@ats/postgres';
import { message } from '@ats/message';
import { Injectable } from '@nestjs/common';
import { type ResourceWrites } from '../collections/resource-writes.js';
import { type Work } from '../collections/unit-of-work.js';
import { checkScoringRules, opportunityViolations } from '../scoring/scoring-rules.js';

/** Writes vacancies and events. The two differ in their type, and in the process of their applications. */
abstract class OpportunitiesService implements ResourceWrites {
  readonly texts = ['scoring_rules'];
  abstract readonly resource: Resource;
  /** The resource of the applications to this kind of opportunity. */
  abstract readonly applications: Resource;
  protected abstract readonly applicationProcess: string;

  async create(work: Work, body: WriteBody): Promise<number> {
    const { transaction, recruiterId } = work;
    await checkScoringRules(work, this, body);
    const state = await initialState(transaction, { key: 'opportunity' });
    const process = await initialState(transaction, { key: this.applicationProcess });
    const id = await insertObject(transaction, this.resource, body, {
      state_id: state.id,
      process_id: process.process_id,
    });
    await addHistory(transaction, {
      type: 'created',
      subjectType: 'opportunity',
      subjectId: id,
      recruiterId,
      toStateId: state.id,
    });
    return id;
  }

  async replace(work: Work, id: number, body: WriteBody): Promise<string | undefined> {
    const { transaction, recruiterId, settings, present } = work;
    await checkScoringRules(work, this, body, id);
    const { changes, text } = await replaceObject(transaction, this.resource, { id, body, present }, settings);
    if (changes.length > 0)
      await addHistory(transaction, {
        type: 'field_change',
        subjectType: 'opportunity',
        subjectId: id,
        recruiterId,
        changes,
      });
    return text;
  }

  violations(work: Work, given: WriteBody, ownId?: number): Promise<readonly Violation[]> {
    return opportunityViolations(work, this.resource, given, ownId);
  }

  /** Deletes an opportunity with its postings. A `POSTING_DELETE` event is recorded for each posting. */
  async remove({ transaction }: Work, id: number): Promise<void> {
    await lockObject(transaction, this.resource, id);
    const name = this.resource.type.name;
    await refuseUsed(transaction, this.resource, id, {
      resource: this.applications.name,
      table: 'applications',
      column: 'opportunity_id',
      info: message`${name} ${id} has applications`,
    });
    const postings = await runStatement<{ id: number }>(
      transaction,
      'SELECT id FROM postings WHERE vacancy_id = $1 FOR UPDATE',
      [id],
    );
    const postingIds = postings.map((posting) => posting.id);
    await noteChanges(transaction, { root: postingsResource.type.name, change: 'delete', ids: postingIds });
    await deleteHistory(transaction, 'posting', postingIds);
    await deleteHistory(transaction, 'opportunity', [id]);
    await deleteObject(transaction, this.resource, id);
  }
}

@Injectable()
export class VacanciesService extends OpportunitiesService {
  readonly resource = vacancies;
  readonly applications = applications;
  protected readonly applicationProcess = 'main';
}

@Injectable()
export class EventsService extends OpportunitiesService {
  readonly resource = events;
  readonly applications = eventApplications;
  protected readonly applicationProcess = 'event_application';
}
