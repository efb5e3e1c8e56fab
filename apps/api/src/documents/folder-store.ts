import { type Dirent } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Readable } from 'node:stream';
import { BlockWriter } from './block-writer.js';
import { type ByteRange, DocumentStore, isKey, type StoredBytes, StoreError } from './document-store.js';

/** The subfolder for files that are being written. */
const INCOMING = 'incoming';
/** Number of bytes that are read at once. */
const READ_BYTES = 256 * 1024;

/**
 * Keeps each document in a file `<folder>/<first two characters of the key>/<key>`. A file gets this name only after
 * all its bytes are on the disk, so that no reader sees a part of it.
 */
export class FolderStore extends DocumentStore {
  constructor(private readonly folder: string) {
    super();
  }

  async write(key: string, content: AsyncIterable<Buffer>): Promise<void> {
    const incoming = join(this.folder, INCOMING);
    const temporary = join(incoming, key);
    const folder = this.#folderOf(key);
    await stored(mkdir(incoming, { recursive: true }));
    await stored(mkdir(folder, { recursive: true }));
    try {
      const file = await stored(open(temporary, 'wx', 0o600));
      const writer = new BlockWriter(file);
      try {
        for await (const chunk of content) await stored(writer.add(chunk));
        await stored(writer.end());
      } finally {
        await writer.close();
        await file.close();
      }
      await stored(rename(temporary, join(folder, key)));
      await stored(syncFolder(folder));
    } catch (error) {
      await this.delete(key).catch(() => undefined);
      throw error;
    }
  }

  async read(key: string, range?: ByteRange): Promise<Readable | null> {
    const file = await stored(open(join(this.#folderOf(key), key), 'r').catch(ifMissing(null)));
    return file && file.createReadStream({ ...range, highWaterMark: READ_BYTES });
  }

  async delete(key: string): Promise<void> {
    await stored(rm(join(this.#folderOf(key), key), { force: true }));
    await stored(rm(join(this.folder, INCOMING, key), { force: true }));
  }

  async *list(): AsyncIterable<StoredBytes> {
    for (const { name } of await entriesOf(this.folder)) {
      const folder = join(this.folder, name);
      for (const entry of await entriesOf(folder)) {
        const key = entry.name;
        const found = isKey(key) ? await stat(join(folder, key)).catch(ifMissing(null)) : null;
        if (found?.isFile()) yield { key, changedAt: found.mtime };
      }
    }
  }

  /** Does nothing, because `list` returns the remains of writes, too. */
  async deleteCutWrites(): Promise<void> {}

  #folderOf(key: string): string {
    if (!isKey(key)) throw new Error('expected a UUID as the storage key of a document');
    return join(this.folder, key.slice(0, 2));
  }
}

/** Reports the error of a file system call as a `StoreError`. */
const stored = <T>(call: Promise<T>): Promise<T> =>
  call.catch((error: unknown) => {
    throw new StoreError(error);
  });

/** Makes sure that the new name of a file survives a crash. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const entriesOf = (folder: string): Promise<readonly Dirent[]> =>
  readdir(folder, { withFileTypes: true }).catch(ifMissing<readonly Dirent[]>([], ['ENOENT', 'ENOTDIR']));

/** Returns `value` when a file or folder does not exist. Passes on all other errors. */
const ifMissing =
  <T>(value: T, codes: readonly string[] = ['ENOENT']) =>
  (error: NodeJS.ErrnoException): T => {
    if (!codes.includes(error.code ?? '')) throw error;
    return value;
  };
