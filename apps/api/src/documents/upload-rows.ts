import { randomUUID } from 'node:crypto';
import { type Readable } from 'node:stream';
import {
  addUploadPart,
  deleteUpload,
  type DocumentUpload,
  findUpload,
  lockUpload,
  unlockUpload,
  UPLOAD_HOURS,
  type UploadOwner,
} from '@ats/domain';
import { message } from '@ats/message';
import { CommitUnknownError, type Database } from '@ats/postgres';
import { DataStore, type Lock, Upload } from '@tus/server';
import { Problem } from '../vocabulary/problem.js';
import { type DocumentStore } from './document-store.js';
import { type Measured, MeasuredContent, tooLarge } from './measured-content.js';
import { type Part, partsOf } from './resumable-parts.js';
import { expiredUpload, noUpload } from './tus-protocol.js';

/**
 * Returns the maximum number of parts of an upload with this many bytes. It prevents clients from filling the store with
 * tiny parts. Parts of a slow
 * client end by time, so large files may have more of them.
 */
const maxPartsOf = (size: number): number => 1_000 + Math.floor(size / (128 * 1024));

const locked = (): Problem => new Problem(423, message`Another request is writing to this upload: try again later`);

/** @throws {Problem} 413 when the upload would have more than `size` bytes */
async function* bounded(content: AsyncIterable<Buffer>, size: number, offset: number): AsyncIterable<Buffer> {
  let left = size - offset;
  for await (const chunk of content) {
    left -= chunk.length;
    if (left < 0) throw tooLarge(size);
    yield chunk;
  }
}

interface UploadRowsOptions {
  readonly database: Database;
  readonly store: DocumentStore;
  readonly owner: UploadOwner;
  /** The bytes of the request. */
  readonly content: AsyncIterable<Buffer>;
  /** False for a request without a body. */
  readonly hasContent: boolean;
  /** Adds the row of a new upload, and locks it unless `lock` is null. */
  readonly add: (upload: Upload, lock: string | null) => Promise<DocumentUpload>;
}

/** The lock of a request that has stored the last bytes of an upload. */
export interface HeldLock {
  readonly key: string;
  /** The measured properties of the file. Undefined when the request did not bring all its bytes in one part. */
  readonly measured: Measured | undefined;
}

/**
 * Connects `@tus/server` with the rows and the bytes of uploads, for one request. For each part, it first stores the
 * bytes under a new key and then the row with this key, so that all processes see the same state, also after a crash.
 * Source: docs/adr/0046-resumable-uploads.md.
 */
export class UploadRows extends DataStore {
  override extensions = ['creation', 'creation-with-upload', 'termination', 'expiration'];
  /** The row of the upload, as it was read last, with the parts of this request. */
  row: DocumentUpload | undefined;
  /**
   * The lock of this request. It stays when the request has stored the last bytes, so that no other request makes the
   * document.
   */
  held: HeldLock | undefined;
  readonly #lock = randomUUID();
  /** True while this request holds the lock of the upload, so that no other request can change the row. */
  #isLocked = false;

  constructor(private readonly options: UploadRowsOptions) {
    super();
  }

  override getExpiration(): number {
    return UPLOAD_HOURS * 60 * 60 * 1_000;
  }

  override async create(upload: Upload): Promise<Upload> {
    this.row = await this.options.add(upload, this.options.hasContent ? this.#lock : null);
    this.#isLocked = true;
    upload.creation_date = this.row.created_dt.toISOString();
    return upload;
  }

  override async getUpload(id: string): Promise<Upload> {
    const { uuid, created_dt, size, metadata, received } = this.#isLocked ? unexpired(this.row) : await this.#find(id);
    return new Upload({
      id: uuid,
      size,
      offset: received,
      metadata: JSON.parse(metadata ?? '{}') as Record<string, string | null>,
      creation_date: created_dt.toISOString(),
    });
  }

  override async remove(id: string): Promise<void> {
    await this.#find(id);
    if (!(await this.options.database.transaction((transaction) => deleteUpload(transaction, id))))
      throw new Problem(409, message`The upload is complete: delete its document instead`);
  }

  /**
   * Stores the bytes of the request.
   * @returns the number of bytes of the upload that are stored now
   */
  override async write(_content: Readable, id: string, offset: number): Promise<number> {
    let stored = offset;
    const size = this.row?.size ?? 0;
    const maxParts = maxPartsOf(size);
    let parts = this.row?.part_keys.length ?? 0;
    let first: MeasuredContent | undefined;
    for await (const part of partsOf(bounded(this.options.content, size, offset))) {
      if (++parts > maxParts)
        throw new Problem(400, message`The upload has more than ${maxParts} parts: send more bytes in each request`);
      // Measures the first part while it is stored, because it often is the whole file.
      if (stored === 0) first = new MeasuredContent(part.bytes, size);
      stored += await this.#store({ part, bytes: stored === 0 && first ? first.bytes() : part.bytes }, id, stored);
    }
    if (stored === size && stored > offset)
      this.held = { key: this.#lock, measured: parts === 1 ? await first?.result() : undefined };
    return stored;
  }

  /** Stores one part. @returns the number of its bytes */
  async #store(
    { part, bytes }: { part: Part; bytes: AsyncIterable<Buffer> },
    uuid: string,
    offset: number,
  ): Promise<number> {
    const { database, store } = this.options;
    const key = randomUUID();
    await store.write(key, bytes);
    const { size } = part;
    try {
      const added = await database.transaction((transaction) =>
        addUploadPart(transaction, { uuid, lock: this.#lock, key, offset, size }),
      );
      if (!added) throw locked();
    } catch (error) {
      // Keeps the bytes when the outcome of the commit is unknown, because the row may name them.
      if (!(error instanceof CommitUnknownError)) await store.delete(key).catch(() => undefined);
      throw error;
    }
    if (this.row) this.row = { ...this.row, received: offset + size, part_keys: [...this.row.part_keys, key] };
    return size;
  }

  /**
   * Makes the lock of a request. A PATCH locks the upload, and is refused while another one writes. HEAD and DELETE end
   * the lock of an earlier request, because their client has given up that request.
   */
  lockFor(method: string, uuid: string): Lock {
    const end = (lock: string | null): Promise<void> =>
      this.options.database.transaction((transaction) => unlockUpload(transaction, uuid, lock));
    return {
      lock: async () => {
        // A POST has no upload yet. `create` locks the upload when it adds the row.
        if (method === 'POST') return;
        if (method === 'PATCH') return this.#lockForWriting(uuid);
        await this.#find(uuid);
        await end(null);
      },
      unlock: async () => {
        if (!this.held && (method === 'PATCH' || this.options.hasContent)) await end(this.#lock);
      },
    };
  }

  async #lockForWriting(uuid: string): Promise<void> {
    const { database, owner } = this.options;
    const found = await database.transaction((transaction) =>
      lockUpload(transaction, { uuid, lock: this.#lock }, owner),
    );
    if (!found) {
      await this.#find(uuid);
      throw locked();
    }
    this.row = found;
    this.#isLocked = true;
  }

  async #find(uuid: string): Promise<DocumentUpload> {
    const { database, owner } = this.options;
    const found = await database.transaction((transaction) => findUpload(transaction, uuid, owner));
    if (!found) throw noUpload();
    this.row = found;
    return unexpired(found);
  }
}

/** @throws {Problem} 410 for an upload that has expired */
function unexpired(row: DocumentUpload | undefined): DocumentUpload {
  if (!row) throw noUpload();
  if (row.metadata === null) throw expiredUpload();
  return row;
}
