import { type JsonSchema } from '@ats/domain';
import { isOpenList, reference } from './shared-schemas.js';

/**
 * Minimum length in characters of a list of values that becomes a component. A reference to a shorter list would save
 * little.
 */
const SHORTEST_LIST = 150;

/** The parts of an OpenAPI document that contain schemas. */
interface Parts {
  readonly schemas: Readonly<Record<string, JsonSchema>>;
  readonly parameters: Readonly<Record<string, JsonSchema>>;
  readonly paths: Readonly<Record<string, JsonSchema>>;
}

/**
 * Moves each long list of values that occurs several times to a component, and refers to it. Descriptions stay beside
 * the references. A component that consists of only the list is used as it is. Other lists get a component with the
 * name of the first component and property that have the list.
 */
export function shareRepeatedEnums(parts: Parts): Parts {
  const names = new Map<string, string>();
  const counts = new Map<string, number>();
  for (const [name, schema] of Object.entries(parts.schemas))
    if (listOf(schema) === JSON.stringify(schema)) names.set(JSON.stringify(schema), name);
  visit(parts.schemas, [], (list, place) => {
    if (!names.has(list)) names.set(list, place.join('_'));
  });
  visit(parts, [], (list) => counts.set(list, (counts.get(list) ?? 0) + 1));
  const nameOf = (list: string): string | undefined => ((counts.get(list) ?? 0) > 1 ? names.get(list) : undefined);
  const components = [...names].flatMap(([list, name]) =>
    nameOf(list) === undefined ? [] : [[name, JSON.parse(list) as JsonSchema] as const],
  );
  return {
    schemas: { ...replaced(parts.schemas, nameOf), ...Object.fromEntries(components) },
    parameters: replaced(parts.parameters, nameOf),
    paths: replaced(parts.paths, nameOf),
  };
}

/**
 * Returns the keywords of a schema that are a long list of values, as JSON: type and values, or the alternatives of a
 * list of documented values. Undefined for another schema.
 */
function listOf(schema: JsonSchema): string | undefined {
  const { type, enum: values, anyOf } = schema;
  if (isOpenList(schema)) return listOf((anyOf as readonly JsonSchema[])[0] ?? {}) && JSON.stringify({ anyOf });
  if (type === undefined || !Array.isArray(values)) return undefined;
  return JSON.stringify(values).length < SHORTEST_LIST ? undefined : JSON.stringify({ type, enum: values });
}

/** Keywords between a component and a property in the path through a schema. Names of components leave them out. */
const BETWEEN = new Set(['properties', 'items']);

function visit(part: unknown, place: readonly string[], found: (list: string, place: readonly string[]) => void): void {
  if (typeof part !== 'object' || part === null) return;
  const list = listOf(part as JsonSchema);
  if (list !== undefined) found(list, place);
  else for (const [key, inner] of Object.entries(part)) visit(inner, BETWEEN.has(key) ? place : [...place, key], found);
}

function replaced<Part>(part: Part, nameOf: (list: string) => string | undefined): Part {
  if (typeof part !== 'object' || part === null) return part;
  if (Array.isArray(part)) return part.map((inner: unknown) => replaced(inner, nameOf)) as Part;
  const list = listOf(part as JsonSchema);
  const name = list === undefined ? undefined : nameOf(list);
  if (name !== undefined) {
    const { type: _type, enum: _values, anyOf: _anyOf, ...beside } = part as JsonSchema;
    return { ...beside, ...reference(name) } as Part;
  }
  return Object.fromEntries(
    Object.entries(part).map(([key, inner]) => [key, replaced(inner as unknown, nameOf)]),
  ) as Part;
}
