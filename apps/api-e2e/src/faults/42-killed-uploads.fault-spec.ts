import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { readdir, readFile, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { waitUntil } from '../support/wait-until.js';
import { faultTest, type Report, sized } from './support/fault-test.js';
import { randomBetween } from './support/repeat.js';
import { type Stage } from './support/stage.js';

const CLIENTS = 8;
const CHUNK_BYTES = 64 * 1024;
const MOST_CHUNKS = 24;
/** Pause in ms between two chunks of a client. It makes uploads so long that most kills interrupt an upload. */
const PAUSE_MS = 10;
/** Age in ms above which the sweeper deletes bytes without a row. */
const OLD_MS = 25 * 60 * 60 * 1_000;
const folder = mkdtempSync(join(tmpdir(), 'ats-killed-uploads-'));

interface Row {
  readonly storage_key: string;
  readonly sha256: string;
  readonly uuid: string;
}

async function* slowly(bytes: Buffer): AsyncIterable<Buffer> {
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
    yield bytes.subarray(at, at + CHUNK_BYTES);
    await sleep(PAUSE_MS);
  }
}

/** Uploads a document. Returns its `uuid`, or null when the upload was refused or has no answer. */
async function upload(stage: Stage, bytes: Buffer): Promise<string | null> {
  try {
    // Sends a request without `@ats/client`, which would read the whole body before it sends it.
    const response = await fetch(`${stage.client.baseUrl}/documents?kind=cv&name=${randomUUID()}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${stage.client.token}`, 'content-type': 'application/octet-stream' },
      body: Readable.toWeb(Readable.from(slowly(bytes))),
      duplex: 'half',
    });
    const { uuid } = (await response.json()) as { readonly uuid?: string };
    return response.status === 201 ? (uuid ?? null) : null;
  } catch {
    // The API was killed, so there is no answer.
    return null;
  }
}

/** Maps the name of each file in the store to its path. */
async function filesIn(): Promise<ReadonlyMap<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return new Map(
    entries.filter((entry) => entry.isFile()).map((entry) => [entry.name, join(entry.parentPath, entry.name)]),
  );
}

/** Waits until the API is writing several files, and then for a short random time. */
async function uploadsRun(): Promise<void> {
  await waitUntil('uploads are running', 300_000, async () => {
    const incoming = [...(await filesIn()).values()].filter((path) => path.includes('incoming'));
    return incoming.length >= CLIENTS / 2;
  });
  await sleep(randomBetween(0, 200));
}

const rowsOf = async (stage: Stage): Promise<readonly Row[]> =>
  (await stage.database.query<Row>('SELECT uuid, storage_key, sha256 FROM documents')).rows;

/** Expects that each row has its bytes in the store, and that each upload with the answer 201 has a row. */
async function expectBytesOfRows(stage: Stage, acknowledged: ReadonlyMap<string, string>): Promise<void> {
  const [rows, files] = [await rowsOf(stage), await filesIn()];
  const wrong: string[] = [];
  for (const { storage_key, sha256 } of rows) {
    const path = files.get(storage_key);
    const hash =
      path &&
      createHash('sha256')
        .update(await readFile(path))
        .digest('hex');
    if (hash !== sha256) wrong.push(storage_key);
  }
  expect(wrong).toEqual([]);
  const stored = new Map(rows.map(({ uuid, sha256 }) => [uuid, sha256]));
  expect([...acknowledged].filter(([uuid, sha256]) => stored.get(uuid) !== sha256)).toEqual([]);
}

/** Makes all files old. Expects that the next sweep leaves only the files that have a row. */
async function expectSweep(stage: Stage, report: Report): Promise<void> {
  await stage.api.end('SIGKILL');
  const before = await filesIn();
  const old = new Date(Date.now() - OLD_MS);
  for (const path of before.values()) await utimes(path, old, old);
  const named = (await rowsOf(stage)).map(({ storage_key }) => storage_key).sort();
  report.note(`${named.length} documents stored, ${before.size - named.length} files without a row`);
  await stage.api.start();
  await waitUntil('files without a row are swept', 300_000, async () => (await filesIn()).size === named.length);
  expect([...(await filesIn()).keys()].sort()).toEqual(named);
}

faultTest(
  {
    number: 42,
    fault: 'API and PostgreSQL killed (SIGKILL) during uploads',
    isFast: true,
    stage: { notifiers: 0, settings: { DOCUMENTS_FOLDER: folder } },
  },
  async (stage, report) => {
    try {
      const acknowledged = new Map<string, string>();
      let isUploading = true;
      let failed = 0;
      const clients = Array.from({ length: CLIENTS }, async () => {
        while (isUploading) {
          const bytes = randomBytes(CHUNK_BYTES * Math.ceil(randomBetween(0, MOST_CHUNKS)));
          const uuid = await upload(stage, bytes);
          if (uuid !== null) acknowledged.set(uuid, createHash('sha256').update(bytes).digest('hex'));
          else {
            failed += 1;
            await sleep(20);
          }
        }
      });
      const { postgres } = stage.servers;
      for (const kills = sized(20, 2); report.faults < 2 * kills; ) {
        await uploadsRun();
        await stage.api.end('SIGKILL');
        report.faults += 1;
        await stage.api.start();
        await uploadsRun();
        await postgres.end('SIGKILL');
        report.faults += 1;
        await postgres.start();
      }
      const before = acknowledged.size;
      await waitUntil('uploads succeed again', 300_000, () => acknowledged.size > before);
      isUploading = false;
      await Promise.all(clients);
      report.note(`${acknowledged.size} uploads answered with 201, ${failed} refused or without an answer`);
      await expectBytesOfRows(stage, acknowledged);
      await expectSweep(stage, report);
      await expectBytesOfRows(stage, acknowledged);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
);
