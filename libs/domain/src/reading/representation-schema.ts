import { LAYOUT_DATA_SCHEMA } from './layout-schema.js';
import { LAYOUT_DATA } from './layout-sql.js';
import { RICH_TEXT_ELEMENTS } from '@ats/rich-text';
import { type Attribute } from '../vocabulary/attribute.js';
import { attributeAt } from '../objects/attribute-at.js';
import { describedValues, knownValuesAt } from '../objects/closed-values.js';
import { getObjectType } from '../objects/object-model.js';
import { type ObjectType } from '../vocabulary/object-type.js';
import { openList } from '../vocabulary/open-list.js';
import { representationOf, type RepresentationField } from './representation.js';
import { type Resource } from '../vocabulary/resource.js';
import { type JsonSchema } from '../vocabulary/settings-property.js';

export const SCHEMA_DIALECT = 'https://json-schema.org/draft/2020-12/schema';

/** Error codes that every collection can return with status 400. */
const COLLECTION_ERROR_CODES = {
  too_complex:
    'the items could not be found within the time limit of a query, a stored search or layout is beyond a limit, or the ' +
    'answer would be larger than 32 MiB; narrow the query',
};

/** Error codes that every PUT and PATCH of an item can return with status 422. */
const WRITE_ERROR_CODES = {
  read_only: 'the property is read-only and has another value than the item has now',
};

/** The error code of a POST that would exceed a quota of the resource, with status 422. */
const QUOTA_ERROR_CODES = {
  quota_exceeded: 'the service stores no more items of this kind; delete one that is no longer used',
};

const isWritten = ({ properties }: ObjectType): boolean => Object.values(properties).some(({ write }) => write);

/**
 * Derives the JSON Schema of a resource's representation. Beside the types, the schema has for each
 * attribute:
 *
 * - `x-datapath`: the datapath that reads it
 * - `x-filterable`: true when the `filter` parameter searches it
 * - `x-sortable`: true when a collection can be sorted by it
 * - `x-labels`: the labels of a list's elements
 * - `x-elements`: the HTML elements that a rich text keeps
 *
 * For the resource, the schema has `x-error-codes` and `x-relations`, the relations that datapaths can follow.
 * Source: docs/reference/resources.md.
 */
export function representationSchema(resource: Resource): JsonSchema {
  const { type, quotas } = resource;
  return {
    $schema: SCHEMA_DIALECT,
    title: resource.name,
    ...withLayoutData(
      withProperties(
        withDescriptions(type, objectSchema(type, fieldsBelow(representationOf(type)))),
        schemasOf(type.fromSettings),
      ),
    ),
    'x-error-codes': {
      ...type.errorCodes,
      ...(isWritten(type) && WRITE_ERROR_CODES),
      ...(quotas && QUOTA_ERROR_CODES),
      ...COLLECTION_ERROR_CODES,
    },
    'x-relations': relationsOf(type),
  };
}

const schemasOf = (properties: ObjectType['fromSettings']): JsonSchema =>
  Object.fromEntries(Object.entries(properties).map(([name, { schema }]) => [name, schema]));

/** Adds properties that the representation does not have, such as a secret that is shown once. */
export function withProperties(schema: JsonSchema, extra: JsonSchema): JsonSchema {
  const { properties, required } = schema as { readonly properties: JsonSchema; readonly required: readonly string[] };
  return { ...schema, properties: { ...properties, ...extra }, required: [...required, ...Object.keys(extra)] };
}

/** Adds the descriptions of the relations that the representation shows. */
function withDescriptions(type: ObjectType, schema: JsonSchema): JsonSchema {
  const properties = { ...(schema['properties'] as Record<string, JsonSchema>) };
  for (const { pointer, description } of Object.values(type.relations)) {
    if (description && properties[pointer]) properties[pointer] = { description, ...properties[pointer] };
  }
  return { ...schema, properties };
}

/** Adds `layout_data`, which is not required because only requests with a layout get it. */
const withLayoutData = (schema: JsonSchema): JsonSchema => ({
  ...schema,
  properties: { ...(schema['properties'] as JsonSchema), [LAYOUT_DATA]: LAYOUT_DATA_SCHEMA },
});

function relationsOf(type: ObjectType): JsonSchema {
  return Object.fromEntries(
    Object.entries(type.relations).map(([name, { target, many }]) => [
      name,
      { type: target, many, attributes: Object.keys(getObjectType(target).attributes) },
    ]),
  );
}

interface Below {
  readonly name: string;
  readonly fields: readonly { readonly rest: readonly string[]; readonly field: RepresentationField }[];
}

/** Groups fields by the first name in their pointers. */
function fieldsBelow(fields: readonly RepresentationField[]): readonly Below[] {
  return gather(fields.map((field) => ({ rest: field.pointer.slice(1).split('/'), field })));
}

function gather(fields: Below['fields']): readonly Below[] {
  const groups = new Map<string, { rest: readonly string[]; field: RepresentationField }[]>();
  for (const { rest, field } of fields) {
    const [name = '', ...below] = rest;
    groups.set(name, [...(groups.get(name) ?? []), { rest: below, field }]);
  }
  return [...groups].map(([name, below]) => ({ name, fields: below }));
}

function objectSchema(type: ObjectType, groups: readonly Below[]): JsonSchema {
  return {
    type: 'object',
    properties: Object.fromEntries(groups.map((group) => [group.name, propertySchema(type, group.fields)])),
    // Properties that are `onlyInItems` are absent from pages, so they are not required.
    required: groups.filter(({ fields }) => !fields.every(({ field }) => field.onlyInItems)).map(({ name }) => name),
    additionalProperties: false,
  };
}

const ONLY_IN_ITEMS = 'Only present when a single item is read, not in lists.';

function propertySchema(type: ObjectType, fields: Below['fields']): JsonSchema {
  const [first] = fields;
  if (!first) throw new Error('a property of a representation has no fields');
  if (first.rest.length === 0) return attributeSchema(type, first.field);
  // When only single items show a relation, they show all of it. So the fields of the relation are required.
  if (fields.every(({ field }) => field.onlyInItems)) {
    const inItems = fields.map(({ rest, field }) => {
      const { onlyInItems: _, ...shown } = field;
      return { rest, field: shown };
    });
    return { description: ONLY_IN_ITEMS, ...propertySchema(type, inItems) };
  }
  const groups = gather(fields);
  const [only] = groups;
  if (only?.name === '*') {
    const label = only.fields.find(({ rest }) => rest[0] === 'Label');
    const labels = label && attributeAt(type, label.field.datapath).attribute.values;
    return { type: 'array', items: objectSchema(type, gather(only.fields)), ...(labels && { 'x-labels': labels }) };
  }
  const object = objectSchema(type, groups);
  return first.field.presentIf ? { ...object, type: ['object', 'null'] } : object;
}

const JSON_TYPES = {
  integer: 'integer',
  decimal: 'number',
  text: 'string',
  rich_text: 'string',
  boolean: 'boolean',
  date: 'string',
  datetime: 'string',
} as const;
const FORMATS: Partial<Record<Attribute['type'], string>> = { date: 'date', datetime: 'date-time' };

function attributeSchema(type: ObjectType, { datapath, filterable, onlyInItems }: RepresentationField): JsonSchema {
  const { attribute, isThroughMany, place } = attributeAt(type, datapath);
  const description = [attribute.description, ...(onlyInItems ? [ONLY_IN_ITEMS] : [])].filter(Boolean).join(' ');
  return {
    ...(description && { description }),
    ...valueSchema(attribute, knownValuesAt(place)),
    'x-datapath': `${type.name}.${datapath}`,
    'x-filterable': filterable,
    'x-sortable': !attribute.many && !isThroughMany,
    ...(attribute.htmlColumn !== undefined && { 'x-elements': RICH_TEXT_ELEMENTS }),
  };
}

function valueSchema(attribute: Attribute, known: readonly string[] | undefined): JsonSchema {
  const { type: kind, format = FORMATS[kind], many, nullable, listed } = attribute;
  if (known) return openList(known);
  const type = JSON_TYPES[kind];
  if (many) {
    const one = { type, ...(format && { format }) };
    // The closed list is read when the schema is used. The list of scopes is complete only when all modules are loaded.
    const listedOne = {
      ...one,
      get enum() {
        return describedValues(attribute);
      },
    };
    return { type: 'array', items: listed ? listedOne : one };
  }
  const values = describedValues(attribute);
  return {
    type: nullable ? [type, 'null'] : type,
    ...(format && { format }),
    ...(values && { enum: nullable ? [...values, null] : values }),
  };
}

/**
 * Derives the JSON Schema of an object type that datapaths reach: all attributes, each with its `x-datapath` from this
 * type, and the relations. Unlike a resource, a type has no representation of its own.
 * Source: docs/reference/resources.md, "Schemas".
 */
export const objectTypeSchema = (type: ObjectType): JsonSchema => ({
  $schema: SCHEMA_DIALECT,
  title: type.name,
  type: 'object',
  properties: Object.fromEntries(
    Object.entries(type.attributes).map(([name, attribute]) => [
      name,
      {
        ...(attribute.description && { description: attribute.description }),
        ...valueSchema(attribute, attribute.known),
        'x-datapath': `${type.name}.${name}`,
      },
    ]),
  ),
  required: [],
  additionalProperties: false,
  'x-error-codes': {},
  'x-relations': relationsOf(type),
});
