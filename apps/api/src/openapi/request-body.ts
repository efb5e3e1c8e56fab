import { bodySchema } from '../vocabulary/body-schema.js';
import { type JsonSchema } from '@ats/domain';
import { DEFAULT_PER_PAGE } from '@ats/pagination';
import { PATCH_TYPES } from '../request/body-parser.js';
import { MERGE_PATCH } from '../vocabulary/merge-patch.js';
import {
  BYTES,
  type BodyDescription,
  type OperationDescription,
  type QueryParameter,
} from '../vocabulary/operation.js';

type Properties = Readonly<Record<string, unknown>>;

/** Returns the media types of a request body. */
export const mediaTypesOf = ({ mediaType }: BodyDescription): readonly string[] =>
  mediaType === MERGE_PATCH ? PATCH_TYPES : [mediaType ?? 'application/json'];

/** Returns the `requestBody` of an operation. @param register adds the schema to the components */
export function requestBodyOf(
  body: BodyDescription,
  register: (name: string, schema: JsonSchema) => JsonSchema,
): JsonSchema {
  const { name, schema, example, isOptional, mediaType } = body;
  if (mediaType === BYTES) return fileBody(bodySchema(schema), (described) => register(name, described));
  const isForm = mediaType === 'multipart/form-data';
  const described = mediaType === MERGE_PATCH ? withoutRequired(bodySchema(schema)) : bodySchema(schema);
  const content = {
    schema: register(name, isForm ? formSchema(described) : described),
    ...(example && { example: isForm ? formExample(example) : example }),
  };
  return {
    required: isOptional !== true,
    // When a body has several media types, only the first one has the example.
    content: Object.fromEntries(
      mediaTypesOf(body).map((type, place) => [type, place === 0 ? content : { schema: content.schema }]),
    ),
  };
}

/**
 * Describes a body that is a file, or form data. The form data has the file in the part `file`, and a part for each
 * property.
 */
const fileBody = (
  { properties, required = [], ...schema }: JsonSchema,
  register: (schema: JsonSchema) => JsonSchema,
): JsonSchema => ({
  required: true,
  content: {
    [BYTES]: { schema: { type: 'string', format: 'binary' }, example: 'The bytes of the file' },
    'multipart/form-data': {
      schema: register({
        ...schema,
        properties: { ...(properties as Properties), file: { type: 'string', format: 'binary' } },
        required: [...(required as string[]), 'file'],
      }),
    },
  },
});

/** Returns the `requestBody` of an operation that takes its query parameters in the body. */
export function queryBodyOf(
  { query = [], answer }: OperationDescription,
  register: (name: string, schema: JsonSchema) => JsonSchema,
): JsonSchema {
  const schema = {
    type: 'object',
    properties: Object.fromEntries(query.map((parameter) => [parameter.name, propertyOf(parameter)])),
    additionalProperties: false,
  };
  const example = { per_page: DEFAULT_PER_PAGE };
  const name = `${answer.schema?.name ?? 'list'}_query`;
  return { required: true, content: { 'application/json': { schema: register(name, schema), example } } };
}

const propertyOf = ({ name, schema }: QueryParameter): JsonSchema => ({
  ...schema,
  description: `The same as the query parameter \`${name}\`.`,
});
/** Returns the schema of a patch. None of its properties is required, but the elements of its lists are whole. */
const withoutRequired = (schema: JsonSchema): JsonSchema =>
  Object.fromEntries(Object.entries(schema).filter(([keyword]) => keyword !== 'required'));

/**
 * Describes each part of the form data as a text that contains JSON. Otherwise clients would send an array as one part
 * per element.
 */
const formSchema = ({ properties, ...schema }: JsonSchema): JsonSchema => ({
  ...schema,
  properties: mapped(properties as Properties, (property) => ({
    type: 'string',
    contentMediaType: 'application/json',
    contentSchema: property,
  })),
});

const formExample = (example: Properties): JsonSchema => mapped(example, (value) => JSON.stringify(value));

const mapped = (properties: Properties, change: (value: unknown) => unknown): Properties =>
  Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, change(value)]));
