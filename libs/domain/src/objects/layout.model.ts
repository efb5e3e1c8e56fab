import { boolean, integer, localisedText, text } from '../vocabulary/attribute.js';
import { collectionName } from '../vocabulary/collection-name.js';
import { identity, urlIn } from '../vocabulary/identity.js';
import { objectType } from '../vocabulary/object-type.js';
import { toMany } from '../vocabulary/relation.js';
import { resource } from '../vocabulary/resource.js';

/** The greatest sizes of a layout: what planning its statement costs grows faster than they do. */
export const LAYOUT_LIMITS = {
  columns: 100,
  /** Related objects that all columns together read. */
  relatedObjects: 50,
} as const;

const TYPES = ['text', 'rich_text', 'integer', 'decimal', 'boolean', 'date', 'datetime', 'reference'] as const;

/** What the columns read of each item is theirs to say; type and number follow from it, and may be sent as they are. */
export const layoutColumn = objectType({
  name: 'layout_column',
  table: 'layout_columns',
  properties: {
    position: integer({
      write: 'optional',
      minimum: 1,
      maximum: LAYOUT_LIMITS.columns,
      description: 'From 1. The place in the list unless told; together the columns have each position once.',
      computed: { sql: (alias) => `${alias}.position + 1`, memory: ({ position }) => Number(position) + 1 },
    }),
    title: localisedText({ write: 'required' }),
    datapath: text({
      write: 'required',
      maxLength: 4_096,
      description:
        'What the column shows of each item, such as `application.user.fullname`; the name of the item’s own type may be left out.',
    }),
    type: text({
      write: 'optional',
      values: TYPES,
      description: 'Of the values, by the datapath: it cannot be chosen. A `reference` shows the name of an object.',
    }),
    is_many: boolean({
      write: 'optional',
      description: 'Whether the value is a list, by the datapath: it cannot be chosen.',
    }),
  },
});

/** Columns for the items of a collection, as extra data beside what they are. SPEC.md 2.1. */
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
      description: 'In the order in which `layout_data` holds their values.',
    }),
  },
});

export const layouts = resource({
  name: 'layouts',
  type: layout,
  describe: {
    group: 'Views',
    title: 'Layouts',
    text: `Lists of columns. With \`layout=<id>\`, each item of the layout’s collection carries
the values of these columns in \`layout_data\`.`,
  },
  narrowedBy: ['resource'],
});
