import { message, packed } from '@ats/message';
import { z } from 'zod';
import { text, type AttributeOptions, type NamedAttribute } from './attribute.js';
import { collectionNames } from './resource.js';

/** Which collection something is for. Source: CONTRACT.md 11, `resource`. */
export const collectionName = (options: AttributeOptions = {}): NamedAttribute =>
  text({
    description: 'Name of a collection, such as `applications`; `/schemas` lists them.',
    ...options,
    // Asked for when a text is checked: collections are described one after the other.
    schema: z
      .string({ error: packed(message`expected the name of a collection`) })
      .refine((name) => collectionNames().includes(name), {
        error: () => packed(message`expected one of ${collectionNames()}`),
      }),
  });
