import { DOCUMENT_KINDS, type JsonSchema } from '@ats/domain';
import { type Environment } from '../config/env.js';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { negotiateLanguage } from '../request/negotiation.js';
import { PUBLIC_PREFIX } from '../request/browser-rules.js';
import { type RequestSettings } from '../request/request-context.js';
import { strictObject } from '../vocabulary/operation.js';
import { type BoardPosting } from './board-reader.js';
import { jobPosting, pageOf } from './job-posting.js';

/** The tag of the boards' operations in the reference. */
export const BOARD_TAG = 'public_boards';

/**
 * A cache may keep an answer for a minute. For ten more minutes it may serve the old answer while it fetches a new one.
 */
export const CACHE_CONTROL = 'public, max-age=60, stale-while-revalidate=600';

export const CODE_PARAMETER = {
  code: { description: 'The `code` of a job board with `is_public`.', schema: { type: 'string' } },
} as const;

export const LIMITED = {
  status: 429,
  description: 'The IP address exceeds its limit of requests.',
  headers: ['Retry-After'],
} as const;
export const NOT_FOUND = { status: 404, description: 'The board is not public, or has no such open posting.' } as const;

const text = { type: 'string' };
const nullableText = { type: ['string', 'null'] };
const url = { type: 'string', format: 'uri' };

const LISTED: Readonly<Record<string, JsonSchema>> = {
  id: { type: 'integer', minimum: 1 },
  url: { ...url, description: 'URL of the posting below `/public/v1`.' },
  page_url: {
    ...url,
    description: 'URL of the page for people: `<base_url>/<id>` of the job board, else the same as `url`.',
  },
  title: text,
  description: { ...nullableText, description: 'HTML of the posting, else of its vacancy.' },
  location: nullableText,
  department: nullableText,
  employment_type: nullableText,
  reference: { ...text, description: 'The reference of the vacancy.' },
  opening_date: { type: 'string', format: 'date' },
  closing_date: { type: ['string', 'null'], format: 'date' },
  form_url: { ...url, description: 'URL of the application form.' },
};

export const POSTING_SCHEMA = strictObject(LISTED);

export const POSTING_ITEM_SCHEMA = strictObject({
  ...LISTED,
  json_ld: {
    type: 'object',
    description: 'The posting as a `JobPosting` of schema.org, for a `script` of the type `application/ld+json`.',
    additionalProperties: true,
  },
});

export const FORM_SCHEMA = strictObject({
  url: { ...url, description: 'URL for the `POST` of the application.' },
  documents_url: { ...url, description: 'URL for the `POST` of each document of the application.' },
  token: {
    ...text,
    description: 'Send this token with the application, 2 seconds to 24 hours after reading the form.',
  },
  schema: {
    type: 'object',
    description: 'JSON Schema (2020-12) of the body of the application.',
    additionalProperties: true,
  },
});

export const DOCUMENT_SCHEMA = strictObject({
  document: {
    ...text,
    description: 'A token for `documents` of the application. It is valid for 24 hours.',
  },
  name: text,
  kind: { ...text, enum: DOCUMENT_KINDS },
  media_type: { ...text, description: 'The media type of the content, which the service detects.' },
  size: { type: 'integer' },
});

/** The answer to every application. It is always the same, so that it reveals nothing about the person. */
export const RECEIVED = { status: 'received' } as const;
export const RECEIVED_SCHEMA = strictObject({ status: { const: RECEIVED.status } });

/** The URLs of a board in this API. */
export const boardUrl = ({ PUBLIC_BASE_URL }: Pick<Environment, 'PUBLIC_BASE_URL'>, code: string): string =>
  `${PUBLIC_BASE_URL}${PUBLIC_PREFIX}/boards/${encodeURIComponent(code)}`;

/** Returns the representation of a posting in a list. @param url  URL of the board, see {@link boardUrl} */
export function listed({ board, posting }: BoardPosting, url: string): object {
  const own = `${url}/postings/${posting.id}`;
  return {
    id: posting.id,
    url: own,
    page_url: pageOf({ board, posting }, own),
    title: posting.title,
    description: posting.description,
    location: posting.location,
    department: posting.department,
    employment_type: posting.employment_type,
    reference: posting.reference,
    opening_date: posting.opening_date,
    closing_date: posting.closing_date,
    form_url: `${own}/form`,
  };
}

/** Returns the representation of a single posting, with its JSON-LD. */
export const item = (found: BoardPosting, url: string): object => ({
  ...listed(found, url),
  json_ld: jobPosting(found, `${url}/postings/${found.posting.id}`),
});

/**
 * Chooses the language of an answer and sets its headers.
 * @throws {Problem} 406 when the client accepts none of the languages
 */
export function setLanguage(request: FastifyRequest, reply: FastifyReply): RequestSettings['language'] {
  const language = negotiateLanguage(request.headers['accept-language'], request.presetLanguage ?? '');
  void reply.header('content-language', language);
  return language;
}
