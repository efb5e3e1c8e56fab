import { isDeepStrictEqual } from 'node:util';
import { type WriteBody } from '@ats/domain';
import { z } from 'zod';
import { type CheckedBody, checkBody, isGiven } from '../request/body.js';
import { isJsonObject, type JsonObject, memberOf } from '../vocabulary/merge-patch.js';
import { shapeOf, unwrapped } from './read-only-properties.js';

/**
 * Validates a body like `checkBody`, but accepts invalid values that the item already has. A stored value may be older
 * than a rule that it violates, and must not prevent changes of other values.
 * @param stored  the present representation, in the form of the body
 * Source: docs/reference/resources.md, "Bodies".
 */
export function checkChanges(schema: z.ZodType<WriteBody>, given: unknown, stored: JsonObject): CheckedBody<WriteBody> {
  const checked = checkBody(schema, given);
  if (!checked.violations || !isJsonObject(given) || hasRulesBetweenProperties(schema)) return checked;
  // `invalid` gets the name of each invalid property, and `changed` gets the name of each invalid property whose value
  // differs from the stored value. The loop runs once over the violations, because a body can cause many.
  const [invalid, changed] = [new Set<string>(), new Set<string>()];
  for (const { path } of checked.violations) {
    const name = nameIn(path);
    invalid.add(name);
    if (!changed.has(name) && !isUnchanged(path, given, stored)) changed.add(name);
  }
  if (changed.size > 0) return { violations: checked.violations.filter(({ path }) => changed.has(nameIn(path))) };
  const kept = [...invalid];
  const shape = shapeOf(schema);
  const others = checkBody(
    z.strictObject(without(shape, kept) as z.core.$ZodShape) as z.ZodType<WriteBody>,
    without(given, kept),
  );
  if (others.violations) return checked;
  return {
    data: {
      ...others.data,
      ...Object.fromEntries(kept.map((name) => [name, accepted(shape[name] as z.ZodType | undefined, given[name])])),
    },
  };
}

const nameIn = (pointer: string): string => stepsOf(pointer)[0] ?? '';
const stepsOf = (pointer: string): readonly string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));

/**
 * Returns true when the value at the pointer is the stored value. An element of a list counts as stored wherever it
 * stands in the stored list.
 */
function isUnchanged(pointer: string, given: JsonObject, stored: JsonObject): boolean {
  const [name = '', index] = stepsOf(pointer);
  const [value, before] = [memberOf(given, name), memberOf(stored, name)];
  if (!isGiven(value) || !isGiven(before)) return false;
  if (isDeepStrictEqual(value, before)) return true;
  if (index === undefined || !Array.isArray(value) || !Array.isArray(before)) return false;
  return before.some((element) => isDeepStrictEqual(element, value[Number(index)]));
}

/**
 * Converts the elements of an accepted list by the schema. Keeps an element that violates the schema, and any other
 * value, as it is.
 */
function accepted(schema: z.ZodType | undefined, value: unknown): unknown {
  const list = schema && unwrapped(schema);
  if (!(list instanceof z.ZodArray) || !Array.isArray(value)) return value;
  return value.map((element: unknown) => {
    const parsed = (list.element as z.ZodType).safeParse(element);
    return parsed.success ? parsed.data : element;
  });
}

const hasRulesBetweenProperties = (schema: z.ZodType): boolean =>
  !(schema instanceof z.ZodObject) || (schema._zod.def.checks?.length ?? 0) > 0;

const without = (members: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(members).filter(([name]) => !names.includes(name)));
