// @group sample: npm test runs a quarter of its tests
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import {
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  DeleteBucketCommand,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { S3Store } from '../../src/documents/s3-store.js';
import { S3Server } from './s3-server.js';

const PART_BYTES = 5 * 1024 * 1024;
const HOUR_MS = 60 * 60 * 1_000;

/** An upload that a killed process has begun. */
interface CutUpload {
  readonly key: string;
  readonly uploadId: string;
  readonly initiated: Date;
}

let server: S3Server;
let client: S3Client;
let listing: Server;
let store: S3Store;
let bucket: string;
/** The uploads that the list of multipart uploads names. The S3 server of the tests cannot list uploads itself. */
let cut: CutUpload[] = [];

const listOf = (uploads: readonly CutUpload[]): string =>
  `<ListMultipartUploadsResult>${uploads
    .map(
      ({ key, uploadId, initiated }) =>
        `<Upload><Key>${key}</Key><UploadId>${uploadId}</UploadId><Initiated>${initiated.toISOString()}</Initiated></Upload>`,
    )
    .join('')}</ListMultipartUploadsResult>`;

beforeAll(async () => {
  server = await S3Server.start();
  const { DOCUMENTS_S3_ENDPOINT: endpoint = '', DOCUMENTS_S3_REGION: region } = server.settings;
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  client = new S3Client({ endpoint, region, credentials, forcePathStyle: true });
  // Answers the request for the list of uploads itself, and passes all other requests on to the S3 server.
  listing = createServer((incoming, response) => {
    const { pathname, searchParams } = new URL(incoming.url ?? '', endpoint);
    if (incoming.method === 'GET' && searchParams.has('uploads')) return void response.end(listOf(cut));
    const { method, headers, url } = incoming;
    const outgoing = request(new URL(url ?? pathname, endpoint), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    outgoing.on('error', () => response.destroy());
    incoming.pipe(outgoing);
  });
  await once(listing.listen(0, '127.0.0.1'), 'listening');
}, 60_000);

afterAll(async () => {
  client.destroy();
  listing.closeAllConnections();
  listing.close();
  await server.stop();
});

beforeEach(async () => {
  bucket = `parts-${randomUUID()}`;
  cut = [];
  await client.send(new CreateBucketCommand({ Bucket: bucket }));
  const { port } = listing.address() as AddressInfo;
  const address = `http://127.0.0.1:${port}`;
  store = new S3Store({ ...server.settings, DOCUMENTS_S3_BUCKET: bucket, DOCUMENTS_S3_ENDPOINT: address });
});

afterEach(() => store.onModuleDestroy());

/** Begins an upload of several parts and does not end it, like a process that was killed. */
async function begin(initiated: Date): Promise<void> {
  const target = { Bucket: bucket, Key: randomUUID() };
  const { UploadId: uploadId = '' } = await client.send(new CreateMultipartUploadCommand(target));
  for (const PartNumber of [1, 2])
    await client.send(
      new UploadPartCommand({ ...target, UploadId: uploadId, PartNumber, Body: randomBytes(PART_BYTES) }),
    );
  cut.push({ key: target.Key, uploadId, initiated });
}

/** True when the bucket has an object or an incomplete upload: only then S3 refuses to delete the bucket. */
const hasBytes = (): Promise<boolean> =>
  client.send(new DeleteBucketCommand({ Bucket: bucket })).then(
    () => false,
    (error: Error) => {
      if (error.name !== 'BucketNotEmpty') throw error;
      return true;
    },
  );

async function* broken(chunks: number, error: Error): AsyncIterable<Buffer> {
  for (let count = 0; count < chunks; count++) yield await Promise.resolve(randomBytes(1024 * 1024));
  throw error;
}

describe('a bucket of S3', () => {
  test.each([1, 6, 12])('has no parts of an upload that was cut after %d MiB', async (chunks) => {
    const error = new Error('the client went away');
    await expect(store.write(randomUUID(), broken(chunks, error))).rejects.toBe(error);
    expect(await hasBytes()).toBe(false);
  });

  test('has no parts of a killed process after the sweep', async () => {
    await begin(new Date(Date.now() - 25 * HOUR_MS));
    await begin(new Date(Date.now() - 26 * HOUR_MS));
    expect(await hasBytes()).toBe(true);
    await store.deleteCutWrites(new Date(Date.now() - 24 * HOUR_MS));
    expect(await hasBytes()).toBe(false);
  });

  test('keeps the parts of an upload that may still run', async () => {
    await begin(new Date(Date.now() - 23 * HOUR_MS));
    await store.deleteCutWrites(new Date(Date.now() - 24 * HOUR_MS));
    expect(await hasBytes()).toBe(true);
  });

  test('is swept even when the list names an upload that no longer exists', async () => {
    await begin(new Date(Date.now() - 25 * HOUR_MS));
    cut.push({ key: randomUUID(), uploadId: randomUUID(), initiated: new Date(0) });
    await store.deleteCutWrites(new Date(Date.now() - 24 * HOUR_MS));
    expect(await hasBytes()).toBe(false);
  });
});
