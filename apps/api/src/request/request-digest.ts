import { createHash } from 'node:crypto';
import { type FastifyRequest } from 'fastify';

/** JSON text between two values, such as a comma or a closing bracket. */
class Mark {
  constructor(readonly text: string) {}
}

/** The number of characters that are hashed in one call. A call costs as much as hashing a thousand characters. */
const CHUNK = 64 * 1024;

/**
 * Returns the digest of the method, the path and the body, by which a repeated request is recognised. The order of
 * properties and blanks in the body do not change the digest. The function uses no recursion, because a client chooses
 * the depth of the body.
 * @param scopes  the scopes of the request's access token; absent without an access token
 */
export function digestOf(
  { method, url, body }: Pick<FastifyRequest, 'method' | 'url' | 'body'>,
  scopes?: ReadonlySet<string>,
): Buffer {
  const hash = createHash('sha256');
  let text = `${JSON.stringify([method, url, ...(scopes ? [[...scopes].sort()] : [])])}\n`;
  if (Buffer.isBuffer(body)) return hash.update(text).update(body).digest();
  const pending: unknown[] = [body ?? null];
  while (pending.length > 0) {
    const value = pending.pop();
    if (value instanceof Mark) text += value.text;
    else if (typeof value === 'object' && value !== null) text += open(value, pending);
    else text += `${JSON.stringify(value)},`;
    if (text.length < CHUNK) continue;
    hash.update(text);
    text = '';
  }
  return hash.update(text).digest();
}

const END_OF_LIST = new Mark(']');
const END_OF_OBJECT = new Mark('}');

/** Adds the parts of a list or an object to the stack, last part first. @returns the opening bracket */
function open(value: object, pending: unknown[]): string {
  if (Array.isArray(value)) {
    pending.push(END_OF_LIST);
    for (let index = value.length - 1; index >= 0; index--) pending.push(value[index]);
    return '[';
  }
  pending.push(END_OF_OBJECT);
  const names = Object.keys(value).sort().reverse();
  for (const name of names) pending.push((value as Readonly<Record<string, unknown>>)[name], name);
  return '{';
}

/**
 * Returns the digest as former releases made it, which compared the text of the body. It recognises requests whose
 * first answer comes from such a release. Answers are kept for 24 hours.
 */
export function formerDigestOf({ method, url, body }: Pick<FastifyRequest, 'method' | 'url' | 'body'>): Buffer | null {
  try {
    return createHash('sha256')
      .update(JSON.stringify([method, url, body ?? null]))
      .digest();
  } catch {
    // Former releases could make no digest of a body that is nested too deeply for `JSON.stringify`. They stored no
    // answer to such a request.
    return null;
  }
}
