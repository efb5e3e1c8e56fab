import {
  findResource,
  readSearchTexts,
  type Resource,
  type SearchTexts,
  ValidationError,
  type Violation,
  type WriteBody,
} from '@ats/domain';
import { runStatement, type Transaction } from '@ats/postgres';
import { type Work } from '../collections/unit-of-work.js';
import { checkDatapathScopes } from '../vocabulary/scopes.js';

/** Returns the collection that a search is for. Undefined when the body names no collection. */
const collectionOf = ({ resource }: WriteBody): Resource | undefined =>
  typeof resource === 'string' ? findResource(resource) : undefined;

const readTexts = (
  transaction: Transaction,
  { type }: Resource,
  texts: SearchTexts,
): ReturnType<typeof readSearchTexts> =>
  readSearchTexts((text, parameters) => runStatement(transaction, text, parameters), type, texts);

/** Returns the violations of the search parameters. The body may have other violations. */
export async function searchViolations({ transaction }: Work, body: WriteBody): Promise<readonly Violation[]> {
  const collection = collectionOf(body);
  return (collection && (await readTexts(transaction, collection, body)).violations) ?? [];
}

/**
 * Checks the parameters of a search. A client may store only a search that it could run itself.
 * @throws {ValidationError} with all violations of the parameters, each with its position
 * @throws {Problem} 403 when the search reads a resource that the credential may not read
 * Source: docs/reference/search.md.
 */
export async function checkSearch({ transaction, scopes }: Work, { name }: Resource, body: WriteBody): Promise<void> {
  const collection = collectionOf(body);
  if (!collection) throw new Error('a valid search names no collection');
  const query = await readTexts(transaction, collection, body);
  if (query.violations) throw new ValidationError(name, query.violations);
  checkDatapathScopes(scopes, collection.type.name, query.datapaths, collection.leadsTo);
}
