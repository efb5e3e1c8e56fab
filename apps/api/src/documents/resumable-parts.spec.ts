import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { ArrivingBody, partsOf } from './resumable-parts.js';

const MIB = 1024 * 1024;

/** Reads all parts. @returns the sizes of the chunks of each part */
async function sizesOf(content: AsyncIterable<Buffer>): Promise<number[][]> {
  const parts: number[][] = [];
  for await (const part of partsOf(content)) {
    const sizes: number[] = [];
    for await (const chunk of part.bytes) sizes.push(chunk.length);
    expect(part.size).toBe(sizes.reduce((sum, size) => sum + size, 0));
    parts.push(sizes);
  }
  return parts;
}

async function* chunks(...sizes: readonly number[]): AsyncIterable<Buffer> {
  for (const size of sizes) yield await Promise.resolve(Buffer.alloc(size));
}

describe('the parts in which an upload is stored', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  test('are a single part for a fast client, and no part is empty', async () => {
    expect(await sizesOf(chunks())).toEqual([]);
    expect(await sizesOf(chunks(1, 2))).toEqual([[1, 2]]);
    expect(await sizesOf(chunks(4 * MIB, MIB, 4 * MIB))).toEqual([[4 * MIB, MIB, 4 * MIB]]);
  });

  test('end after 5 seconds, so that a slow client loses little', async () => {
    async function* slow(): AsyncIterable<Buffer> {
      yield Buffer.alloc(1);
      jest.advanceTimersByTime(4_999);
      yield Buffer.alloc(2);
      await Promise.resolve(jest.advanceTimersByTime(1));
      // Waits for more turns of the event loop than the part needs to end.
      for (let turn = 0; turn < 20; turn++) await Promise.resolve();
      yield Buffer.alloc(3);
    }
    expect(await sizesOf(slow())).toEqual([[1, 2], [3]]);
  });

  test('end with the error of the stream', async () => {
    const error = new Error('too many bytes');
    async function* failing(): AsyncIterable<Buffer> {
      yield await Promise.resolve(Buffer.alloc(1));
      throw error;
    }
    await expect(sizesOf(failing())).rejects.toBe(error);
  });
});

describe('an arriving body', () => {
  test('ends without an error when the connection is cut', async () => {
    async function* cut(): AsyncIterable<Buffer> {
      yield await Promise.resolve(Buffer.alloc(7));
      throw new Error('aborted');
    }
    expect(await sizesOf(new ArrivingBody(cut()).bytes)).toEqual([[7]]);
    expect(await sizesOf(new ArrivingBody(undefined).bytes)).toEqual([]);
  });

  test('discards its bytes when nothing reads them', async () => {
    let read = 0;
    async function* counted(): AsyncIterable<Buffer> {
      for (; read < 5; read++) yield await Promise.resolve(Buffer.alloc(1));
    }
    await new ArrivingBody(counted()).discard();
    expect(read).toBe(5);
  });
});
