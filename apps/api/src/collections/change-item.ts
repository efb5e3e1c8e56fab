import { reachesLimitedValues, readItem, type Resource, ValidationError, withAllValues } from '@ats/domain';
import { type FastifyRequest } from 'fastify';
import { type RequestContext } from '../request/request-context.js';
import { isJsonObject } from '../vocabulary/merge-patch.js';
import { allows, MissingScope } from '../vocabulary/scopes.js';
import { itemBody, type ItemChange, type ItemRules } from './item-body.js';
import { allViolations, lockItem, type ResourceWrites, writeMethod } from './resource-writes.js';
import { type Work } from './unit-of-work.js';

interface Target {
  readonly id: number;
  readonly resource: Resource;
  readonly writes: ResourceWrites;
  readonly rules: ItemRules;
  readonly change: ItemChange;
  /** The recruiter who reads the item, for items that belong to a recruiter. */
  readonly viewerId: number | undefined;
}

/** The change that a PUT or PATCH asks for. */
export const itemChange = ({ body, method, adaptation }: FastifyRequest, { settings }: RequestContext): ItemChange => ({
  body,
  isPatch: method === 'PATCH',
  adaptation,
  settings,
});

/**
 * Changes an item by PUT or PATCH.
 * @returns the representation after the change, as JSON text
 * @throws {NotFoundError} when the collection has no such item
 * @throws {ValidationError} with the violations of the body, of the schema and of the checks in the database
 */
export async function changeItem(work: Work, target: Target): Promise<string> {
  const isReadable = allows(work.scopes, `${target.resource.scope}:read`);
  try {
    return await checkedChange(work, target, isReadable);
  } catch (error) {
    // The text would quote a datapath, which a PATCH may keep. Clients that cannot read the item must not learn it.
    throw error instanceof MissingScope && target.change.isPatch && !isReadable ? error.withoutUse() : error;
  }
}

async function checkedChange(work: Work, target: Target, isReadable: boolean): Promise<string> {
  const { id, resource, writes, viewerId } = target;
  const read = (): Promise<string> => readItem(work.transaction, resource, id, work.settings, viewerId);
  const body = await itemBody(target.change, target.rules, async () => {
    await lockItem(writes, resource, work, id);
    const shown = await read();
    if (!target.change.isPatch || !reachesLimitedValues(resource.type)) return { text: shown, isReadable };
    // A patch keeps the values that the client cannot read.
    const text = await readItem(work.transaction, resource, id, withAllValues(work.settings), viewerId);
    return { text, isReadable: isReadable && text === shown };
  });
  if (body.violations) {
    const { given, violations } = body;
    const all = isJsonObject(given)
      ? await allViolations(writes, resource, work, { given, found: violations, ownId: id })
      : violations;
    throw new ValidationError(resource.name, all);
  }
  await writeMethod(writes, 'replace')(work, id, body.data);
  return read();
}
