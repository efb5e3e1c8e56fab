import { type JsonSchema } from '@ats/domain';
import { type OperationDescription } from '../vocabulary/operation.js';
import { answerWith, withQueryNotes } from './reshape.js';

const PARAMETER_NOTE =
  'In this version, `html` also turns every other value of `layout_data` and of forms into an HTML text: numbers, ' +
  'booleans and dates. `null` stays `null`. Form values that are read in this way cannot be written back.';
const VALUE_NOTE = 'An HTML text, regardless of its usual type, when the request has `rich_txt_fmt=html`.';

/** Describes an operation for versions where `rich_txt_fmt=html` turns all values of layouts and forms into HTML. */
export const describeHtmlScalars = (operation: OperationDescription): OperationDescription =>
  withSchemas(withParameter(operation));

const withParameter = withQueryNotes({ rich_txt_fmt: PARAMETER_NOTE });

/** Adds the type `string` to all values of layouts and forms in a schema. */
export const withHtmlScalars = (schema: JsonSchema): JsonSchema => converted(schema) as JsonSchema;

/** Maps a schema to its changed copy. Many versions share a schema, and changing it reads the whole schema. */
const changed = new WeakMap<JsonSchema, JsonSchema>();

const withSchemas = answerWith((schema) => {
  const known = changed.get(schema) ?? withHtmlScalars(schema);
  changed.set(schema, known);
  return known;
});

function converted(part: unknown, name = ''): unknown {
  if (Array.isArray(part)) return part.map((one) => converted(one));
  if (typeof part !== 'object' || part === null) return part;
  const members = Object.entries(part).map(([member, value]) => [member, converted(value, member)] as const);
  const same = Object.fromEntries(members);
  return name === 'layout_data' || name === 'form_values' ? allowingTexts(same) : same;
}

interface ListSchema {
  readonly items: { readonly properties: Readonly<Record<string, JsonSchema>> };
}

function allowingTexts(list: JsonSchema): JsonSchema {
  const { items } = list as unknown as ListSchema;
  const values = Object.fromEntries(
    ['value', 'value_raw'].map((name) => [name, allowingText(items.properties[name] ?? {})]),
  );
  return { ...list, items: { ...items, properties: { ...items.properties, ...values } } };
}

/** Allows texts in a schema and in its items. A schema without a type already allows them. */
function allowingText(part: JsonSchema): JsonSchema {
  const { type, items, description } = part as {
    readonly type?: readonly string[];
    readonly items?: JsonSchema;
    readonly description?: string;
  };
  const types = type && [...new Set(['string', ...type])];
  return {
    ...part,
    ...(types && { type: types }),
    ...(items && { items: allowingText(items) }),
    ...(description !== undefined && { description: `${description} ${VALUE_NOTE}` }),
  };
}
