import { createHash } from 'node:crypto';
import { type StoredAnswer } from '@ats/domain';
import { type FastifyReply } from 'fastify';
import { variantOf } from './request-context.js';

/** Changes with every byte of the representation, and with its version and language. */
export const entityTag = (body: string, variant: string): string =>
  `"${createHash('sha256').update(`${variant}\n${body}`).digest('base64url').slice(0, 27)}"`;

/**
 * Sends a page. Encoded once: to be asked for its length, a text with a letter beyond ASCII is gone through as a whole. What is to be
 * made one of an older version is encoded after that.
 */
export const sendPage = (reply: FastifyReply, body: string): void =>
  void reply
    .header('content-type', 'application/json; charset=utf-8')
    .send(reply.request.adaptation ? body : Buffer.from(body));

/** Sends an item with its `ETag`, or 304 when the client has it already. */
export function sendItem(reply: FastifyReply, body: string): void {
  const { request } = reply;
  // The answer to a repeated request is in the language of the first one.
  const language = reply.getHeader('content-language')?.toString();
  const tag = entityTag(body, request.context ? variantOf(request.context, language) : '');
  void reply.headers({ etag: tag, 'content-type': 'application/json; charset=utf-8' });
  const known = request.method === 'GET' || request.method === 'HEAD' ? request.headers['if-none-match'] : undefined;
  if (known && matchesTag(known, tag)) void reply.status(304).send();
  else void reply.send(body);
}

/** `If-None-Match` and `If-Match` (RFC 9110 13.1): `*` or a list of tags; weak ones count as the strong one they stand for. */
export const matchesTag = (header: string, tag: string): boolean =>
  header.trim() === '*' || header.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === tag);

/** Sends the answer to a POST. */
export function sendAnswer(reply: FastifyReply, { status, headers, body }: StoredAnswer): void {
  sendItem(reply.status(status).headers(headers), body);
}

type AnswerParts = Pick<StoredAnswer, 'body' | 'people'>;

/** The answer to a POST that changed something. */
export const done = (parts: AnswerParts): StoredAnswer => ({ status: 200, headers: {}, ...parts });

/** The answer to a POST that made an item. */
export const created = (location: string, parts: AnswerParts): StoredAnswer => ({
  status: 201,
  headers: { location },
  ...parts,
});

/** The answer to a POST whose work goes on in the background. @param body  has the address of the work as `url` */
export const accepted = (body: string): StoredAnswer => ({
  status: 202,
  headers: { location: (JSON.parse(body) as { readonly url: string }).url },
  body,
});
