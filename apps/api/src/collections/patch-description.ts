import { isGiven } from '../request/body.js';
import { MERGE_PATCH } from '../vocabulary/merge-patch.js';
import { type BodyDescription } from '../vocabulary/operation.js';
import { shapeOf } from './read-only-properties.js';
import { type z } from 'zod';

/** Description of every PATCH for the reference. */
export const PATCH_NOTE = `A JSON Merge Patch, with the rules of \`PUT\`.`;

/** The body of the PATCH of an item, derived from the body of its PUT. */
export const patchBody = ({ name, schema, example }: BodyDescription): BodyDescription => ({
  name: name.replace(/_write$/, '_patch'),
  schema,
  ...(example && { example: patchExample(schema, example) }),
  mediaType: MERGE_PATCH,
  isOfItem: true,
});

/** Returns one property of an example. Prefers an optional property whose value is no list or object. */
function patchExample(
  schema: z.ZodType,
  example: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const shape = shapeOf(schema) as Readonly<Record<string, z.ZodType>>;
  const entries = Object.entries(example).filter(([, value]) => isGiven(value));
  const simple = entries.filter(([, value]) => typeof value !== 'object');
  const chosen = simple.find(([name]) => shape[name]?.safeParse(undefined).success) ?? simple[0] ?? entries[0];
  return Object.fromEntries(chosen ? [chosen] : []);
}
