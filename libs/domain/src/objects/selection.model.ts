import { integer, text } from '../vocabulary/attribute.js';
import { collectionName } from '../vocabulary/collection-name.js';
import { identity, urlIn } from '../vocabulary/identity.js';
import { objectType } from '../vocabulary/object-type.js';
import { resource } from '../vocabulary/resource.js';

/** A named set of items of one collection. Source: docs/reference/search.md. */
export const selection = objectType({
  name: 'selection',
  table: 'selections',
  scopes: ['selections'],
  properties: {
    ...identity(urlIn('selections')),
    name: text({ shown: true, write: 'required' }),
    resource: collectionName({ shown: true, write: 'required' }),
    member_count: integer({ shown: true }),
  },
});

export const selections = resource({
  name: 'selections',
  type: selection,
  quotas: [{ most: 10_000 }],
  describe: {
    group: 'Views',
    title: 'Selections',
    text: `Named sets of hand-picked items of one collection. \`selection=<id>\` limits a
collection to the items of a selection. Selections have no owner: all recruiters use and change them. Deleting an item
removes it from all its selections.`,
  },
});
