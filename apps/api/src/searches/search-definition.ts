import {
  findResource,
  readSearchTexts,
  type Resource,
  rowsOf,
  runIn,
  type StoredTexts,
  ValidationError,
  type Violation,
  type WriteBody,
} from '@ats/domain';
import { checkTextScopes } from '../collections/change-item.js';
import { type Work } from '../collections/unit-of-work.js';

/** The properties of a stored search that contain datapaths, or that determine where datapaths begin. */
export const SEARCH_TEXTS: readonly string[] = ['resource', 'search', 'filter', 'where', 'sort'];

/** Returns the collection that a search is for. Undefined when the body names no collection. */
const collectionOf = ({ resource }: WriteBody): Resource | undefined =>
  typeof resource === 'string' ? findResource(resource) : undefined;

/** Returns the texts of the stored search that a body replaces. Returns none for a new search. */
async function storedTexts({ transaction }: Work, { type }: Resource, id: number | undefined): Promise<StoredTexts> {
  if (id === undefined) return {};
  const [row] = await rowsOf<{ id: number; search: readonly string[]; where_expression: string | null }>(
    transaction,
    type,
  ).find({ select: { search: true, where_expression: true }, where: { id } });
  return row ? { search: row.search, where: row.where_expression } : {};
}

/**
 * Returns the violations of the search parameters in a body. The schema reports the other violations.
 * @param id  the stored search that the body replaces; its unchanged texts stay valid
 */
export async function searchViolations(
  work: Work,
  resource: Resource,
  body: WriteBody,
  id?: number,
): Promise<readonly Violation[]> {
  const collection = collectionOf(body);
  if (!collection) return [];
  const stored = await storedTexts(work, resource, id);
  return (await readSearchTexts(runIn(work.transaction), collection.type, body, stored)).violations ?? [];
}

/**
 * Checks the parameters of a search. A client may store only a search that it could run itself.
 * @param id  the stored search that the body replaces; its unchanged texts stay valid
 * @throws {ValidationError} with all violations of the parameters, each with its position
 * @throws {Problem} 403 when the search reads a resource that the credential may not read
 * Source: docs/reference/search.md.
 */
export async function checkSearch(work: Work, resource: Resource, body: WriteBody, id?: number): Promise<void> {
  const collection = collectionOf(body);
  if (!collection) throw new Error('the body of a stored search passed validation without a collection');
  const stored = await storedTexts(work, resource, id);
  const query = await readSearchTexts(runIn(work.transaction), collection.type, body, stored);
  if (query.violations) throw new ValidationError(resource.name, query.violations);
  checkTextScopes(work, collection.type.name, query.datapaths, collection.leadsTo);
}
