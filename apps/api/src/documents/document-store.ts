import { type Readable } from 'node:stream';

/** The first and the last byte of a part of a document, counted from 0. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** The bytes under a key. */
export interface StoredBytes {
  readonly key: string;
  /** Time of the last change. */
  readonly changedAt: Date;
}

/** The store is full or unavailable. `cause` is the error of the system. */
export class StoreError extends Error {
  constructor(override readonly cause: unknown) {
    super('the document store is not available');
  }
}

/**
 * Keeps the bytes of documents under keys that are UUIDs. Bytes never change: a key is written once.
 * Source: docs/adr/0029-documents-in-a-folder.md.
 */
export abstract class DocumentStore {
  /**
   * Writes bytes. When the promise is fulfilled, they survive a crash. When it is rejected, nothing is left.
   * @throws {StoreError} for errors of the store; errors of `content` are passed on
   */
  abstract write(key: string, content: AsyncIterable<Buffer>): Promise<void>;
  /** Opens bytes, or a part of them. Null when the key has none. */
  abstract read(key: string, range?: ByteRange): Promise<Readable | null>;
  /** Deletes bytes. A key without bytes is no error. */
  abstract delete(key: string): Promise<void>;
  /** All keys, in no order. */
  abstract list(): AsyncIterable<StoredBytes>;
}
