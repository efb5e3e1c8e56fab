import { type JsonSchema } from '@ats/domain';
import { IDENTITY_PROPERTIES } from '../vocabulary/operation.js';
import { ITEM } from './access.js';
import { reference } from './shared-schemas.js';

type Properties = Readonly<Record<string, JsonSchema>>;

/**
 * Moves properties that many schemas share to a base schema, which the schemas extend by `allOf`. There is one base for
 * messages, one for the queries of most collections, one for items, and one for the bodies of `PATCH` and `PUT` of each
 * resource.
 */
export function withBaseSchemas(schemas: ReadonlyMap<string, JsonSchema>): ReadonlyMap<string, JsonSchema> {
  const all = new Map(schemas);
  const propertiesAt = (name: string): Properties => propertiesOf(all.get(name));
  // Extends the schemas with keys first, before the identity properties move to a schema of their own, because the
  // comparison needs complete lists of properties.
  for (const name of namesEndingWith(all, '_with_keys')) {
    const base = name.replace(/_with_keys$/, '');
    if (all.has(base)) shareBase(all, { base, names: [name], properties: propertiesAt(base) });
  }
  const items = [...all.keys()].filter(
    (name) => name !== ITEM && IDENTITY_PROPERTIES.every((key) => key in propertiesAt(name)),
  );
  const identityOf = (name: string): Properties =>
    Object.fromEntries(IDENTITY_PROPERTIES.map((key) => [key, propertiesAt(name)[key] ?? {}]));
  const messages = namesEndingWith(all, '_message');
  const queries = namesEndingWith(all, '_query');
  shareBase(all, { base: ITEM, names: items, properties: mostFrequentOf(items.map(identityOf)) });
  shareBase(all, { base: 'message', names: messages, properties: commonPropertiesOf(messages.map(propertiesAt)) });
  shareBase(all, {
    base: 'collection_parameters',
    names: queries,
    properties: mostFrequentOf(queries.map(propertiesAt)),
    isClosed: true,
  });
  // Most queries have no further properties. All of these refer to one schema, `collection_query`.
  const plain = { allOf: [reference('collection_parameters')], unevaluatedProperties: false };
  all.set('collection_query', plain);
  for (const name of queries) if (textOf(all.get(name)) === textOf(plain)) all.set(name, reference('collection_query'));
  const patches = namesEndingWith(all, '_patch');
  for (const patch of patches) {
    const first = patches.find((name) => textOf(all.get(name)) === textOf(all.get(patch))) ?? patch;
    for (const suffix of ['_write', '_create']) requireOnPatch(all, first, patch.replace(/_patch$/, suffix));
  }
  return all;
}

interface Base {
  readonly base: string;
  readonly names: readonly string[];
  readonly properties: Properties;
  /** True when the schemas refuse properties that they do not describe. */
  readonly isClosed?: boolean;
}

/**
 * Adds a base schema with the given properties. Each named schema that has all of these properties extends the base.
 * The first such schema decides which properties the base requires. A schema that requires other properties of the base
 * than the first one stays as it is.
 */
function shareBase(schemas: Map<string, JsonSchema>, { base, names, properties, isClosed = false }: Base): void {
  const requiredOf = (name: string): readonly string[] =>
    requiredIn(schemas.get(name)).filter((property) => property in properties);
  const hasAll = (name: string): boolean =>
    Object.entries(properties).every(([key, one]) => textOf(propertiesOf(schemas.get(name))[key]) === textOf(one));
  const [first, ...others] = names.filter(hasAll);
  if (first === undefined) return;
  const required = requiredOf(first);
  for (const name of [first, ...others.filter((other) => textOf(requiredOf(other)) === textOf(required))]) {
    const {
      type: _,
      properties: all,
      required: allRequired,
      additionalProperties: __,
      ...more
    } = schemas.get(name) ?? {};
    const further = Object.entries((all ?? {}) as Properties).filter(([property]) => !(property in properties));
    const furtherRequired = ((allRequired ?? []) as readonly string[]).filter((property) => !(property in properties));
    schemas.set(name, {
      ...more,
      allOf: [reference(base)],
      ...membersWith(Object.fromEntries(further), furtherRequired),
      ...(isClosed && { unevaluatedProperties: false }),
    });
  }
  const known = propertiesOf(schemas.get(base));
  if (textOf(known) !== textOf(properties)) schemas.set(base, objectWith(properties, required));
}

/** Lets the body of `PUT` or `POST` extend the body of `PATCH`, which has the same properties and requires none. */
function requireOnPatch(schemas: Map<string, JsonSchema>, patch: string, whole: string): void {
  const schema = schemas.get(whole);
  const properties = propertiesOf(schemas.get(patch));
  if (schema === undefined || textOf(propertiesOf(schema)) !== textOf(properties)) return;
  const required = requiredIn(schema);
  // Lists the required properties again, because code generators ignore `required` for a property that the same schema
  // does not list.
  const listed = Object.fromEntries(required.map((name) => [name, properties[name] ?? {}]));
  schemas.set(
    whole,
    required.length === 0 ? reference(patch) : { allOf: [reference(patch)], ...membersWith(listed, required) },
  );
}

const namesEndingWith = (schemas: ReadonlyMap<string, JsonSchema>, suffix: string): readonly string[] =>
  [...schemas.keys()].filter((name) => name.endsWith(suffix));

function commonPropertiesOf([first = {}, ...others]: readonly Properties[]): Properties {
  const isCommon = ([name, schema]: readonly [string, JsonSchema]): boolean =>
    others.every((properties) => textOf(properties[name]) === textOf(schema));
  return Object.fromEntries(Object.entries(first).filter(isCommon));
}

function mostFrequentOf(all: readonly Properties[]): Properties {
  const texts = all.map(textOf);
  const countOf = (properties: Properties): number => texts.filter((text) => text === textOf(properties)).length;
  return all.reduce((best, properties) => (countOf(properties) > countOf(best) ? properties : best), {});
}

const objectWith = (properties: Properties, required: readonly string[]): JsonSchema => ({
  type: 'object',
  ...membersWith(properties, required),
});

/** Returns the keywords of a schema that extends a base. The keyword `type` is absent, because the base has it. */
const membersWith = (properties: Properties, required: readonly string[]): JsonSchema => ({
  ...(Object.keys(properties).length > 0 && { properties }),
  ...(required.length > 0 && { required }),
});

const propertiesOf = (schema: JsonSchema = {}): Properties => (schema['properties'] ?? {}) as Properties;
const requiredIn = (schema: JsonSchema = {}): readonly string[] => (schema['required'] ?? []) as readonly string[];
const textOf = (value: unknown): string => JSON.stringify(value);
