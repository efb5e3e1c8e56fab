import { type ClosureOptions, type SearchSubject } from '@ats/search-query';
import { type MemoryContext } from '../model/attribute.js';
import { getObjectType, objectModel } from '../model/object-model.js';
import { type ObjectType } from '../model/object-type.js';
import { representationOf } from '../model/representation.js';

/** What the search parameters of a collection of these objects can name. */
export const searchSubject = (type: ObjectType): SearchSubject => ({ model: objectModel, root: type.name, representation: representationOf(type) });

/** Conditions over objects in memory read attributes the way the model says. */
export const memoryReading = (context: MemoryContext): ClosureOptions => ({
  model: objectModel,
  readAttribute: (owner, name, object) => getObjectType(owner).attributes[name]?.memory(object, context),
});
