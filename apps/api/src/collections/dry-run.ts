import { findResource, type RemainingMention, type Removal } from '@ats/domain';
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
 * @throws {Problem} as `readFlags`
 */
export const readDryRun = (resource: string, query: URLSearchParams): boolean =>
  readFlags(resource, query, [DRY_RUN]).has(DRY_RUN);

/**
 * Reads the parameters of an operation that are either absent or `true`.
 * @returns the names of the parameters that the request has
 * @throws {Problem} 400 for a value other than `true`, for a repeated parameter and for unknown parameters
 */
export function readFlags(resource: string, query: URLSearchParams, names: readonly string[]): ReadonlySet<string> {
  const given = names.filter((name) => query.has(name));
  const info = message`expected ${'true'} once, or no parameter`;
  const invalid = given.filter((name) => query.getAll(name).length > 1 || query.get(name) !== 'true');
  const violations = [
    ...unknownParameters(resource, query, names),
    ...invalid.map((parameter) => ({ resource, path: '', parameter, code: 'invalid' as const, info })),
  ];
  if (violations.length > 0) throw invalidQuery(violations);
  return new Set(given);
}

/**
 * The rows that a dry run would remove. For the anonymisation of a person, also the texts of other objects that would
 * still mention the person.
 */
interface DryRunReport {
  readonly removals: readonly Removal[];
  readonly remaining?: readonly RemainingMention[];
  readonly tooManyIn?: readonly string[];
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
    readonly work: (work: Work) => Promise<DryRunReport>;
  },
): Promise<void> {
  const { removals, remaining, tooManyIn } = await unitOfWork.dryRun(context, work, precondition);
  const removed = removals.map((removal) => ({
    ...removal,
    ids: idsFor(removal, context),
  }));
  const answer = done({ body: JSON.stringify({ [DRY_RUN]: true, removed, remaining, too_many_in: tooManyIn }) });
  // Stores the answer in a transaction of its own, because the transaction of the dry run was rolled back.
  sendAnswer(reply, context.idempotency ? await unitOfWork.answer(context, () => Promise.resolve(answer)) : answer);
}

/** Returns the ids of the rows if they are items of a resource that the credential may read. */
function idsFor({ kind, ids }: Removal, { actor }: RequestContext): readonly number[] | null {
  const resource = findResource(kind);
  return ids && resource && allows(actor.scopes, `${resource.scope}:read`) ? ids : null;
}
