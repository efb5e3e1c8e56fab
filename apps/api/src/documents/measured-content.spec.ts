import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { MeasuredContent } from './measured-content.js';

const PDF = Buffer.from('%PDF-1.7\n');

async function* of(chunks: readonly Buffer[]): AsyncIterable<Buffer> {
  for (const chunk of chunks) yield await Promise.resolve(chunk);
}

async function readAll(content: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const chunk of content) parts.push(Buffer.from(chunk));
  return Buffer.concat(parts);
}

/** A chunk whose memory no other buffer uses. */
function own(bytes: Buffer): Buffer {
  const chunk = Buffer.alloc(bytes.length);
  bytes.copy(chunk);
  return chunk;
}

describe('measuring the bytes of a file', () => {
  test('frees the memory of each chunk, and still knows size, hash and type', async () => {
    const bytes = Buffer.concat([PDF, Buffer.alloc(400_000, 'x')]);
    const chunks = [own(bytes.subarray(0, 100_000)), own(bytes.subarray(100_000))];
    const measuring = new MeasuredContent(of(chunks), bytes.length);
    expect((await readAll(measuring.bytes())).equals(bytes)).toBe(true);
    expect(chunks.map(({ buffer }) => buffer.byteLength)).toEqual([0, 0]);
    expect(await measuring.result()).toEqual({
      size: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      media_type: 'application/pdf',
    });
  });

  test('does not free memory that several chunks share', async () => {
    const memory = own(Buffer.concat([PDF, PDF]));
    const measuring = new MeasuredContent(of([memory.subarray(0, PDF.length), memory.subarray(PDF.length)]), 100);
    expect((await readAll(measuring.bytes())).toString()).toBe(`${PDF.toString()}${PDF.toString()}`);
    expect(memory.length).toBe(2 * PDF.length);
  });
});
