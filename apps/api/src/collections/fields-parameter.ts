import { findSimilar } from '@ats/datapath';
import { type JsonSchema, representationSchema, type Resource } from '@ats/domain';
import { message, type Message } from '@ats/message';
import { findOnly, quote } from '@ats/pagination';
import { type QueryParameter } from '../vocabulary/operation.js';

/**
 * Maximum length of the list in characters. A longer list must repeat a name, because no representation has so many
 * properties.
 */
const MAX_LENGTH = 4_000;

/**
 * The parameter that limits a representation to some of its properties.
 * Source: docs/reference/resources.md, "Fewer properties".
 */
export const FIELDS_PARAMETER: QueryParameter = {
  name: 'fields',
  description:
    'Names of properties of the item, separated by commas, such as `id,title`. The answer has only these properties, ' +
    'always with `id`, and with `layout_data` when there is a `layout`. Names below a property, such as ' +
    '`user.firstname`, are not possible.',
  schema: { type: 'string', minLength: 1, maxLength: MAX_LENGTH },
};

/** Returns the names of the properties of a representation. */
const propertyNames = (resource: Resource): readonly string[] =>
  Object.keys(representationSchema(resource)['properties'] as JsonSchema);

/**
 * Reads the parameter.
 * @param further  names of properties that the answer adds to the properties of the representation
 * @param refuse   receives the text of each violation
 * @returns the wanted names in the order of the representation, or undefined for all properties
 */
export function readFields(
  resource: Resource,
  parameters: URLSearchParams,
  refuse: (info: Message) => void,
  further: readonly string[] = [],
): ReadonlySet<string> | undefined {
  const text = findOnly(parameters, FIELDS_PARAMETER.name);
  if (text === undefined) return undefined;
  if (typeof text === 'object') return void refuse(text.message);
  if (text.length > MAX_LENGTH) {
    return void refuse(message`expected at most ${MAX_LENGTH} characters, found ${text.length}`);
  }
  const known = new Set([...propertyNames(resource), ...further]);
  const wanted = new Set(text.split(','));
  for (const name of wanted) if (!known.has(name)) refuse(unknownName(name, known));
  return new Set([...known].filter((name) => name === 'id' || wanted.has(name)));
}

function unknownName(name: string, known: ReadonlySet<string>): Message {
  const [first = ''] = name.split(/[./]/);
  const similar = known.has(first) ? first : findSimilar(name, known);
  return similar === undefined
    ? message`${quote(name)} is no property of the item, expected some of ${[...known]}`
    : message`${quote(name)} is no property of the item, did you mean "${similar}"?`;
}

/**
 * Copies the wanted properties of an item.
 * @param item  JSON text of an object whose numbers all fit into doubles
 */
export const limitedTo = (item: string, fields: ReadonlySet<string> | undefined): string =>
  fields
    ? JSON.stringify(
        Object.fromEntries(Object.entries(JSON.parse(item) as object).filter(([name]) => fields.has(name))),
      )
    : item;
