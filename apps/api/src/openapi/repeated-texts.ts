import { type JsonSchema } from '@ats/domain';

type Schemas = Readonly<Record<string, JsonSchema>>;

/** Minimum number of characters that a reference to another description saves. */
const LEAST_SAVED = 15;

/**
 * Matches the names of schemas of request bodies. Their descriptions refer to those of answers, and never the other way
 * round.
 */
const BODY = /_(?:patch|write|create)(?:_|$)/;

/** Keywords between a component and a property in the path through a schema. References leave them out. */
const BETWEEN = new Set(['properties', 'items', 'anyOf', 'oneOf', 'allOf']);

/**
 * Replaces each repetition of a long description of a property by the place of the first one, such as `See
 * \`vacancies.owner\`.`. Schemas of answers keep their descriptions, and schemas of request bodies refer to them.
 */
export function withoutRepeatedTexts(schemas: Schemas): Schemas {
  const places = new Map<string, string>();
  const names = Object.keys(schemas).toSorted((a, b) => Number(BODY.test(a)) - Number(BODY.test(b)));
  const changed = new Map(names.map((name) => [name, replaced(schemas[name], [name], places)]));
  return Object.fromEntries(Object.keys(schemas).map((name) => [name, changed.get(name) as JsonSchema]));
}

function replaced(part: unknown, place: readonly string[], places: Map<string, string>): unknown {
  if (Array.isArray(part)) return part.map((inner: unknown) => replaced(inner, place, places));
  if (typeof part !== 'object' || part === null) return part;
  return Object.fromEntries(
    Object.entries(part).map(([key, inner]: [string, unknown]) => {
      if (key === 'description' && typeof inner === 'string') return [key, textAt(inner, place.join('.'), places)];
      return [key, replaced(inner, BETWEEN.has(key) ? place : [...place, key], places)];
    }),
  );
}

/** Returns the description, or a reference to the first place that has the same description. */
function textAt(text: string, place: string, places: Map<string, string>): string {
  const known = places.get(text);
  if (known === undefined) places.set(text, place);
  const shorter = `See \`${known}\`.`;
  return known !== undefined && text.length - shorter.length >= LEAST_SAVED ? shorter : text;
}

/** Maximum length in characters of a description that stays whole at its operation. */
const LONGEST_TEXT = 450;

export const MORE_RULES = 'The page of this operation below `/docs/api` has more rules.';

/**
 * Returns the operation with a short description: the first paragraph of a long text, and the list that it introduces.
 * The documentation site has the other paragraphs.
 */
export function withShortText<Described extends { readonly description?: string }>(operation: Described): Described {
  const { description = '' } = operation;
  const paragraphs = description.split('\n\n');
  const kept = paragraphs.slice(0, paragraphs[0]?.endsWith(':') ? 2 : 1);
  if (description.length <= LONGEST_TEXT || kept.length === paragraphs.length) return operation;
  return { ...operation, description: [...kept, MORE_RULES].join('\n\n') };
}
