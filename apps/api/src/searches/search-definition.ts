import {
  findResource,
  readSearchTexts,
  type Resource,
  type SearchTexts,
  ValidationError,
  type ValidationFault,
  type WriteBody,
} from '@ats/domain';
import { runStatement, type Transaction } from '@ats/postgres';
import { type Work } from '../collections/unit-of-work.js';
import { checkDatapathScopes } from '../vocabulary/scopes.js';

/** The collection that a search is for; undefined as long as the body does not say. */
const collectionOf = ({ resource }: WriteBody): Resource | undefined =>
  typeof resource === 'string' ? findResource(resource) : undefined;

const readTexts = (
  transaction: Transaction,
  { type }: Resource,
  texts: SearchTexts,
): ReturnType<typeof readSearchTexts> =>
  readSearchTexts((text, parameters) => runStatement(transaction, text, parameters), type, texts);

/** Every fault of the texts of a search, whatever else is wrong with the body. */
export async function searchFaults({ transaction }: Work, body: WriteBody): Promise<readonly ValidationFault[]> {
  const collection = collectionOf(body);
  return (collection && (await readTexts(transaction, collection, body)).faults) ?? [];
}

/**
 * Lets nothing be stored that its writer could not ask for.
 * @throws {ValidationError} with every fault of the texts, each with its place. CONTRACT.md 5.
 * @throws {Problem} 403 when they look at what the writer may not read
 */
export async function checkSearch({ transaction, scopes }: Work, { name }: Resource, body: WriteBody): Promise<void> {
  const collection = collectionOf(body);
  if (!collection) throw new Error('a checked body names a collection');
  const query = await readTexts(transaction, collection, body);
  if (query.faults) throw new ValidationError(name, query.faults);
  checkDatapathScopes(scopes, collection.type.name, query.datapaths, collection.leadsTo);
}
