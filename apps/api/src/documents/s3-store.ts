import { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  type ListObjectsV2CommandOutput,
  NoSuchKey,
  paginateListObjectsV2,
  S3Client,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { type OnModuleDestroy } from '@nestjs/common';
import { type Environment } from '../config/env.js';
import { type ByteRange, DocumentStore, isKey, type StoredBytes, StoreError } from './document-store.js';

const CONNECTION_TIMEOUT_MS = 5_000;
/** Maximum time in ms without any byte from the S3 service. */
const SILENCE_TIMEOUT_MS = 30_000;
/**
 * Maximum number of connections. It is high, because a download keeps its connection until the client has all bytes.
 */
const MAX_CONNECTIONS = 500;
/** Number of parts of a file that are in memory at the same time. A part has 5 MiB, the minimum of S3. */
const PARTS_IN_MEMORY = 1;

type Settings = Pick<
  Environment,
  | 'DOCUMENTS_S3_ENDPOINT'
  | 'DOCUMENTS_S3_BUCKET'
  | 'DOCUMENTS_S3_REGION'
  | 'DOCUMENTS_S3_KEY_ID'
  | 'DOCUMENTS_S3_SECRET'
  | 'DOCUMENTS_S3_PATH_STYLE'
>;

/**
 * Keeps each document as an object of a bucket, in any service with the protocol of Amazon S3. The name of the object
 * is the key. An object appears only after the service has all its bytes. Source: docs/adr/0042-documents-in-s3.md.
 */
export class S3Store extends DocumentStore implements OnModuleDestroy {
  readonly #client: S3Client;
  readonly #bucket: string;

  constructor(settings: Settings) {
    super();
    this.#bucket = settings.DOCUMENTS_S3_BUCKET ?? '';
    const { DOCUMENTS_S3_ENDPOINT: endpoint, DOCUMENTS_S3_KEY_ID: keyId, DOCUMENTS_S3_SECRET: secret } = settings;
    this.#client = new S3Client({
      region: settings.DOCUMENTS_S3_REGION,
      forcePathStyle: settings.DOCUMENTS_S3_PATH_STYLE,
      ...(endpoint && { endpoint }),
      ...(keyId && secret && { credentials: { accessKeyId: keyId, secretAccessKey: secret } }),
      // Sends no checksums of the newer kind, because many S3 services do not know them. The row of the document has a
      // hash of the bytes.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: {
        connectionTimeout: CONNECTION_TIMEOUT_MS,
        socketTimeout: SILENCE_TIMEOUT_MS,
        httpAgent: { maxSockets: MAX_CONNECTIONS },
        httpsAgent: { maxSockets: MAX_CONNECTIONS },
      },
    });
  }

  onModuleDestroy(): void {
    this.#client.destroy();
  }

  async write(key: string, content: AsyncIterable<Buffer>): Promise<void> {
    const source: { error?: Error } = {};
    const body = Readable.from(
      passedOn(content, (error) => void (source.error = error as Error)),
      { objectMode: false },
    );
    try {
      const params = { Bucket: this.#bucket, Key: key, Body: body };
      // When the upload fails, the AWS package deletes the parts that the S3 service has already received.
      await new Upload({ client: this.#client, queueSize: PARTS_IN_MEMORY, params }).done();
    } catch (error) {
      body.destroy();
      await this.delete(key).catch(() => undefined);
      throw source.error ?? new StoreError(error);
    }
  }

  async read(key: string, range?: ByteRange): Promise<Readable | null> {
    try {
      const { Body } = await this.#client.send(
        new GetObjectCommand({
          Bucket: this.#bucket,
          Key: key,
          ...(range && { Range: `bytes=${range.start}-${range.end}` }),
        }),
      );
      return Body as Readable;
    } catch (error) {
      if (error instanceof NoSuchKey) return null;
      throw new StoreError(error);
    }
  }

  async delete(key: string): Promise<void> {
    await this.#client.send(new DeleteObjectCommand({ Bucket: this.#bucket, Key: key })).catch((error: unknown) => {
      throw new StoreError(error);
    });
  }

  async *list(): AsyncIterable<StoredBytes> {
    const pages: AsyncIterable<ListObjectsV2CommandOutput> = paginateListObjectsV2(
      { client: this.#client },
      { Bucket: this.#bucket },
    );
    for await (const { Contents = [] } of pages)
      for (const { Key: key, LastModified: changedAt } of Contents)
        if (key !== undefined && changedAt && isKey(key)) yield { key, changedAt };
  }

  /**
   * Aborts old multipart uploads. Some services cannot list them. There, a rule of the bucket must delete incomplete
   * uploads.
   */
  async deleteCutWrites(before: Date): Promise<void> {
    const Bucket = this.#bucket;
    let page: ListMultipartUploadsCommandOutput | undefined;
    do {
      const marks = page && { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker };
      page = await this.#client
        .send(new ListMultipartUploadsCommand({ Bucket, ...marks }))
        .catch(unless('NotImplemented'));
      for (const { Key = '', UploadId, Initiated } of page?.Uploads ?? [])
        if (isKey(Key) && Initiated && Initiated < before)
          await this.#client
            .send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }))
            .catch(unless('NoSuchUpload'));
    } while (page?.IsTruncated && page.NextKeyMarker);
  }
}

/** Returns a handler that ignores errors with the given name, and throws every other error as a `StoreError`. */
const unless =
  (name: string) =>
  (error: unknown): undefined => {
    if ((error as { readonly name?: unknown }).name !== name) throw new StoreError(error);
  };

/**
 * Passes on the bytes. Reports an error of their source, so that it is not taken for an error of the store. The client
 * of S3 collects chunks, so it gets copies.
 */
async function* passedOn(content: AsyncIterable<Buffer>, report: (error: unknown) => void): AsyncIterable<Buffer> {
  try {
    for await (const chunk of content) yield Buffer.from(chunk);
  } catch (error) {
    report(error);
    throw error;
  }
}
