import { boolean, integer, localisedText, text } from '../vocabulary/attribute.js';
import { collectionName } from '../vocabulary/collection-name.js';
import { identity, urlIn } from '../vocabulary/identity.js';
import { objectType } from '../vocabulary/object-type.js';
import { toMany } from '../vocabulary/relation.js';
import { resource } from '../vocabulary/resource.js';

/** Maximum sizes of a layout. They are needed because the cost of planning its statement grows faster than its size. */
export const LAYOUT_LIMITS = {
  columns: 100,
  /** Maximum number of related objects that all columns of a layout read in total. */
  relatedObjects: 50,
  /** Maximum total weight of all columns, see `weightOf`. */
  weight: 300,
} as const;

const TYPES = ['text', 'rich_text', 'integer', 'decimal', 'boolean', 'date', 'datetime', 'reference'] as const;

/**
 * A column of a layout. The server derives `type` and `is_many` from the datapath; clients may send these values back
 * as they have read them.
 */
export const layoutColumn = objectType({
  name: 'layout_column',
  table: 'layout_columns',
  properties: {
    position: integer({
      write: 'optional',
      minimum: 1,
      maximum: LAYOUT_LIMITS.columns,
      description: 'Position of the column, from 1. Defaults to the order in the list. Each position must occur once.',
      computed: { sql: (alias) => `${alias}.position + 1`, memory: ({ position }) => Number(position) + 1 },
    }),
    title: localisedText({ write: 'required' }),
    datapath: text({
      content: 'code',
      write: 'required',
      maxLength: 4_096,
      description:
        'Datapath of the value that the column shows for each item, such as `application.user.fullname`. ' +
        'The name of the item’s own type may be left out.',
    }),
    type: text({
      write: 'optional',
      values: TYPES,
      description: 'Type of the values, which follows from the datapath. A `reference` shows the name of an object.',
    }),
    is_many: boolean({
      write: 'optional',
      description: 'True when the value is a list, which follows from the datapath.',
    }),
  },
});

/** A list of columns that a collection shows for its items. Source: docs/reference/layouts.md. */
export const layout = objectType({
  name: 'layout',
  table: 'layouts',
  scopes: ['layouts'],
  properties: {
    ...identity(urlIn('layouts')),
    name: text({ shown: true, write: 'required' }),
    resource: collectionName({ shown: true, write: 'required' }),
    columns: toMany('layout_column', 'layout_id', {
      shows: ['position', 'title', 'datapath', 'type', 'is_many'],
      write: 'required',
      description: 'The columns, in the order of their values in `layout_data`.',
    }),
  },
});

export const layouts = resource({
  name: 'layouts',
  type: layout,
  quotas: [{ most: 2_000 }],
  describe: {
    group: 'Views',
    title: 'Layouts',
    text: `Lists of columns. With \`layout=<id>\`, each item of the layout’s collection has
the values of these columns in \`layout_data\`.`,
  },
  attributeFilters: ['resource'],
});
