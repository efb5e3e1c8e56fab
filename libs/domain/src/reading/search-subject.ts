import { type SearchSubject } from '@ats/search-query';
import { type DomainModel, objectModel } from '../objects/object-model.js';
import { type ObjectType } from '../vocabulary/object-type.js';
import { representationOf, settingsFields } from './representation.js';

/**
 * The names that the search parameters of a collection can use.
 * @param model  must include the form items that the parameters name, see `modelForTexts`
 */
export const searchSubject = (type: ObjectType, model: DomainModel = objectModel): SearchSubject => ({
  model,
  root: type.name,
  representation: [...representationOf(type), ...settingsFields(type)],
});
