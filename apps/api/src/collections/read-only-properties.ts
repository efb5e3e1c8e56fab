import { isDeepStrictEqual } from 'node:util';
import { type Violation } from '@ats/domain';
import { message, type Message } from '@ats/message';
import { z } from 'zod';
import { pointerTo } from '../request/body.js';
import { isJsonObject, type JsonObject } from '../vocabulary/merge-patch.js';

/** A body without its read-only properties, and a violation for each changed read-only property. */
export interface Stripped {
  /** The body, or undefined when it had only read-only properties. */
  readonly value: unknown;
  readonly violations: readonly Violation[];
}

/**
 * Removes the read-only properties from a value. A property is read-only when the item has it but the schema does not
 * know it. When its value differs from the item, the violation is `read_only`. An unknown property that the item does
 * not have stays in the value, so that the schema rejects it.
 * @param present  the values that the item has in place of `value`: one value, or the elements of a list
 * @param hintOf  returns the property to send instead of a read-only one
 * Source: docs/reference/resources.md, "Bodies".
 */
export function withoutReadOnly(
  schema: z.ZodType,
  value: unknown,
  { present, hintOf }: { readonly present: readonly unknown[]; readonly hintOf: (path: readonly string[]) => string },
): Stripped {
  const violations: Violation[] = [];
  const strip = (inner: z.ZodType, given: unknown, known: PresentValues, path: readonly string[]): unknown => {
    const plain = unwrapped(inner);
    if (plain instanceof z.ZodArray && Array.isArray(given))
      return given.map(
        (element: unknown, index) =>
          strip(plain.element as z.ZodType, element, known.elements, [...path, String(index)]) ?? element,
      );
    return plain instanceof z.ZodObject && isJsonObject(given) ? stripObject(plain, given, known, path) : given;
  };
  const stripObject = (
    { shape }: z.ZodObject,
    given: JsonObject,
    known: PresentValues,
    path: readonly string[],
  ): unknown => {
    const names = Object.keys(given);
    const extra = names.filter((name) => !Object.hasOwn(shape, name) && known.names.has(name));
    violations.push(...changesOf(extra, given, known).map((below) => violationAt([...path, ...below], hintOf)));
    const kept = names
      .filter((name) => !extra.includes(name))
      .map((name) => {
        const inner = Object.hasOwn(shape, name) ? (shape[name] as z.ZodType) : undefined;
        return [name, inner ? strip(inner, given[name], known.at(name), [...path, name]) : given[name]] as const;
      })
      .filter(([, one]) => one !== undefined);
    return kept.length === 0 && extra.length > 0 && path.length > 0 ? undefined : Object.fromEntries(kept);
  };
  return { value: strip(schema, value, new PresentValues(present), []), violations };
}

/**
 * The present values of the item at one path: a single value, or the values of all elements of a list. The getters
 * cache their results.
 */
class PresentValues {
  readonly #at = new Map<string, PresentValues>();
  #objects: readonly JsonObject[] | undefined;
  #names: ReadonlySet<string> | undefined;
  #elements: PresentValues | undefined;

  constructor(private readonly values: readonly unknown[]) {}

  get objects(): readonly JsonObject[] {
    return (this.#objects ??= this.values.filter(isJsonObject));
  }

  /** The names of all properties that any of the objects has. */
  get names(): ReadonlySet<string> {
    return (this.#names ??= new Set(this.objects.flatMap(Object.keys)));
  }

  /** The elements of all values that are lists. */
  get elements(): PresentValues {
    return (this.#elements ??= new PresentValues(
      this.values.flatMap((list): readonly unknown[] => (Array.isArray(list) ? list : [])),
    ));
  }

  /** Returns the values that the objects have for one property. */
  at(name: string): PresentValues {
    const known = this.#at.get(name);
    if (known) return known;
    const below = new PresentValues(this.objects.filter(has(name)).map((object) => object[name]));
    this.#at.set(name, below);
    return below;
  }
}

/**
 * Returns the paths of the read-only values that differ from the item. Returns no path when a single present object has
 * all of these values.
 */
function changesOf(
  names: readonly string[],
  given: JsonObject,
  { objects }: PresentValues,
): readonly (readonly string[])[] {
  const changesFrom = (object: JsonObject): readonly (readonly string[])[] =>
    names.flatMap((name) => differences(given[name], object[name]).map((below) => [name, ...below]));
  if (names.length === 0 || objects.some((object) => changesFrom(object).length === 0)) return [];
  return changesFrom(objects.find((object) => names.some((name) => has(name)(object))) ?? {});
}

const has =
  (name: string) =>
  (object: JsonObject): boolean =>
    Object.hasOwn(object, name);

const READ_ONLY = message`the property is read-only: leave it out, or send the value that it has now`;

function violationAt(path: readonly string[], hintOf: (path: readonly string[]) => string): Violation {
  const hint = hintOf(path);
  const info: Message = hint === '' ? READ_ONLY : message`the property is read-only: send ${hint} to change it`;
  return { path: pointerTo(path), code: 'read_only', info };
}

/**
 * Returns the paths at which a value differs from the present value. A member that `value` leaves out is no difference.
 */
function differences(value: unknown, present: unknown): readonly (readonly string[])[] {
  if (!isJsonObject(value) || !isJsonObject(present)) return isDeepStrictEqual(value, present) ? [] : [[]];
  return Object.entries(value).flatMap(([name, member]) =>
    Object.hasOwn(present, name) ? differences(member, present[name]).map((below) => [name, ...below]) : [[name]],
  );
}

/** Returns the schema without its wrappers for optional, nullable and default values. */
export function unwrapped(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return unwrapped(schema.unwrap() as z.ZodType);
  return schema instanceof z.ZodPipe ? unwrapped(schema.in as z.ZodType) : schema;
}

/** Returns the schema of each property of an object schema, by name. */
export const shapeOf = (schema: z.ZodType): Readonly<Record<string, unknown>> => {
  const plain = unwrapped(schema);
  if (!(plain instanceof z.ZodObject)) throw new Error('expected the schema of an item to be an object schema');
  return plain.shape;
};
