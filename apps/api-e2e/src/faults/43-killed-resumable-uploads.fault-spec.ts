import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { Upload } from 'tus-js-client';
import { waitUntil } from '../support/wait-until.js';
import { faultTest, sized } from './support/fault-test.js';
import { randomBetween } from './support/repeat.js';
import { type Stage } from './support/stage.js';

const CLIENTS = 6;
const CHUNK_BYTES = 256 * 1024;
const MOST_CHUNKS = 40;
/** The pauses of the client between its retries. Together they are longer than any outage of the test. */
const RETRY_DELAYS = Array.from({ length: 600 }, () => 100);
const folder = mkdtempSync(join(tmpdir(), 'ats-killed-resumable-'));

/** Uploads bytes, and resumes after each kill of the API. @returns the id of the document */
const upload = ({ client }: Stage, bytes: Buffer): Promise<string> =>
  new Promise((resolve, reject) => {
    new Upload(bytes, {
      endpoint: `${client.baseUrl}/documents/uploads`,
      headers: { authorization: `Bearer ${client.token}` },
      metadata: { kind: 'cv', filename: 'cv.bin' },
      chunkSize: CHUNK_BYTES,
      retryDelays: RETRY_DELAYS,
      onError: reject,
      onSuccess: ({ lastResponse }) => resolve(lastResponse.getHeader('Upload-Document') ?? 'none'),
    }).start();
  });

interface Row {
  readonly id: string;
  readonly storage_key: string;
  readonly sha256: string;
}

const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

faultTest(
  {
    number: 43,
    fault: 'API and PostgreSQL killed (SIGKILL) during resumable uploads',
    isFast: true,
    stage: { notifiers: 0, settings: { DOCUMENTS_FOLDER: folder } },
  },
  async (stage, report) => {
    try {
      const uploaded = new Map<string, string>();
      let isUploading = true;
      const clients = Array.from({ length: CLIENTS }, async () => {
        while (isUploading) {
          const bytes = randomBytes(Math.ceil(CHUNK_BYTES * randomBetween(1, MOST_CHUNKS)));
          uploaded.set(await upload(stage, bytes), hashOf(bytes));
        }
      });
      const running = Promise.all(clients);
      // Prevents an unhandled rejection. The promise is awaited later, and throws the error of a client then.
      running.catch(() => undefined);
      const progress = async (): Promise<number> => {
        const { rows } = await stage.database.query<{ readonly parts: string }>(
          'SELECT coalesce(sum(received), 0) AS parts FROM document_uploads',
        );
        return Number(rows[0]?.parts);
      };
      const uploadsProgress = async (): Promise<void> => {
        const before = await progress();
        await waitUntil('uploads continue', 300_000, async () => (await progress()) > before);
      };
      const { postgres } = stage.servers;
      for (const kills = sized(20, 2); report.faults < 2 * kills; report.faults += 1) {
        await uploadsProgress();
        const victim = report.faults % 2 === 0 ? stage.api : postgres;
        await victim.end('SIGKILL');
        await victim.start();
      }
      await uploadsProgress();
      isUploading = false;
      await running;
      const { rows } = await stage.database.query<Row>('SELECT id, storage_key, sha256 FROM documents');
      // Each upload must have become exactly one document, with the bytes that its client sent.
      expect(new Map(rows.map(({ id, sha256 }) => [id, sha256]))).toEqual(uploaded);
      for (const { storage_key, sha256 } of rows)
        expect(hashOf(await readFile(join(folder, storage_key.slice(0, 2), storage_key)))).toBe(sha256);
      await expectNoParts(stage);
      report.note(`${uploaded.size} uploads completed`);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
);

/**
 * Expects that the sweeper deletes the parts of finished uploads. Bytes that a kill left without a row stay for 24
 * hours.
 */
async function expectNoParts({ database }: Stage): Promise<void> {
  await waitUntil('parts are swept', 300_000, async () => {
    const { rows } = await database.query('SELECT FROM removed_documents LIMIT 1');
    return rows.length === 0;
  });
  const { rows } = await database.query<Row>('SELECT storage_key FROM documents');
  const files = new Set(
    await readdir(folder, { recursive: true }).then((names) => names.map((name) => name.slice(-36))),
  );
  expect(rows.filter(({ storage_key }) => !files.has(storage_key))).toEqual([]);
}
