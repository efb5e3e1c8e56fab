import { findResource, type Removal } from '@ats/domain';
import { message } from '@ats/message';
import { type FastifyReply } from 'fastify';
import { done, sendAnswer } from '../request/answer.js';
import { invalidQuery, unknownParameters } from '../request/query.js';
import { type RequestContext } from '../request/request-context.js';
import { DRY_RUN } from '../vocabulary/operation.js';
import { allows } from '../vocabulary/scopes.js';
import { type Precondition, type UnitOfWork, type Work } from './unit-of-work.js';

/**
 * Reads the parameter `dry_run` of an operation that has no other parameters.
 * @param resource  name of the collection, as violations show it
 * @throws {Problem} 400 for another value than `true`, for a repeated parameter and for other parameters
 */
export function readDryRun(resource: string, query: URLSearchParams): boolean {
  const values = query.getAll(DRY_RUN);
  const invalid = values.length > 1 || (values.length === 1 && values[0] !== 'true');
  const info = message`expected ${'true'} once, or no parameter`;
  const violations = [
    ...unknownParameters(resource, query, [DRY_RUN]),
    ...(invalid ? [{ resource, path: '', parameter: DRY_RUN, code: 'invalid', info }] : []),
  ];
  if (violations.length > 0) throw invalidQuery(violations);
  return values.length === 1;
}

/**
 * Runs a write, rolls it back, and answers with what it removed.
 * Source: docs/reference/resources.md, "Dry runs".
 */
export async function answerDryRun(
  reply: FastifyReply,
  context: RequestContext,
  unitOfWork: UnitOfWork,
  {
    precondition,
    work,
  }: {
    readonly precondition?: Precondition;
    readonly work: (work: Work) => Promise<readonly Removal[]>;
  },
): Promise<void> {
  const removed = (await unitOfWork.dryRun(context, work, precondition)).map((removal) => ({
    ...removal,
    ids: idsFor(removal, context),
  }));
  const answer = done({ body: JSON.stringify({ [DRY_RUN]: true, removed }) });
  // The answer is stored in a transaction of its own, because that of the dry run was rolled back.
  sendAnswer(reply, context.idempotency ? await unitOfWork.answer(context, () => Promise.resolve(answer)) : answer);
}

/** The ids of the rows, if they are items that the credential may read. */
function idsFor({ kind, ids }: Removal, { actor }: RequestContext): readonly number[] | null {
  const resource = findResource(kind);
  return ids && resource && allows(actor.scopes, `${resource.scope}:read`) ? ids : null;
}
