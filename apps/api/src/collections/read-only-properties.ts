import { isDeepStrictEqual } from 'node:util';
import { type Violation } from '@ats/domain';
import { message, type Message } from '@ats/message';
import { z } from 'zod';
import { pointerTo } from '../request/body.js';
import { isJsonObject, type JsonObject } from '../vocabulary/merge-patch.js';

/** A value without the read-only properties that clients send back unchanged, and the violations of changed ones. */
export interface Stripped {
  /** Undefined when the value had only read-only properties. */
  readonly value: unknown;
  readonly violations: readonly Violation[];
}

/**
 * Removes the properties that a schema does not know, but that the item has with these values. A property with another
 * value is `read_only`. A property that the item does not have stays, and the schema rejects it.
 * @param present  the values that the item has at this place: one, or the elements of a list
 * @param hintOf  returns the property to send instead of a read-only one
 * Source: docs/reference/resources.md, "Bodies".
 */
export function withoutReadOnly(
  schema: z.ZodType,
  value: unknown,
  { present, hintOf }: { readonly present: readonly unknown[]; readonly hintOf: (path: readonly string[]) => string },
): Stripped {
  const violations: Violation[] = [];
  const strip = (inner: z.ZodType, given: unknown, known: readonly unknown[], path: readonly string[]): unknown => {
    const plain = unwrapped(inner);
    if (plain instanceof z.ZodArray && Array.isArray(given)) {
      const elements = known.flatMap((list): readonly unknown[] => (Array.isArray(list) ? list : []));
      return given.map((element: unknown, index) => {
        const stripped = strip(plain.element as z.ZodType, element, elements, [...path, String(index)]);
        return stripped === undefined ? {} : stripped;
      });
    }
    return plain instanceof z.ZodObject && isJsonObject(given) ? stripObject(plain, given, known, path) : given;
  };
  const stripObject = (
    { shape }: z.ZodObject,
    given: JsonObject,
    known: readonly unknown[],
    path: readonly string[],
  ): unknown => {
    const objects = known.filter(isJsonObject);
    const isExtra = (name: string): boolean => !Object.hasOwn(shape, name) && objects.some(has(name));
    const names = Object.keys(given);
    const extra = names.filter(isExtra);
    const equal = objects.find((one) => extra.every((name) => differences(given[name], one[name]).length === 0));
    if (!equal) {
      for (const name of extra) {
        const closest = objects.find(has(name));
        for (const below of differences(given[name], closest?.[name]))
          violations.push(violationAt([...path, name, ...below], hintOf));
      }
    }
    const kept = names
      .filter((name) => !isExtra(name))
      .map((name) => {
        const inner = Object.hasOwn(shape, name) ? (shape[name] as z.ZodType) : undefined;
        const below = objects.filter(has(name)).map((one) => one[name]);
        return [name, inner ? strip(inner, given[name], below, [...path, name]) : given[name]] as const;
      })
      .filter(([, one]) => one !== undefined);
    return kept.length === 0 && extra.length > 0 && path.length > 0 ? undefined : Object.fromEntries(kept);
  };
  return { value: strip(schema, value, present, []), violations };
}

export const has =
  (name: string) =>
  (object: JsonObject): boolean =>
    Object.hasOwn(object, name);

const READ_ONLY = message`the property is read-only: leave it out, or send the value that it has now`;

function violationAt(path: readonly string[], hintOf: (path: readonly string[]) => string): Violation {
  const hint = hintOf(path);
  const info: Message = hint === '' ? READ_ONLY : message`the property is read-only: send ${hint} to change it`;
  return { path: pointerTo(path), code: 'read_only', info };
}

/** Returns the paths at which a value differs from the present value. An object may leave out members. */
function differences(value: unknown, present: unknown): readonly (readonly string[])[] {
  if (!isJsonObject(value) || !isJsonObject(present)) return isDeepStrictEqual(value, present) ? [] : [[]];
  return Object.entries(value).flatMap(([name, member]) =>
    Object.hasOwn(present, name) ? differences(member, present[name]).map((below) => [name, ...below]) : [[name]],
  );
}

/** Returns the schema of a value that is neither absent nor null. */
function unwrapped(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return unwrapped(schema.unwrap() as z.ZodType);
  return schema instanceof z.ZodPipe ? unwrapped(schema.in as z.ZodType) : schema;
}

/** Returns the properties of an object schema, by name. */
export const shapeOf = (schema: z.ZodType): Readonly<Record<string, unknown>> => {
  const plain = unwrapped(schema);
  if (!(plain instanceof z.ZodObject)) throw new Error('the schema of an item is no object');
  return plain.shape as Readonly<Record<string, unknown>>;
};
