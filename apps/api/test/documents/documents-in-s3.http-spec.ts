// @group sample: npm test runs a quarter of its tests
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { DocumentStore } from '../../src/documents/document-store.js';
import { DocumentSweeper } from '../../src/documents/document-sweeper.js';
import { type Answer, type Item } from '../support/answer.js';
import { type Api, BASE_URL } from '../support/api-harness.js';
import { expectStatus } from '../support/factories.js';
import { useApi } from '../support/use-api.js';
import { S3Server } from './s3-server.js';

/** A content that needs more than two parts of an upload to S3. */
const BYTES = randomBytes(11_000_000);
const { api } = useApi();
let server: S3Server;
let beside: Api;

beforeAll(async () => {
  server = await S3Server.start();
  beside = await api.beside({ DOCUMENTS_STORE: 's3', DOCUMENT_MAX_BYTES: BYTES.length, ...server.settings });
}, 60_000);
afterAll(async () => {
  await beside.app.close();
  await server.stop();
});

const upload = (payload: Buffer): Promise<Answer> =>
  beside.request('POST', '/api/v1/documents?kind=cv&name=cv.pdf', {
    payload,
    headers: { 'content-type': 'application/pdf' },
  });

const linkOf = async ({ id }: Item): Promise<string> =>
  String(expectStatus(200, await beside.get(`/documents/${id}/link`)).item.url).slice(BASE_URL.length);

const download = async (link: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> =>
  beside.request('GET', link, { token: null, headers });

async function countObjects(): Promise<number> {
  let count = 0;
  for await (const { key } of beside.app.get(DocumentStore).list()) count += key ? 1 : 0;
  return count;
}

test('a document in S3 is uploaded, downloaded whole and in part, and deleted', async () => {
  const { item } = expectStatus(201, await upload(BYTES));
  expect(item['size']).toBe(BYTES.length);
  const link = await linkOf(item);
  expect((await download(link)).headers['content-length']).toBe(String(BYTES.length));
  const part = expectStatus(206, await download(link, { range: 'bytes=10485750-10485769' }));
  expect(part.headers['content-range']).toBe(`bytes 10485750-10485769/${BYTES.length}`);
  expect(await countObjects()).toBe(1);
  expectStatus(204, await beside.delete(`/documents/${item.id}`));
  await beside.app.get(DocumentSweeper).sweep();
  expect(await countObjects()).toBe(0);
});

test('an upload with too many bytes leaves no bytes in S3', async () => {
  expect((await upload(Buffer.concat([BYTES, Buffer.of(0)]))).status).toBe(413);
  expect(await countObjects()).toBe(0);
});

test('the API answers 503 for documents while S3 is unavailable, and serves everything else', async () => {
  const { item } = expectStatus(201, await upload(Buffer.from('text')));
  const link = await linkOf(item);
  await server.stop();
  expect((await upload(Buffer.from('text'))).status).toBe(503);
  expect((await download(link)).status).toBe(503);
  expect((await beside.get(`/documents/${item.id}`)).status).toBe(200);
  expect(beside.log.join('')).toMatch(/the bytes of a document could not be written to the document store: \w+/);
  expect(beside.log.join('')).toMatch(/the bytes of document \d+ could not be read from the document store: \w+/);
});
