import { type JsonSchema } from '@ats/domain';
import { z } from 'zod';

/** Maps a Zod schema to its JSON Schema. The OpenAPI documents of all versions share the result. */
const made = new WeakMap<z.ZodType, JsonSchema>();

/** Returns the JSON Schema of a request body, without redundant keywords. The same schema gives the same object. */
export function bodySchema(schema: z.ZodType): JsonSchema {
  const known =
    made.get(schema) ??
    readable(z.toJSONSchema(schema, { io: 'input', target: 'draft-2020-12', unrepresentable: 'any' }));
  made.set(schema, known);
  return known;
}

function readable(schema: JsonSchema): JsonSchema {
  const { properties, items, anyOf, ...rest } = schema as Record<string, unknown> & {
    readonly properties?: Record<string, JsonSchema>;
    readonly items?: JsonSchema;
    readonly anyOf?: readonly JsonSchema[];
  };
  // Removes the long pattern that Zod adds to each `format`, and the maximum of safe integers, which tells clients
  // nothing.
  if ('format' in rest) delete rest['pattern'];
  if (rest['maximum'] === Number.MAX_SAFE_INTEGER) delete rest['maximum'];
  const own = {
    ...rest,
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, readable(property)])),
    }),
    ...(items && { items: readable(items) }),
  };
  return anyOf ? { ...own, ...alternatives(anyOf.map(readable)) } : own;
}

/** Writes a nullable schema as one schema with two types. Zod writes it as an `anyOf` with `null`. */
function alternatives(schemas: readonly JsonSchema[]): JsonSchema {
  const [only, ...others] = schemas.filter(({ type }) => type !== 'null');
  if (!only || others.length > 0 || schemas.length < 2 || only['type'] === undefined) return { anyOf: schemas };
  const types = [only['type']].flat().filter((type) => type !== 'null');
  return {
    ...only,
    type: [...types, 'null'],
    ...(Array.isArray(only['enum']) && { enum: [...new Set([...(only['enum'] as unknown[]), null])] }),
  };
}
