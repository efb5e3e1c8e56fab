import { type JsonSchema } from '@ats/domain';
import { type BodyDescription } from '../vocabulary/operation.js';
import { bodySchema } from './body-schema.js';

type Properties = Readonly<Record<string, unknown>>;

/** The media type of a request body. */
export const mediaTypeOf = ({ mediaType }: BodyDescription): string => mediaType ?? 'application/json';

/** The `requestBody` of an operation. @param register adds the schema to the components */
export function requestBodyOf(
  body: BodyDescription,
  register: (name: string, schema: JsonSchema) => JsonSchema,
): JsonSchema {
  const { name, schema, example, isOptional, mediaType } = body;
  const isForm = mediaType === 'multipart/form-data';
  const described = bodySchema(schema);
  const content = {
    schema: register(name, isForm ? formSchema(described) : described),
    ...(example && { example: isForm ? formExample(example) : example }),
  };
  return { required: isOptional !== true, content: { [mediaTypeOf(body)]: content } };
}

/** Describes each part as a text that contains JSON. Clients would send an array as one part per element. */
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
