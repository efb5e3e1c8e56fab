import { deleteUnusedItem, insertObject, replaceObject, type Resource } from '@ats/domain';
import { type ResourceWrites } from './resource-writes.js';

/** Returns the default write rules of a resource. They follow from the description of the resource. */
export const plainWrites = (resource: Resource): Required<Pick<ResourceWrites, 'create' | 'replace' | 'remove'>> => ({
  create: ({ transaction }, body) => insertObject(transaction, resource, body),
  replace: async ({ transaction, settings, present }, id, body) => {
    const { text } = await replaceObject(transaction, resource, { id, body, present }, settings);
    return text;
  },
  remove: ({ transaction }, id) => deleteUnusedItem(transaction, resource, id),
});
