import { type JsonSchema } from '@ats/domain';
import { type DescribedRoute } from './routes.js';

/** Source: CONTRACT.md 3 and SPEC.md 2.5. */
export const PROBLEM_SCHEMA: JsonSchema = {
  type: 'object',
  properties: {
    message: { type: 'string' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          resource: { type: 'string', description: 'Name of the resource type.' },
          path: { type: 'string', description: 'JSON pointer to the property; empty for a parameter, and for the resource as a whole.' },
          parameter: { type: 'string', description: 'Name of the query parameter at fault.' },
          code: { type: 'string', description: '`missing`, `invalid`, `already_exists`, or one of the resource’s own, see its schema.' },
          info: { type: 'string', description: 'What was expected and what was found, for people.' },
        },
        required: ['resource', 'path', 'code'],
        additionalProperties: false,
      },
    },
    request_id: { type: 'string' },
  },
  required: ['message', 'request_id'],
  additionalProperties: false,
};

const header = (description: string, schema: JsonSchema = { type: 'string' }): JsonSchema => ({ description, schema });

export const ANSWER_HEADERS: JsonSchema = {
  'X-Request-Id': header('Yours, when you sent one that is safe to repeat; else a new one.'),
  'Api-Version': header('The minor version that was served.'),
  ETag: header('Changes whenever the item does.'),
  Link: header('`first`, `last` and, where there is one, `prev` and `next` (RFC 8288).'),
  Location: header('Address of the new item.', { type: 'string', format: 'uri' }),
  'X-Total-Count': header('Number of items in the collection.', { type: 'integer' }),
};

export const COMMON_ANSWER_HEADERS = ['X-Request-Id', 'Api-Version'] as const;

/** The refusals that a route can answer with, by what it is. Source: SPEC.md 7 and CONTRACT.md 1 to 3. */
export function errorsOf({ method, path, isPublic, operation }: DescribedRoute): readonly (readonly [status: number, description: string])[] {
  if (isPublic) return [];
  const codes = operation.errorCodes?.length ? ` Codes beside the common ones: ${operation.errorCodes.map((code) => `\`${code}\``).join(', ')}.` : '';
  const isWrite = method === 'put' || method === 'delete';
  const hasBody = operation.body !== undefined;
  return [
    [400, 'Malformed JSON, an unknown or faulty query parameter, or an unknown `Api-Version`.'],
    [401, 'The credentials are missing or invalid.'],
    [403, 'The credential lacks a scope, which the message names.'],
    ...(path.includes('{') ? [[404, 'There is no such item, or not below this owner.'] as const] : []),
    [406, '`Accept-Language` allows none of the languages.'],
    ...(method === 'post' ? [[409, 'The first request with this `Idempotency-Key` is still being carried out.'] as const] : []),
    ...(method === 'put' ? [[411, 'A PUT needs a `Content-Length`, 0 when it has no body.'] as const] : []),
    ...(isWrite ? [[412, 'The item is no longer what `If-Match` says.'] as const] : []),
    ...(hasBody ? ([[413, 'The body is larger than 1 MiB.'], [415, 'The body is not `application/json`.']] as const) : []),
    ...(method !== 'get' ? [[422, `The body, or the state of the item, does not allow it; every fault is listed.${codes}`] as const] : []),
    [503, 'Not available at the moment; `Retry-After` says when to try again.'],
  ];
}
