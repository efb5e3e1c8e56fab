import { type IncomingMessage } from 'node:http';
import { MAX_EXCERPT_BYTES, toExcerpt } from './excerpt.js';

/**
 * The longest body that is read to the end. Reading it keeps the connection usable for the next request; a longer body
 * closes the connection.
 */
const MAX_BODY_BYTES = 64 * 1024;

export interface AnswerBody {
  readonly excerpt: string;
  readonly isTruncated: boolean;
}

/**
 * Reads the start of a body for the log of attempts. The body is not decompressed. A slow, broken or endless body does
 * not change the result of the attempt.
 */
export function readBody(response: IncomingMessage, timeoutMs: number): Promise<AnswerBody> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const timer = setTimeout(() => response.destroy(), timeoutMs);
    response.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length - chunk.length < MAX_EXCERPT_BYTES) chunks.push(chunk);
      if (length > MAX_BODY_BYTES) response.destroy();
    });
    response.on('error', () => undefined);
    response.once('close', () => {
      clearTimeout(timer);
      resolve({
        excerpt: toExcerpt(Buffer.concat(chunks)),
        isTruncated: !response.complete || length > MAX_EXCERPT_BYTES,
      });
    });
  });
}
