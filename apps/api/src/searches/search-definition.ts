import { findResource, readSearchTexts, type Resource, ValidationError, type ValidationFault, type WriteBody } from '@ats/domain';
import { checkDatapathScopes } from '../http/scopes.js';

/** The collection that a search is for; undefined as long as the body does not say. */
const collectionOf = ({ resource }: WriteBody): Resource | undefined => (typeof resource === 'string' ? findResource(resource) : undefined);

/** Every fault of the texts of a search, whatever else is wrong with the body. */
export function searchFaults(body: WriteBody): readonly ValidationFault[] {
  const collection = collectionOf(body);
  return (collection && readSearchTexts(collection.type, body).faults) ?? [];
}

/**
 * Lets nothing be stored that its writer could not ask for.
 * @throws {ValidationError} with every fault of the texts, each with its place. CONTRACT.md 5.
 * @throws {Problem} 403 when they look at what the writer may not read
 */
export function checkSearch({ name }: Resource, body: WriteBody, scopes: ReadonlySet<string>): void {
  const collection = collectionOf(body);
  if (!collection) throw new Error('a checked body names a collection');
  const query = readSearchTexts(collection.type, body);
  if (query.faults) throw new ValidationError(name, query.faults);
  checkDatapathScopes(scopes, collection.type.name, query.datapaths);
}
