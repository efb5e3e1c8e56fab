import { type IncomingMessage } from 'node:http';
import { MAX_EXCERPT_BYTES, toExcerpt } from './excerpt.js';

/** A body is read so far, to leave the connection usable for the next request; beyond it the connection is closed. */
const MAX_BODY_BYTES = 64 * 1024;

export interface AnswerBody {
  readonly excerpt: string;
  readonly isTruncated: boolean;
}

/**
 * Reads the beginning of a body, for the log alone: one that is slow, broken or endless changes nothing of the result.
 * It is neither decompressed nor decoded.
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
