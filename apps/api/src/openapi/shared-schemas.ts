import { type JsonSchema } from '@ats/domain';

type Schemas = ReadonlyMap<string, JsonSchema>;

/** A schema that occurs inside of components. */
interface Part {
  /** Where the schema occurs first: the name of the component, then the names of the properties that lead to it. */
  readonly place: readonly string[];
  /** How often the schema occurs. */
  count: number;
}

/**
 * Minimum length in characters of a schema that is moved, for objects and lists and for other values. A reference to a
 * shorter schema would save nothing, or would hide a simple type.
 */
const SHORTEST = { object: 90, value: 150 };

/**
 * Moves each schema that occurs several times inside of components to a component of its own, and refers to it. The new
 * component is named after the first component and property that have the schema. A component that equals an earlier
 * component refers to it.
 */
export function shareRepeatedSchemas(schemas: Schemas): Readonly<Record<string, JsonSchema>> {
  const wholes = new Map<string, string>();
  for (const [name, schema] of schemas) if (!wholes.has(textOf(schema))) wholes.set(textOf(schema), name);
  const parts = partsOf(schemas, wholes);
  const shared: Record<string, JsonSchema> = {};
  const names = new Map<string, string>();

  const nameOf = (text: string, { place }: Part): string => {
    const [component = '', ...properties] = place;
    const isFree = (name: string): boolean => !schemas.has(name) && !(name in shared);
    const candidates = properties.map((_, index) => [component, ...properties.slice(-1 - index)].join('_'));
    const name = [...candidates, ...candidates.map((longer) => `${longer}_value`)].find(isFree);
    if (name === undefined)
      throw new Error(`all possible names of a shared part are taken already: ${place.join('/')}`);
    names.set(text, name);
    return name;
  };
  const replaced = (schema: JsonSchema): JsonSchema =>
    withChildren(schema, (child) => {
      const text = textOf(child);
      const part = parts.get(text);
      const known = wholes.get(text) ?? names.get(text);
      if (known !== undefined) return reference(known);
      if (!part || part.count === 1 || !isShared(child, text)) return replaced(child);
      const name = nameOf(text, part);
      shared[name] = {};
      shared[name] = replaced(child);
      return reference(name);
    });

  const components = [...schemas].map(([name, schema]) => {
    const first = wholes.get(textOf(schema)) ?? name;
    return [name, first === name ? replaced(schema) : reference(first)] as const;
  });
  return Object.fromEntries([...components, ...Object.entries(shared)]);
}

/**
 * Maps the text of each schema inside of components to its number of occurrences. A schema inside a repeated schema
 * counts once, because the repeated schema becomes one component.
 */
function partsOf(schemas: Schemas, wholes: ReadonlyMap<string, string>): ReadonlyMap<string, Part> {
  const parts = new Map<string, Part>();
  const visit = (schema: JsonSchema, place: readonly string[]): void =>
    void withChildren(schema, (child, property) => {
      const text = textOf(child);
      const known = parts.get(text);
      const below = property === undefined ? place : [...place, property];
      if (known) known.count += 1;
      else if (!wholes.has(text)) {
        parts.set(text, { place: below, count: 1 });
        visit(child, below);
      }
      if (known && !isShared(child, text)) visit(child, below);
      return child;
    });
  for (const [name, schema] of schemas) if (wholes.get(textOf(schema)) === name) visit(schema, [name]);
  return parts;
}

const isShared = (schema: JsonSchema, text: string): boolean =>
  !('$ref' in schema) &&
  text.length >= ('properties' in schema || 'items' in schema ? SHORTEST.object : SHORTEST.value);

/**
 * Returns a copy of the schema in which `change` has replaced the schemas of its properties, elements and alternatives.
 * The alternatives of a list of documented values stay together, see `openList`.
 */
export function withChildren(
  schema: JsonSchema,
  change: (child: JsonSchema, property?: string) => JsonSchema,
): JsonSchema {
  const entries = Object.entries(schema).map(([keyword, value]) => {
    if (keyword === 'properties') return [keyword, mapped(value as Record<string, JsonSchema>, change)];
    if (ONE.has(keyword) && typeof value === 'object') return [keyword, change(value as JsonSchema)];
    if (MANY.has(keyword) && !isOpenList(schema))
      return [keyword, (value as readonly JsonSchema[]).map((child) => change(child))];
    return [keyword, value];
  });
  return Object.fromEntries(entries) as JsonSchema;
}

/** True for a list of documented values that accepts others: an `anyOf` that begins with an `enum`. */
export const isOpenList = ({ anyOf }: JsonSchema): boolean =>
  Array.isArray(anyOf) && (anyOf as readonly JsonSchema[])[0]?.['enum'] !== undefined;

const ONE = new Set(['items', 'additionalProperties', 'contentSchema']);
const MANY = new Set(['anyOf', 'oneOf', 'allOf']);

const mapped = (
  properties: Readonly<Record<string, JsonSchema>>,
  change: (child: JsonSchema, property: string) => JsonSchema,
): JsonSchema => Object.fromEntries(Object.entries(properties).map(([name, child]) => [name, change(child, name)]));

const textOf = (schema: JsonSchema): string => JSON.stringify(schema);

export const reference = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });
