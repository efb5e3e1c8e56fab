import { isDeepStrictEqual } from 'node:util';
import {
  NotFoundError,
  reachesLimitedValues,
  readItem,
  type Resource,
  ValidationError,
  withAllValues,
  type WriteBody,
} from '@ats/domain';
import { isUnavailable } from '@ats/postgres';
import { type FastifyRequest } from 'fastify';
import { TABLES_OF_CREDENTIALS } from '../request/credential-store.js';
import { type RequestContext } from '../request/request-context.js';
import { isJsonObject } from '../vocabulary/merge-patch.js';
import { allows, checkDatapathScopes, MissingScope } from '../vocabulary/scopes.js';
import { itemBody, type ItemBody, type ItemChange, type ItemRules, type PresentItem } from './item-body.js';
import { allViolations, lockItem, type ResourceWrites, writeMethod } from './resource-writes.js';
import { type ResourceReader } from './resource-reader.js';
import { type Precondition, type UnitOfWork, type Work } from './unit-of-work.js';

interface Target {
  readonly id: number;
  readonly resource: Resource;
  readonly writes: ResourceWrites;
  readonly rules: ItemRules;
  readonly change: ItemChange;
  /** The recruiter who reads the item. Absent for items that belong to no recruiter. */
  readonly viewerId: number | undefined;
}

interface RequestedChange {
  readonly context: RequestContext;
  readonly precondition: Precondition;
  readonly target: Target;
}

/** The change that a PUT or PATCH asks for. */
export const itemChange = ({ body, method, adaptation }: FastifyRequest, { settings }: RequestContext): ItemChange => ({
  body,
  isPatch: method === 'PATCH',
  adaptation,
  settings,
});

/**
 * Changes an item by PUT or PATCH if `If-Match` allows it.
 * @returns the representation after the change, as JSON text
 * @throws {Problem} 412 when `If-Match` names no current representation, and the errors of `changeItem`. A missing item
 *   gives 404, even when another error came first
 */
export async function runChange(
  unitOfWork: UnitOfWork,
  reader: ResourceReader,
  { context, precondition, target }: RequestedChange,
): Promise<string> {
  const { id, resource, viewerId } = target;
  const keepsCredentials = !TABLES_OF_CREDENTIALS.includes(resource.type.table ?? '');
  try {
    const work = (unit: Work): Promise<string> => changeItem(unit, target);
    return await unitOfWork.write(context, precondition, work, { keepsCredentials });
  } catch (error) {
    // An item that cannot be looked up must not hide the error, such as a COMMIT whose outcome is unknown.
    if (!isUnavailable(error)) await reader.mustExist(resource, id, viewerId).catch(throwMissing);
    throw error;
  }
}

function throwMissing(error: unknown): void {
  if (error instanceof NotFoundError) throw error;
}

/**
 * Changes an item by PUT or PATCH.
 * @returns the representation after the change, as JSON text
 * @throws {NotFoundError} when the collection has no such item
 * @throws {ValidationError} with the violations of the body, of the schema and of the checks in the database
 */
async function changeItem(work: Work, target: Target): Promise<string> {
  const isReadable = allows(work.scopes, `${target.resource.scope}:read`);
  try {
    return await checkedChange(work, target, isReadable);
  } catch (error) {
    // Removes from the error the datapath that needs the scope. A PATCH may have kept this datapath from the stored
    // item, and a client that cannot read the item must not learn it.
    throw error instanceof MissingScope && target.change.isPatch && !isReadable ? error.withoutUse() : error;
  }
}

async function checkedChange(work: Work, target: Target, isReadable: boolean): Promise<string> {
  const { id, resource, writes, viewerId } = target;
  const read = (): Promise<string> => readItem(work.transaction, resource, id, work.settings, viewerId);
  let shown: string | undefined;
  const present = async (): Promise<PresentItem> => {
    if (shown === undefined) await lockItem(writes, resource, work, id);
    shown ??= await read();
    if (!target.change.isPatch || !work.settings.readable || !reachesLimitedValues(resource.type))
      return { text: shown, isReadable };
    // A patch keeps values that the client cannot read, so the client needs no scope for them.
    const text = await readItem(work.transaction, resource, id, withAllValues(work.settings), viewerId);
    return { text, isReadable: isReadable && text === shown };
  };
  const body = await itemBody(target.change, target.rules, present);
  if (body.violations) {
    const { given, violations } = body;
    const all = isJsonObject(given)
      ? await allViolations(writes, resource, work, { given, found: violations, ownId: id })
      : violations;
    throw new ValidationError(resource.name, all);
  }
  const keepsTexts = await keeps(writes.texts, body.data, work, () =>
    itemBody({ ...target.change, isPatch: true, body: {} }, target.rules, present),
  );
  const known = { keepsTexts, ...(shown !== undefined && { present: shown }) };
  const text = await writeMethod(writes, 'replace')({ ...work, ...known }, id, body.data);
  return text ?? read();
}

/**
 * Returns true when a body leaves the named properties of the stored item unchanged.
 * @param readPresent  returns the body of a PUT that would change nothing; not called for a credential that may read
 *   everything
 */
async function keeps(
  names: readonly string[] | undefined,
  wanted: WriteBody,
  { settings }: Work,
  readPresent: () => Promise<ItemBody>,
): Promise<boolean> {
  if (!names || settings.readable === undefined) return false;
  const present = await readPresent();
  return !present.violations && names.every((name) => isDeepStrictEqual(wanted[name], present.data[name]));
}

/**
 * Checks that the credential has the scopes for the datapaths of a text in a body. A PUT or PATCH that changes none of
 * these texts needs no scopes, see `Work.keepsTexts`.
 * @throws {Problem} 403 that names the first missing scope
 * Source: docs/reference/datapaths.md, "Scopes".
 */
export function checkTextScopes(work: Work, ...text: Rest<Parameters<typeof checkDatapathScopes>>): void {
  if (!work.keepsTexts) checkDatapathScopes(work.scopes, ...text);
}

type Rest<List extends readonly unknown[]> = List extends readonly [unknown, ...infer Others] ? Others : never;
