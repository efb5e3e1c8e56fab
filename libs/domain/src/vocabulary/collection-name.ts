import { message, packed } from '@ats/message';
import { z } from 'zod';
import { text, type NamedAttribute } from './attribute.js';
import { type AttributeOptions } from './attribute-options.js';
import { collectionNames } from './resource.js';

/** The name of a collection, as in the attribute `resource` of layouts and searches. */
export const collectionName = (options: AttributeOptions = {}): NamedAttribute =>
  text({
    description: 'The name of a collection from `/schemas`.',
    ...options,
    listed: collectionNames,
    // The schema calls `collectionNames` at each check, because some collections are not described yet when this module
    // loads.
    schema: z
      .string({ error: packed(message`expected the name of a collection`) })
      .refine((name) => collectionNames().includes(name), {
        error: () => packed(message`expected one of ${collectionNames()}`),
      })
      .meta({
        get enum() {
          return collectionNames();
        },
      }),
  });
