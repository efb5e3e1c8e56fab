import { z } from 'zod';
import { idSchema } from '../vocabulary/value-schema.js';
import { getObjectType } from '../objects/object-model.js';
import { type ObjectType } from '../vocabulary/object-type.js';

/** A body that has passed its schema. */
export type WriteBody = Readonly<Record<string, unknown>>;

/** Maximum length of a list of related rows in a body. */
export const MAX_ELEMENTS = 100;
const schemas = new WeakMap<ObjectType, z.ZodObject>();

/**
 * Derives the schema of the bodies that create or replace an object. Its properties are writable attributes by name,
 * references as `<name>_id`, and related rows as lists of objects. Unknown properties are violations.
 */
export function writeSchema(type: ObjectType): z.ZodObject {
  const known = schemas.get(type);
  if (known) return known;
  const shape: Record<string, z.ZodType> = {};
  for (const [name, property] of Object.entries(type.properties)) {
    if (!property.write) continue;
    const [key, schema] = property.kind === 'attribute' ? [name, property.schema] : relationSchema(name, property);
    const accepted = property.write === 'required' ? schema : optionalProperty(schema, property);
    shape[key] = property.description ? accepted.describe(property.description) : accepted;
  }
  const schema = z.strictObject(shape);
  schemas.set(type, schema);
  return schema;
}

/** Makes a property optional. Null stands for the default, unless null is a valid value of the property. */
export const optionalProperty = (
  schema: z.ZodType,
  { nullable }: { readonly nullable: boolean } = { nullable: false },
): z.ZodType => (nullable ? schema.optional() : schema.nullish().transform((value) => value ?? undefined));

function relationSchema(name: string, relation: ObjectType['relations'][string]): [string, z.ZodType] {
  if (relation.many) {
    const list = z.array(writeSchema(getObjectType(relation.target))).max(MAX_ELEMENTS);
    return [name, relation.write === 'required' ? list.min(1) : list];
  }
  return [`${name}_id`, relation.nullable ? idSchema.nullable() : idSchema];
}
