// @group sample: npm test runs a quarter of its tests
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type DocumentStore, StoreError } from '../../src/documents/document-store.js';
import { FolderStore } from '../../src/documents/folder-store.js';
import { S3Store } from '../../src/documents/s3-store.js';
import { S3Server } from './s3-server.js';

const PART_BYTES = 5 * 1024 * 1024;
let server: S3Server;
let folder: string;

beforeAll(async () => {
  server = await S3Server.start();
  folder = await mkdtemp(join(tmpdir(), 'ats-store-'));
}, 60_000);
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

async function* chunksOf(bytes: Buffer, size = 64 * 1024): AsyncIterable<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield await Promise.resolve(bytes.subarray(at, at + size));
}

/** A content that writes each chunk into the memory of the chunk before. */
async function* reusing(bytes: Buffer, size = 64 * 1024): AsyncIterable<Buffer> {
  const memory = Buffer.alloc(size);
  for (let at = 0; at < bytes.length; at += size)
    yield await Promise.resolve(memory.subarray(0, bytes.copy(memory, 0, at, at + size)));
  memory.fill(0);
}

/** A content whose source fails after the given bytes. */
async function* broken(bytes: Buffer, error: Error): AsyncIterable<Buffer> {
  yield* chunksOf(bytes);
  throw error;
}

const readAll = async (store: DocumentStore, ...call: Parameters<DocumentStore['read']>): Promise<Buffer | null> => {
  const content = await store.read(...call);
  return content && buffer(content);
};

async function keysOf(store: DocumentStore): Promise<readonly string[]> {
  const keys: string[] = [];
  for await (const { key } of store.list()) keys.push(key);
  return keys;
}

describe.each([
  { name: 'a folder', make: (): DocumentStore => new FolderStore(folder) },
  { name: 'a bucket of S3', make: (): DocumentStore => new S3Store(server.settings) },
])('the document store in $name', ({ make }) => {
  let store: DocumentStore;
  beforeAll(() => {
    store = make();
  });

  test.each([0, 1, PART_BYTES - 1, PART_BYTES, 2 * PART_BYTES + 1])('returns %d bytes as they were', async (size) => {
    const [key, bytes] = [randomUUID(), randomBytes(size)];
    await store.write(key, chunksOf(bytes));
    expect((await readAll(store, key))?.equals(bytes)).toBe(true);
  });

  test('needs a chunk only until the next one is read', async () => {
    const [key, bytes] = [randomUUID(), randomBytes(PART_BYTES + 100_001)];
    await store.write(key, reusing(bytes));
    expect((await readAll(store, key))?.equals(bytes)).toBe(true);
  });

  test('reads a part, with its first and its last byte', async () => {
    const [key, bytes] = [randomUUID(), randomBytes(100)];
    await store.write(key, chunksOf(bytes));
    expect(await readAll(store, key, { start: 10, end: 19 })).toEqual(bytes.subarray(10, 20));
    expect(await readAll(store, key, { start: 99, end: 99 })).toEqual(bytes.subarray(99));
  });

  test('returns null for a key without bytes', async () => {
    expect(await store.read(randomUUID())).toBeNull();
    expect(await store.read(randomUUID(), { start: 0, end: 1 })).toBeNull();
  });

  test('deletes bytes, and accepts a key that has none', async () => {
    const key = randomUUID();
    await store.write(key, chunksOf(Buffer.from('text')));
    await store.delete(key);
    await store.delete(key);
    expect(await store.read(key)).toBeNull();
    expect(await keysOf(store)).not.toContain(key);
  });

  test('lists all keys with the time of the change', async () => {
    const keys = Array.from({ length: 25 }, () => randomUUID());
    const before = Date.now();
    for (const key of keys) await store.write(key, chunksOf(Buffer.from(key)));
    const listed = new Map<string, Date>();
    for await (const { key, changedAt } of store.list()) listed.set(key, changedAt);
    for (const key of keys) {
      // The stores round the time to seconds, so the test allows a difference.
      expect(listed.get(key)?.getTime()).toBeGreaterThan(before - 2_000);
      expect(listed.get(key)?.getTime()).toBeLessThan(Date.now() + 2_000);
    }
  });

  test.each([10, PART_BYTES * 2])(
    'fails with the error of its input after %d bytes, and keeps no bytes',
    async (size) => {
      const [key, error] = [randomUUID(), new Error('the client went away')];
      await expect(store.write(key, broken(randomBytes(size), error))).rejects.toBe(error);
      expect(await store.read(key)).toBeNull();
      expect(await keysOf(store)).not.toContain(key);
    },
  );

  test('writes and reads many documents at once', async () => {
    const items = Array.from({ length: 20 }, () => ({ key: randomUUID(), bytes: randomBytes(300_000) }));
    await Promise.all(items.map(({ key, bytes }) => store.write(key, chunksOf(bytes))));
    const read = await Promise.all(items.map(({ key }) => readAll(store, key)));
    expect(read.map((bytes, index) => items[index]?.bytes.equals(bytes ?? Buffer.of()))).not.toContain(false);
  });
});

/**
 * Makes a page of the list of multipart uploads, as an S3 service answers it. The S3 server of the other tests lacks
 * this list.
 */
const pageOf = (entries: readonly string[], next = ''): string =>
  `<ListMultipartUploadsResult>${entries.join('')}${
    next &&
    `<IsTruncated>true</IsTruncated><NextKeyMarker>${next}</NextKeyMarker><NextUploadIdMarker>u</NextUploadIdMarker>`
  }</ListMultipartUploadsResult>`;
const entryOf = (key: string, hour: number): string =>
  `<Upload><Key>${key}</Key><UploadId>u</UploadId><Initiated>2026-01-01T0${hour}:00:00.000Z</Initiated></Upload>`;

describe('uploads to a bucket of S3 that a crash has interrupted', () => {
  const [old, late, older] = [randomUUID(), randomUUID(), randomUUID()];
  const deleted: string[] = [];
  let isKnown = true;
  let store: S3Store;
  const service = createServer(({ method, url = '' }, response) => {
    const { pathname, searchParams } = new URL(url, 'http://localhost');
    if (method === 'DELETE') {
      deleted.push(pathname.slice(pathname.lastIndexOf('/') + 1));
      response.statusCode = 204;
      return void response.end();
    }
    response.statusCode = isKnown ? 200 : 501;
    if (!isKnown) return void response.end('<Error><Code>NotImplemented</Code></Error>');
    const isSecond = searchParams.get('key-marker') === old;
    response.end(
      isSecond ? pageOf([entryOf(older, 1)]) : pageOf([entryOf(old, 1), entryOf(late, 3), entryOf('other', 1)], old),
    );
  });
  beforeAll(async () => {
    await once(service.listen(0, '127.0.0.1'), 'listening');
    const { port } = service.address() as AddressInfo;
    store = new S3Store({ ...server.settings, DOCUMENTS_S3_ENDPOINT: `http://127.0.0.1:${port}` });
  });
  afterAll(() => {
    store.onModuleDestroy();
    service.closeAllConnections();
    service.close();
  });

  test('are aborted when they are old, and others are kept', async () => {
    await store.deleteCutWrites(new Date('2026-01-01T02:00:00Z'));
    expect(deleted).toEqual([old, older]);
  });

  test('are kept when the service cannot list them', async () => {
    isKnown = false;
    await store.deleteCutWrites(new Date());
    expect(deleted).toEqual([old, older]);
  });
});

describe.each([
  { name: 'a folder', make: async (): Promise<DocumentStore> => new FolderStore(await fileInPlaceOfFolder()) },
  {
    name: 'a bucket of S3',
    make: (): Promise<DocumentStore> =>
      Promise.resolve(new S3Store({ ...server.settings, DOCUMENTS_S3_ENDPOINT: 'http://127.0.0.1:1' })),
  },
])('the document store in $name while it is unavailable', ({ make }) => {
  let store: DocumentStore;
  beforeAll(async () => {
    store = await make();
  });

  test('reports an error of the store, not of the client', async () => {
    const key = randomUUID();
    await expect(store.write(key, chunksOf(Buffer.from('text')))).rejects.toThrow(StoreError);
    await expect(store.read(key)).rejects.toThrow(StoreError);
    await expect(store.delete(key)).rejects.toThrow(StoreError);
  });
});

async function fileInPlaceOfFolder(): Promise<string> {
  const file = join(folder, 'file');
  await writeFile(file, '');
  return file;
}
