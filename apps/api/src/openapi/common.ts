import { type JsonSchema, LANGUAGES } from '@ats/domain';
import { VERSIONS } from '../versions/versions.js';
import { mediaTypeOf } from './request-body.js';
import { type DescribedRoute } from './routes.js';

/** Source: CONTRACT.md 3 and SPEC.md 2.5. */
export const PROBLEM_SCHEMA: JsonSchema = {
  type: 'object',
  properties: {
    message: { type: 'string', description: 'For people.' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          resource: { type: 'string', description: 'Name of the resource, as in `/schemas`.' },
          path: {
            type: 'string',
            description: 'JSON pointer to the property; empty for a query parameter, and for the item as a whole.',
          },
          parameter: { type: 'string', description: 'Name of the query parameter at fault.' },
          code: {
            type: 'string',
            description: '`missing`, `invalid`, `already_exists`, or one that the operation lists.',
          },
          info: { type: 'string', description: 'For people: what was expected, what was found.' },
        },
        required: ['resource', 'path', 'code'],
        additionalProperties: false,
      },
    },
    request_id: { type: 'string', description: 'Names the request in our logs.' },
  },
  required: ['message', 'request_id'],
  additionalProperties: false,
};

/** So that nobody has to make one to see it. */
const LIMIT_EXAMPLE = {
  message: 'Too many requests: the limit is 50 in 10 s, try again in 7 s',
  request_id: '6d2e8a2e-7c5b-4a51-9a0c-3f0e7d1b5c42',
};

const header = (description: string, schema: JsonSchema = { type: 'string' }): JsonSchema => ({
  description,
  required: true,
  schema,
});

/** Headers of answers. */
export const ANSWER_HEADERS = {
  'X-Request-Id': header('Yours, when you sent one that is safe to repeat; else a new one.'),
  'Api-Version': header('The minor version that was served.', { type: 'string', enum: VERSIONS.versions }),
  'Content-Language': {
    ...header('The language of names and texts; absent when the request failed before one was chosen.', {
      type: 'string',
      enum: LANGUAGES,
    }),
    required: false,
  },
  ETag: header('Changes whenever the item does; another one for each version and language.'),
  Link: header(
    '`first`, `last` when the number of items is known and, where there is one, `prev` and `next` (RFC 8288).',
  ),
  Location: header('Address of the new item.', { type: 'string', format: 'uri' }),
  'X-Total-Count': {
    ...header(
      'Number of items in the collection, exact at a moment at most two seconds ago; absent when it takes longer to count them.',
      { type: 'integer' },
    ),
    required: false,
  },
  'WWW-Authenticate': header('The ways to authenticate.'),
  'Retry-After': header('Seconds until it is worth another try.', { type: 'integer' }),
  'RateLimit-Limit': {
    ...header(
      'Requests that the credential may make in a window, with 401 failed ones of the address; absent where none is counted.',
      { type: 'integer' },
    ),
    required: false,
  },
  'RateLimit-Remaining': { ...header('How many of them are left.', { type: 'integer' }), required: false },
  'RateLimit-Reset': {
    ...header('Seconds until the window ends, and all of them are there again.', { type: 'integer' }),
    required: false,
  },
  'Idempotency-Replayed': {
    ...header('The request was a repetition, and this is the first answer.', { const: 'true' }),
    required: false,
  },
} satisfies Record<string, JsonSchema>;

export type AnswerHeader = keyof typeof ANSWER_HEADERS;

/** Of every answer there is. */
export const COMMON_ANSWER_HEADERS: readonly AnswerHeader[] = ['X-Request-Id', 'Api-Version'];

/** Of every answer to a credential, and to who shows none where one is needed. Source: CONTRACT.md 10. */
export const LIMIT_HEADERS: readonly AnswerHeader[] = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'];

interface ErrorAnswer {
  readonly status: number;
  readonly description: string;
  readonly headers?: readonly AnswerHeader[];
  /** A body, where the schema alone does not say enough. */
  readonly example?: object;
}

/** The refusals that a route can answer with, by what it is. Source: SPEC.md 7 and CONTRACT.md 1 to 3. */
export function errorsOf({ method, path, isPublic, scopes, operation }: DescribedRoute): readonly ErrorAnswer[] {
  const when = (
    condition: boolean,
    status: number,
    description: string,
    headers?: readonly AnswerHeader[],
  ): ErrorAnswer[] => (condition ? [{ status, description, ...(headers && { headers }) }] : []);
  const isPost = method === 'post';
  const { body } = operation;
  const hasBody = body !== undefined;
  const mediaType = body && mediaTypeOf(body);
  const bodyErrors = [
    ...when(hasBody, 413, 'The body is larger than 1 MiB.'),
    ...when(hasBody, 415, `The body is not \`${mediaType}\`.`),
  ];
  if (isPublic)
    return [
      ...when(
        operation.query !== undefined && !operation.takesAnyQuery,
        400,
        'A query parameter is unknown or faulty.',
      ),
      ...bodyErrors,
    ];
  const codes = Object.entries(operation.errorCodes ?? {});
  return [
    ...when(
      true,
      400,
      `${hasBody ? `The body is not valid ${body.mediaType ?? 'JSON'}, a` : 'A'} query parameter is unknown or faulty, or a header is.`,
    ),
    ...when(true, 401, 'The credentials are missing or invalid.', ['WWW-Authenticate']),
    ...when(scopes !== undefined, 403, 'The credential lacks a scope, which the message names.'),
    ...when(path.includes('{'), 404, 'There is no such item, or not below this owner.'),
    ...when(true, 406, '`Accept-Language` allows none of the languages.'),
    ...when(isPost, 409, 'The first request with this `Idempotency-Key` is still being carried out.', ['Retry-After']),
    ...when(method === 'put', 411, 'The request has no `Content-Length`.'),
    ...when(method === 'put' || method === 'delete', 412, 'The item is no longer what `If-Match` says.'),
    ...bodyErrors,
    ...when(hasBody || isPost || codes.length > 0, 422, validationText(hasBody, codes)),
    { status: 429, description: TOO_MANY, headers: ['Retry-After'], example: LIMIT_EXAMPLE },
    ...when(true, 503, 'Not available at the moment.', ['Retry-After']),
  ];
}

const TOO_MANY =
  'The credential has made its requests for this window, or has too many at the same time; or too many requests without a valid credential came from the address. Nothing was done: send it again after `Retry-After`.';

function validationText(hasBody: boolean, codes: readonly (readonly [code: string, meaning: string])[]): string {
  const cause = hasBody
    ? 'The body has faults, each of them listed.'
    : 'The request cannot be carried out, and why is listed.';
  const meanings = codes.map(([code, meaning]) => `- \`${code}\`: ${meaning}`);
  return meanings.length > 0 ? `${cause} Codes beside the common ones:\n\n${meanings.join('\n')}` : cause;
}
