import { type Readable } from 'node:stream';

/** The first and the last byte of a part of a document, counted from 0. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** The bytes that are stored under a key. */
export interface StoredBytes {
  readonly key: string;
  /** Time when the bytes were last changed. */
  readonly changedAt: Date;
}

const KEY = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** True for a UUID. A store may contain other files or objects, which it ignores. */
export const isKey = (name: string): boolean => KEY.test(name);

/** The store is full or unavailable. `cause` is the error of the system. */
export class StoreError extends Error {
  constructor(override readonly cause: unknown) {
    super('the document store is not available');
  }
}

/**
 * Keeps the bytes of documents under keys that are UUIDs. Bytes never change: a key is written once.
 * Sources: docs/adr/0029-documents-in-a-folder.md,
 * docs/adr/0042-documents-in-s3.md.
 */
export abstract class DocumentStore {
  /**
   * Writes bytes. When the promise is fulfilled, the bytes survive a crash. When it is rejected, no bytes are left.
   * @param content  each of its chunks is valid until the next one is read
   * @throws {StoreError} for errors of the store; errors of `content` are passed on
   */
  abstract write(key: string, content: AsyncIterable<Buffer>): Promise<void>;
  /**
   * Opens the bytes of a document, or a part of them. Null when the key has no bytes.
   * @throws {StoreError} for errors of the store
   */
  abstract read(key: string, range?: ByteRange): Promise<Readable | null>;
  /** Deletes the bytes of a key. A key without bytes is no error. @throws {StoreError} for errors of the store */
  abstract delete(key: string): Promise<void>;
  /** Lists all keys, in no particular order. */
  abstract list(): AsyncIterable<StoredBytes>;
  /** Deletes the remains of writes that a crash ended before a time, except remains that `list` also returns. */
  abstract deleteCutWrites(before: Date): Promise<void>;
}
