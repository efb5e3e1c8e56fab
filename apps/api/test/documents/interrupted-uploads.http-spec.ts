// @group split: npm test uploads to a folder, and npm run test:all uploads to a bucket of S3
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Api } from '../support/api-harness.js';
import { eventually } from '../support/eventually.js';
import { expectStatus } from '../support/factories.js';
import { isLong } from '../support/long-part.js';
import { useApi } from '../support/use-api.js';
import { S3Server } from './s3-server.js';
import { download, tusOf } from '../support/tus.js';

const COLLECTION = '/api/v1/documents/uploads';
/** A content that needs more than two parts of an upload to S3. */
const BYTES = randomBytes(11_000_000);
const { api } = useApi();
let server: S3Server | undefined;
type Store = readonly [name: string, settings: () => NonNullable<Parameters<typeof Api.start>[0]>];
beforeAll(async () => {
  if (isLong) server = await S3Server.start();
}, 60_000);
afterAll(() => server?.stop());

const FOLDER: Store = ['a folder', () => ({})];
const BUCKET: Store = ['a bucket of S3', () => ({ DOCUMENTS_STORE: 's3', ...server?.settings })];

describe.each([isLong ? BUCKET : FOLDER])('resumable uploads to %s, served by two processes', (_, settings) => {
  let one: Api;
  let two: Api;
  let port: number;
  const [toOne, toTwo] = [tusOf(() => one, COLLECTION), tusOf(() => two, COLLECTION)];

  beforeAll(async () => {
    const all = { DOCUMENT_MAX_BYTES: BYTES.length, ...settings() };
    [one, two] = [await api.beside(all), await api.beside(all)];
    port = await one.listen();
  }, 60_000);
  afterAll(() => Promise.all([one.app.close(), two.app.close()]));

  /** Begins a PATCH with all bytes from `offset` on, and sends only the bytes before `end`. */
  async function beginPatch(path: string, offset: number, end: number): Promise<Socket> {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    await once(socket, 'connect');
    const head = [
      `PATCH ${path} HTTP/1.1`,
      'Host: localhost',
      `Authorization: Bearer ${api.adminToken}`,
      'Tus-Resumable: 1.0.0',
      'Content-Type: application/offset+octet-stream',
      `Upload-Offset: ${offset}`,
      `Content-Length: ${BYTES.length - offset}`,
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
    await new Promise((resolve) => socket.write(BYTES.subarray(offset, end), resolve));
    return socket;
  }

  const offsetOf = async (path: string): Promise<number> =>
    Number(expectStatus(200, await toTwo.head(path)).headers['upload-offset']);

  const isLocked = async (path: string): Promise<boolean> => {
    const rows = await api.database.query('SELECT FROM document_uploads WHERE uuid = $1 AND lock_key IS NOT NULL', [
      path.split('/').at(-1),
    ]);
    return rows.length > 0;
  };

  async function expectWhole(path: string): Promise<void> {
    const offset = await offsetOf(path);
    const last = expectStatus(204, await toTwo.patch(path, offset, BYTES.subarray(offset)));
    const whole = await download(two, last.headers['upload-document']);
    const hash = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
    expect(hash(whole)).toBe(hash(BYTES));
  }

  test('continue in another process', async () => {
    const path = await toOne.begin(BYTES.length);
    expectStatus(204, await toOne.patch(path, 0, BYTES.subarray(0, 7_000_001)));
    expect(await offsetOf(path)).toBe(7_000_001);
    await expectWhole(path);
  });

  test('keep the bytes that arrived before the connection was cut', async () => {
    const path = await toOne.begin(BYTES.length);
    const socket = await beginPatch(path, 0, 1_000_000);
    socket.end();
    await once(socket.resume(), 'close');
    await eventually(async () => expect(await isLocked(path)).toBe(false));
    const offset = await offsetOf(path);
    // When the connection breaks, Node discards the bytes in its buffers, so up to 256 KiB may be missing.
    expect(offset).toBeGreaterThan(1_000_000 - 4 * 64 * 1024);
    expect(offset).toBeLessThanOrEqual(1_000_000);
    await expectWhole(path);
  });

  test('refuse a second PATCH with 423 while the first one runs, and never mix their bytes', async () => {
    const path = await toOne.begin(BYTES.length);
    const socket = await beginPatch(path, 0, 100_000);
    await eventually(async () => expect(await isLocked(path)).toBe(true));
    const second = await toTwo.patch(path, 0, Buffer.alloc(BYTES.length));
    expect([second.status, second.item['message']]).toEqual([423, expect.any(String)]);
    socket.write(BYTES.subarray(100_000));
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1.1 204 /);
    socket.destroy();
    const { headers } = expectStatus(200, await toTwo.head(path));
    expect((await download(two, headers['upload-document'])).equals(BYTES)).toBe(true);
  });

  test('end a hanging PATCH and take its lock when the client asks for the offset', async () => {
    const path = await toOne.begin(BYTES.length);
    const socket = await beginPatch(path, 0, 6_000_000);
    await eventually(async () => expect(await isLocked(path)).toBe(true));
    const offset = await offsetOf(path);
    const finishing = expectWhole(path);
    // Sends the rest of the first request only after the upload is complete. The API refuses it.
    await finishing;
    socket.write(Buffer.alloc(BYTES.length - 6_000_000));
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1.1 423 /);
    socket.destroy();
    expect(offset).toBeLessThanOrEqual(6_000_000);
    const { headers } = expectStatus(200, await toTwo.head(path));
    expect((await download(two, headers['upload-document'])).equals(BYTES)).toBe(true);
  });
});
