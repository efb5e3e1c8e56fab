import { integer, text } from '../model/attribute.js';
import { collectionName } from '../model/collection-name.js';
import { identity, urlIn } from '../model/identity.js';
import { objectType } from '../model/object-type.js';
import { resource } from '../model/resource.js';

/** A named set of items of one collection. Source: SPEC.md 4.1, CONTRACT.md 5. */
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

export const selections = resource({ name: 'selections', type: selection, paths: ['selections'] });
