import { type SearchSubject } from '@ats/search-query';
import { type DomainModel, objectModel } from '../objects/object-model.js';
import { type ObjectType } from '../vocabulary/object-type.js';
import { representationOf, settingsFields } from './representation.js';

/**
 * Describes the names that the search parameters of a collection can use.
 * @param model  must include the form items that the parameters name, see `modelForTexts`
 */
export const searchSubject = (type: ObjectType, model: DomainModel = objectModel): SearchSubject => ({
  model,
  root: type.name,
  labelAttribute: 'Label',
  otherRoots: generalRootsOf(type),
  representation: [...representationOf(type), ...settingsFields(type)],
});

/**
 * Returns the names of more general object types in the same table, which belong to the same resource. For example, a
 * vacancy is an opportunity.
 */
const generalRootsOf = ({ name, table, scopes }: ObjectType): readonly string[] =>
  objectModel.types
    .filter((one) => one.name !== name && one.table === table && table !== undefined)
    .filter((one) => Object.keys(one.fixed).length === 0 && scopes.every((scope) => one.scopes.includes(scope)))
    .map((one) => one.name);
