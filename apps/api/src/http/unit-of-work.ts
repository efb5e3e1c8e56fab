import {
  Database,
  keepAnswer,
  lockObject,
  readItem,
  type ReadSettings,
  type Resource,
  type StoredAnswer,
  type Transaction,
} from '@ats/domain';
import { Injectable } from '@nestjs/common';
import { Problem } from './problem.js';
import { type RequestContext } from './request-context.js';
import { entityTag, matchesTag } from './resource-reader.js';

/** What a write works with. */
export interface Work {
  readonly transaction: Transaction;
  readonly recruiterId: number;
  /** What the caller may read and write. */
  readonly scopes: ReadonlySet<string>;
  readonly settings: ReadSettings;
}

/** Runs each write of the API in one transaction of its own. */
@Injectable()
export class UnitOfWork {
  constructor(private readonly database: Database) {}

  run<T>({ actor, settings }: RequestContext, work: (work: Work) => Promise<T>): Promise<T> {
    return this.database.transaction((transaction) => work({ transaction, recruiterId: actor.recruiterId, scopes: actor.scopes, settings }));
  }

  /** A POST: its answer is kept together with what it did, so that a repetition finds both or neither. */
  answer(context: RequestContext, work: (work: Work) => Promise<StoredAnswer>): Promise<StoredAnswer> {
    return this.run(context, async (unit) => {
      const answer = await work(unit);
      const { idempotency } = context;
      if (idempotency && !(await keepAnswer(unit.transaction, idempotency.claim, answer, idempotency.secretBox))) {
        throw new Problem(409, 'Another request with this Idempotency-Key has taken over');
      }
      return answer;
    });
  }
}

/**
 * Lets a write go on only when the item still is what the caller has seen; it cannot change until the write is done.
 * @throws {Problem} 412 when `If-Match` names another representation
 */
export async function checkPrecondition(work: Work, resource: Resource, id: number, ifMatch: string | undefined): Promise<void> {
  if (ifMatch === undefined) return;
  await lockObject(work.transaction, resource, id);
  const body = await readItem(work.transaction, resource, id, work.settings);
  if (!matchesTag(ifMatch, entityTag(body))) throw new Problem(412, 'The item has changed since: read it again before writing it');
}
