import { type SearchSubject } from '@ats/search-query';
import { type DomainModel, objectModel } from '../objects/object-model.js';
import { type ObjectType } from '../vocabulary/object-type.js';
import { representationOf } from './representation.js';

/**
 * What the search parameters of a collection of these objects can name.
 * @param model  with the form items that the parameters name, see `modelForTexts`
 */
export const searchSubject = (type: ObjectType, model: DomainModel = objectModel): SearchSubject => ({
  model,
  root: type.name,
  representation: representationOf(type),
});
