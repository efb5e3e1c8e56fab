import { type SqlSettings } from '@ats/search-query';
import { datetime, id, text, uuid, type NamedAttribute } from './attribute.js';
import { type AttributeOptions } from './attribute-options.js';
import { API_PREFIX, resourceUrl } from './resource-url.js';

/** The attributes that every resource has. Source: docs/reference/resources.md. */
export const identity = (
  url: NamedAttribute,
): Record<'id' | 'uuid' | 'url' | 'created_dt' | 'updated_dt', NamedAttribute> => ({
  id: id({ shown: true }),
  uuid: uuid({ shown: true }),
  url,
  created_dt: datetime({ shown: true }),
  updated_dt: datetime({
    shown: true,
    description: 'The time of the last change of the item or of its parts, such as its state.',
  }),
});

/** Returns the absolute URL of an object whose type has one collection. */
export function urlIn(collection: string, options: AttributeOptions = { shown: true }): NamedAttribute {
  const urlOfId = (id: string, { baseUrl }: SqlSettings): string =>
    `${baseUrl} || '${API_PREFIX}/${collection}/' || ${id}`;
  return text({
    ...options,
    format: 'uri',
    isPlain: true,
    isRequired: true,
    computed: {
      sql: (alias, settings) => urlOfId(`${alias}.id`, settings),
      ofId: urlOfId,
      memory: (object, { baseUrl }) => resourceUrl(baseUrl, collection, Number(object['id'])),
    },
  });
}

/**
 * Returns the absolute URL of an object that belongs to one of several collections. The value of `column` selects the
 * collection.
 */
export const urlBy = (column: string, collections: Readonly<Record<string, string>>): NamedAttribute =>
  text({
    shown: true,
    format: 'uri',
    isPlain: true,
    isRequired: true,
    computed: {
      sql: (alias, { baseUrl }) => {
        const cases = Object.entries(collections).map(([value, collection]) => `WHEN '${value}' THEN '${collection}'`);
        return `${baseUrl} || '${API_PREFIX}/' || CASE ${alias}.${column} ${cases.join(' ')} END || '/' || ${alias}.id`;
      },
      memory: (object, { baseUrl }) => {
        const collection = collections[String(object[column])];
        return collection ? resourceUrl(baseUrl, collection, Number(object['id'])) : null;
      },
    },
  });
