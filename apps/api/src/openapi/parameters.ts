import { type JsonSchema, LANGUAGES } from '@ats/domain';
import { EVENT_STREAM } from '../feeds/event-stream.js';
import { VERSIONS } from '../versions/versions.js';
import { takesIfMatch } from './common.js';
import { type DescribedRoute, isWritingPost } from './routes.js';

/** Path, query and header parameters of a route. */
export const parametersOf = (route: DescribedRoute, version: string): readonly JsonSchema[] => [
  ...pathParameters(route),
  ...(route.operation.takesQueryInBody ? [] : (route.operation.query ?? [])).map(
    ({ name, description, schema, required, example }) => ({
      ...(required && { required }),
      ...(example !== undefined && { example }),
      name,
      description,
      schema,
      in: 'query',
    }),
  ),
  ...(route.isPublic ? [] : headerParameters(route, version)),
];

function pathParameters({ path, operation }: DescribedRoute): JsonSchema[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    ...(operation.path?.[name] ?? { schema: { type: 'integer', minimum: 1 } }),
  }));
}

const header = (name: string, description: string, schema: JsonSchema = { type: 'string' }): JsonSchema => ({
  name,
  in: 'header',
  description,
  schema,
});

function headerParameters(route: DescribedRoute, version: string): JsonSchema[] {
  const { method, operation } = route;
  const hasTag = operation.answer.headers?.includes('ETag');
  return [
    ...(isWritingPost(route)
      ? [
          header('Idempotency-Key', 'A text of your choice that makes the request safe to repeat.', {
            type: 'string',
            minLength: 1,
            maxLength: 255,
          }),
        ]
      : []),
    ...(takesIfMatch(method)
      ? [header('If-Match', 'The `ETag` of the item as you read it. The answer is 412 when the item has changed.')]
      : []),
    ...(method === 'get' && hasTag
      ? [
          header(
            'If-None-Match',
            'The `ETag` of the item as you read it. The answer is 304 when the item has not changed.',
          ),
        ]
      : []),
    ...(operation.answer.text === EVENT_STREAM
      ? [
          header(
            'Last-Event-ID',
            'For a stream: the `id` of its last event that you have read. The stream continues after it.',
          ),
        ]
      : []),
    {
      ...header(
        'Api-Version',
        `Minor version. Defaults to the credential’s version, or ${VERSIONS.default} when it has none.`,
        {
          type: 'string',
          enum: VERSIONS.versions,
          default: VERSIONS.default,
        },
      ),
      example: version,
    },
    header('Accept-Language', `Language of names and texts: ${LANGUAGES.join(', ')}.`),
  ];
}
