import { type JsonSchema, LANGUAGES, VIOLATION_CODES } from '@ats/domain';
import { OAUTH_ERRORS } from '../oauth/oauth-errors.js';
import { LIMIT_REASONS } from '../metrics/metrics.js';
import { VERSIONS } from '../versions/versions.js';
import { type DescribedRoute, isWritingPost } from './routes.js';

/** The body of every answer with a status from 400 on. Source: docs/reference/errors.md. */
export const PROBLEM_SCHEMA: JsonSchema = {
  type: 'object',
  properties: {
    message: { type: 'string', description: 'Text for people, in the language of the answer.' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          resource: { type: 'string', description: 'Name of the resource as listed by `/schemas`.' },
          path: {
            type: 'string',
            description:
              'JSON pointer to the property in the body. Empty for a query parameter and for the item as a whole.',
          },
          parameter: { type: 'string', description: 'Name of the invalid query parameter.' },
          code: {
            type: 'string',
            enum: VIOLATION_CODES,
            description: '`missing`, `invalid`, `already_exists`, `read_only`, or a code that the operation lists.',
          },
          info: { type: 'string', description: 'Text for people: what was expected and what was found.' },
          existing: {
            type: 'object',
            description:
              'The object that the violation is about, such as the holder of a unique value. Absent when the ' +
              'credential lacks the read scope of the object.',
            properties: { id: { type: 'integer' }, url: { type: 'string', format: 'uri' } },
            required: ['id', 'url'],
            additionalProperties: false,
          },
          item_id: { type: 'integer', description: 'Id of the form item. Only for violations about form values.' },
          item_key: { type: 'string', description: 'Key of the form item within its form.' },
          section_instance: { type: 'integer', description: 'Instance of the section that the item belongs to.' },
          form_instance: { type: 'integer', description: 'Instance of the form that the item belongs to.' },
        },
        required: ['resource', 'path', 'code'],
        additionalProperties: false,
      },
    },
    limit: { type: 'string', enum: [...LIMIT_REASONS], description: 'Only with 429: the limit that is exceeded.' },
    error: { type: 'string', enum: OAUTH_ERRORS, description: 'Only at `/oauth/token`: the code of RFC 6749 5.2.' },
    error_description: { type: 'string', description: 'Only at `/oauth/token`: the message in English and ASCII.' },
    request_id: { type: 'string', description: 'Identifies the request in the logs of the service.' },
  },
  required: ['message', 'request_id'],
  additionalProperties: false,
};

const header = (description: string, schema: JsonSchema = { type: 'string' }): JsonSchema => ({
  description,
  required: true,
  schema,
});

export const ANSWER_HEADERS = {
  'X-Request-Id': header(
    'The `X-Request-Id` of the request if it has 1 to 128 letters, digits or `.` `_` `:` `/` `+` `=` `-`. ' +
      'Otherwise a new id.',
  ),
  'Api-Version': header('The minor version of the answer.', { type: 'string', enum: VERSIONS.versions }),
  'Content-Language': {
    ...header(
      'Language of names and texts. The header is absent when the request failed before the language was chosen.',
      {
        type: 'string',
        enum: LANGUAGES,
      },
    ),
    required: false,
  },
  ETag: header('Changes with every change of the item. Differs between versions and languages.'),
  /** The header `ETag` in the answer to a write. */
  'ETag-If-Readable': {
    ...header('The `ETag` as `GET` gives it. Absent when the credential lacks the read scope.'),
    required: false,
  },
  Link: header('URLs of the `first`, `prev`, `next` and `last` page, as far as the pages exist (RFC 8288).'),
  Location: header('URL of the new item.', { type: 'string', format: 'uri' }),
  'X-Total-Count': {
    ...header('Number of matching items, exact at a moment at most 2 seconds ago. Absent when counting takes longer.', {
      type: 'integer',
    }),
    required: false,
  },
  'WWW-Authenticate': { ...header('The supported authentication schemes. Present with 401.'), required: false },
  'Retry-After': {
    ...header('Seconds to wait before the next request. Present with 429 and 503.', { type: 'integer' }),
    required: false,
  },
  'RateLimit-Limit': {
    ...header('Requests per window: of a credential, or of an IP address on a 401. Absent when limits are off.', {
      type: 'integer',
    }),
    required: false,
  },
  'RateLimit-Remaining': { ...header('Requests left in the current window.', { type: 'integer' }), required: false },
  'RateLimit-Reset': {
    ...header('Seconds until the current window ends.', { type: 'integer' }),
    required: false,
  },
  'RateLimit-Policy': {
    ...header('The limits of the credential: name, quota (`q`), window in seconds (`w`) and unit (`qu`).'),
    required: false,
  },
  RateLimit: {
    ...header('For each limit with a window: the remaining amount (`r`) and the seconds until the window ends (`t`).'),
    required: false,
  },
  'Idempotency-Replayed': {
    ...header('Present when this is the stored answer to an earlier request with the same key.', { const: 'true' }),
    required: false,
  },
} satisfies Record<string, JsonSchema>;

export type AnswerHeader = keyof typeof ANSWER_HEADERS;

/**
 * Headers that answers of every operation may have. The document lists them only at its answer `Error`. At each answer,
 * they would make up a tenth of the document. Source: docs/reference/resources.md, "Schemas".
 */
const COMMON_HEADERS: readonly AnswerHeader[] = [
  'X-Request-Id',
  'Api-Version',
  'Content-Language',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'RateLimit-Policy',
  'RateLimit',
  'Idempotency-Replayed',
];

/** True for the methods in which the service checks `If-Match`. */
export const takesIfMatch = (method: string): boolean => ['put', 'patch', 'delete'].includes(method);

interface ErrorAnswer {
  readonly status: number;
  readonly description: string;
  readonly headers?: readonly AnswerHeader[];
}

/** The name of the answer that describes the common errors. */
export const ERROR_ANSWER = 'Error';

/** Describes the common errors. Each operation refers to this answer instead of one answer for each status. */
export const COMMON_ERRORS: JsonSchema = {
  description: `The common errors:

- 400: the body is missing or not valid, a query parameter is unknown or invalid, or a header is invalid.
- 401: the credentials are missing or invalid.
- 403: the credential lacks a scope, which the message names, or a page of another site sent the request.
- 404: the item, or one of its owners in the path, does not exist.
- 406: \`Accept-Language\` allows none of the supported languages, or \`Accept\` does not allow the media type.
- 409: the first request with this \`Idempotency-Key\` is still running. Send the request again after \`Retry-After\`.
- 411: the request has no \`Content-Length\`.
- 412: the item no longer has the \`ETag\` in \`If-Match\`, because it has changed.
- 413: the body is larger than 1 MiB.
- 415: the body has another media type than the operation takes.
- 422: the body is invalid, or the request cannot be carried out. \`errors\` lists every violation.
- 429: the credential exceeds one of its limits, which \`limit\` names, or the IP address sent too many requests
  without a valid credential. The request changed nothing. Send it again after \`Retry-After\` seconds.
- 503: the service is temporarily unavailable. Send the request again after \`Retry-After\` seconds.`,
  headers: headerReferences([...COMMON_HEADERS, 'WWW-Authenticate', 'Retry-After']),
  content: {
    'application/json': {
      schema: { $ref: '#/components/schemas/problem' },
      example: {
        message: 'Too many requests: the limit is 50 in 10 s, try again in 7 s',
        limit: 'rate',
        request_id: '6d2e8a2e-7c5b-4a51-9a0c-3f0e7d1b5c42',
      },
    },
  },
};

/** Returns the headers of an answer, as references to their components. */
export function headerReferences(names: readonly AnswerHeader[]): JsonSchema {
  return Object.fromEntries(
    names.map((name) => [name.replace('-If-Readable', ''), { $ref: `#/components/headers/${name}` }]),
  );
}

/** Returns the error answers of a route that the common errors do not describe. Source: docs/reference/errors.md. */
export function specificErrorsOf(route: DescribedRoute): readonly ErrorAnswer[] {
  const { isPublic, operation } = route;
  const { conflict, errorCodes = {}, otherErrors = [] } = operation;
  if (isPublic) return otherErrors;
  const codes = Object.entries(errorCodes).map(([code, meaning]) => `- \`${code}\`: ${meaning}`);
  const isRepeatable = isWritingPost(route);
  return [
    ...(conflict === undefined
      ? []
      : [
          {
            status: 409,
            description: [isRepeatable ? RUNNING : '', conflict].filter(Boolean).join(' '),
            headers: isRepeatable ? (['Retry-After'] as const) : [],
          },
        ]),
    ...(codes.length > 0 ? [{ status: 422, description: `Further codes:\n\n${codes.join('\n')}` }] : []),
    ...otherErrors,
  ];
}

const RUNNING = 'The first request with this `Idempotency-Key` is still running.';
