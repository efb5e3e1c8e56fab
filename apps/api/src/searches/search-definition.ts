import {
  findResource,
  readSearchTexts,
  type Resource,
  rowsOf,
  runIn,
  ValidationError,
  type Violation,
  type WriteBody,
} from '@ats/domain';
import { checkTextScopes } from '../collections/change-item.js';
import { type Work } from '../collections/unit-of-work.js';

/** The properties of a stored search that have datapaths, or that say where these begin. */
export const SEARCH_TEXTS: readonly string[] = ['resource', 'search', 'filter', 'sort'];

/** Returns the collection that a search is for. Undefined when the body names no collection. */
const collectionOf = ({ resource }: WriteBody): Resource | undefined =>
  typeof resource === 'string' ? findResource(resource) : undefined;

/** The conditions of the stored search that a body replaces. A new search has none. */
async function storedConditions(
  { transaction }: Work,
  { type }: Resource,
  id: number | undefined,
): Promise<readonly string[]> {
  if (id === undefined) return [];
  const [row] = await rowsOf<{ id: number; search: readonly string[] }>(transaction, type).find({
    select: { search: true },
    where: { id },
  });
  return row?.search ?? [];
}

/**
 * Returns the violations of the search parameters. The body may have other violations.
 * @param id  the stored search that the body replaces; its unchanged conditions stay valid
 */
export async function searchViolations(
  work: Work,
  resource: Resource,
  body: WriteBody,
  id?: number,
): Promise<readonly Violation[]> {
  const collection = collectionOf(body);
  if (!collection) return [];
  const stored = await storedConditions(work, resource, id);
  return (await readSearchTexts(runIn(work.transaction), collection.type, body, stored)).violations ?? [];
}

/**
 * Checks the parameters of a search. A client may store only a search that it could run itself.
 * @param id  the stored search that the body replaces; its unchanged conditions stay valid
 * @throws {ValidationError} with all violations of the parameters, each with its position
 * @throws {Problem} 403 when the search reads a resource that the credential may not read
 * Source: docs/reference/search.md.
 */
export async function checkSearch(work: Work, resource: Resource, body: WriteBody, id?: number): Promise<void> {
  const collection = collectionOf(body);
  if (!collection) throw new Error('a valid search names no collection');
  const stored = await storedConditions(work, resource, id);
  const query = await readSearchTexts(runIn(work.transaction), collection.type, body, stored);
  if (query.violations) throw new ValidationError(resource.name, query.violations);
  checkTextScopes(work, collection.type.name, query.datapaths, collection.leadsTo);
}
