import { hash } from 'node:crypto';
import { type StoredAnswer } from '@ats/domain';
import { type FastifyReply } from 'fastify';
import { olderPage } from '../versions/older-answers.js';
import { variantOf } from './request-context.js';

const digest = (text: string): string => hash('sha256', text, 'base64url').slice(0, 27);

/**
 * Returns a strong `ETag`. It changes with the body and with the variant, which is the version and the language.
 * @param own  values that change without a write. They have a separate part of the `ETag`, which `If-Match` ignores
 */
export const entityTag = (body: string, variant: string, own?: string): string =>
  `"${digest(`${variant}\n${body}`)}${own === undefined ? '' : `.${digest(own)}`}"`;

/**
 * Returns the weak form of an `ETag`. All content codings of a file share it. A strong `ETag` must differ between
 * content codings (RFC 9110 8.8.3).
 */
export const weakTag = (tag: string): string => `W/${tag}`;

/** Removes the part of each `ETag` that stands for values that change without a write. */
export const writtenParts = (ifMatch: string): string => ifMatch.replaceAll(/\.[\w-]*"/g, '"');

/** Sends a page of JSON in UTF-8, converted to the version of the request. */
export const sendPage = (reply: FastifyReply, body: Buffer): void =>
  void reply.header('content-type', 'application/json; charset=utf-8').send(olderPage(reply.request, body));

/**
 * Sends an item with its `ETag`. Sends 304 when the client already has the current item. When the reply has no `ETag`
 * yet, it is made from the body.
 */
export function sendItem(reply: FastifyReply, body: string): void {
  const { request } = reply;
  // A replayed answer keeps the language of the first request. Its header `Content-Language` is already set.
  const language = reply.getHeader('content-language')?.toString();
  const tag =
    reply.getHeader('etag')?.toString() ?? entityTag(body, request.context ? variantOf(request.context, language) : '');
  void reply.headers({ etag: tag, 'content-type': 'application/json; charset=utf-8' });
  const known = request.method === 'GET' || request.method === 'HEAD' ? request.headers['if-none-match'] : undefined;
  if (known && matchesTag(known, tag)) void reply.status(304).send();
  else void reply.send(body);
}

/**
 * True when the header `If-None-Match` or `If-Match` (RFC 9110 13.1) matches the tag. The header is `*`, which matches
 * every tag, or a list of tags. A weak tag (`W/"a"`) matches like the strong tag (`"a"`).
 */
export const matchesTag = (header: string, tag: string): boolean =>
  header.trim() === '*' || header.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === tag);

/** Sends the answer to a POST. */
export function sendAnswer(reply: FastifyReply, { status, headers, body }: StoredAnswer): void {
  sendItem(reply.status(status).headers(headers), body);
}

type AnswerParts = Pick<StoredAnswer, 'body' | 'people'>;

/** Returns the answer to a POST that changed something. */
export const done = (parts: AnswerParts): StoredAnswer => ({ status: 200, headers: {}, ...parts });

/** Returns the answer to a POST that created an item. */
export const created = (location: string, parts: AnswerParts): StoredAnswer => ({
  status: 201,
  headers: { location },
  ...parts,
});

/**
 * Returns the answer to a POST whose work continues in the background.
 * @param body  JSON whose `url` is the URL of the background work
 */
export const accepted = (body: string): StoredAnswer => ({
  status: 202,
  headers: { location: (JSON.parse(body) as { readonly url: string }).url },
  body,
});
