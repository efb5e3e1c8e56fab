import { randomBytes } from 'node:crypto';
import { type FileHandle } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { BlockWriter } from './block-writer.js';

const BLOCK = 256 * 1024;
const MIB = 1024 * 1024;

/**
 * Makes a file that writes at most `most` bytes at once and has room for `room` bytes. The flush with the number
 * `badFlush` fails.
 */
function fileOf({ most = Infinity, room = Infinity, badFlush = 0 } = {}) {
  let flushes = 0;
  let written = 0;
  let flushed = 0;
  const datasync = async (): Promise<void> => {
    const reached = written;
    await new Promise(setImmediate);
    if (++flushes === badFlush) throw new Error('broken disk');
    flushed = reached;
  };
  const parts: Buffer[] = [];
  let left = room;
  const write = async (bytes: Buffer, offset = 0): Promise<{ readonly bytesWritten: number }> => {
    await new Promise(setImmediate);
    const part = Buffer.from(bytes.subarray(offset, offset + most));
    left -= part.length;
    if (left < 0) throw new Error('no space left');
    parts.push(part);
    written += part.length;
    return { bytesWritten: part.length };
  };
  return {
    handle: { write, datasync } as unknown as FileHandle,
    content: () => Buffer.concat(parts),
    flushes: () => flushes,
    flushed: () => flushed,
  };
}

test.each([
  [0, 1],
  [1, 1],
  [BLOCK, BLOCK],
  [BLOCK + 1, 1_000],
  [3 * BLOCK - 1, 64 * 1024],
  [5 * BLOCK + 7, 2 * BLOCK + 3],
])('BlockWriter writes %d bytes in chunks of %d as they were', async (size, length) => {
  const bytes = randomBytes(size);
  const { handle, content, flushed } = fileOf({ most: 100_000 });
  const writer = new BlockWriter(handle);
  const chunk = Buffer.alloc(length);
  for (let at = 0; at < size; at += length) {
    await writer.add(chunk.subarray(0, bytes.copy(chunk, 0, at, at + length)));
    chunk.fill(0);
  }
  await writer.end();
  await writer.close();
  expect(content().equals(bytes)).toBe(true);
  expect(flushed()).toBe(size);
});

test('BlockWriter flushes every 8 MiB while more bytes arrive, and at the end', async () => {
  const { handle, flushes, flushed } = fileOf();
  const writer = new BlockWriter(handle);
  for (let count = 0; count < 20; count++) await writer.add(Buffer.alloc(MIB));
  expect(flushes()).toBeGreaterThan(0);
  await writer.end();
  await writer.close();
  expect([flushes(), flushed()]).toEqual([3, 20 * MIB]);
});

test.each([1, 2, 3])('BlockWriter passes on the error of flush %d of 3', async (badFlush) => {
  const writer = new BlockWriter(fileOf({ badFlush }).handle);
  for (let count = 0; count < 20; count++) await writer.add(Buffer.alloc(MIB));
  await expect(writer.end()).rejects.toThrow('broken disk');
  await writer.close();
});

test.each([0, BLOCK, 3 * BLOCK])('BlockWriter passes on the error of a write after %d bytes', async (room) => {
  const writer = new BlockWriter(fileOf({ room }).handle);
  const write = async (): Promise<void> => {
    for (let count = 0; count < 3; count++) await writer.add(Buffer.alloc(BLOCK, 'x'));
    await writer.add(Buffer.alloc(1));
    await writer.end();
  };
  await expect(write()).rejects.toThrow('no space left');
  await writer.close();
});
