// @group sample: npm test runs a quarter of its tests
import { createHash } from 'node:crypto';
import { endExpiredUploads, finishUpload } from '@ats/domain';
import { Database } from '@ats/postgres';
import { expect, describe, test } from '@jest/globals';
import { DocumentStore } from '../../src/documents/document-store.js';
import { DocumentSweeper } from '../../src/documents/document-sweeper.js';
import { eventually } from '../support/eventually.js';
import { expectStatus } from '../support/factories.js';
import { useApi } from '../support/use-api.js';
import { countFiles, download, type Sender, tusOf } from '../support/tus.js';

const { api } = useApi();
const tus: Sender = tusOf(() => api, '/api/v1/documents/uploads');
const HOUR_MS = 60 * 60 * 1_000;
const uuidOf = (path: string): string => path.split('/').at(-1) ?? '';

/** Stores all bytes of an upload, one part for each text, in a process that makes no document and then ends. */
async function uploadWithoutDocument(...texts: readonly string[]): Promise<string> {
  const path = await tus.begin(texts.join('').length);
  const broken = await api.beside({ DOCUMENT_MAX_BYTES: 1 });
  try {
    const dying = tusOf(() => broken, '');
    let offset = 0;
    for (const text of texts) {
      await dying.patch(path, offset, text);
      offset += text.length;
    }
  } finally {
    await broken.app.close();
  }
  expect(
    await api.database.query('SELECT received, document_id FROM document_uploads WHERE uuid = $1', [uuidOf(path)]),
  ).toEqual([{ received: texts.join('').length, document_id: null }]);
  return path;
}

describe('a resumable upload at its end', () => {
  test('can be deleted with its bytes, unless it is complete', async () => {
    await api.app.get(DocumentSweeper).sweep();
    const before = await countFiles(api);
    const path = await tus.begin(10);
    await tus.patch(path, 0, 'text');
    expect(await countFiles(api)).toBe(before + 1);
    expectStatus(204, await tus.remove(path));
    expect((await tus.head(path)).status).toBe(404);
    await api.app.get(DocumentSweeper).sweep();
    expect(await countFiles(api)).toBe(before);
    const complete = await tus.upload('text', { kind: 'cv', name: 'a' });
    expect((await tus.remove(complete.path)).status).toBe(409);
  });

  test('is deleted together with its document', async () => {
    const { path, headers } = await tus.upload('text', { kind: 'cv', name: 'a' });
    expectStatus(204, await api.delete(`/documents/${headers['upload-document']}`));
    expect((await tus.head(path)).status).toBe(404);
  });

  test('expires after 24 hours: its bytes are swept, then its row', async () => {
    await api.app.get(DocumentSweeper).sweep();
    const before = await countFiles(api);
    const path = await tus.begin(10);
    await tus.patch(path, 0, 'text');
    const age = (hours: number): Promise<unknown> =>
      api.database.query(`UPDATE document_uploads SET created_dt = now() - $2 * interval '1 hour' WHERE uuid = $1`, [
        uuidOf(path),
        hours,
      ]);
    await age(24.1);
    const gone = async (): Promise<readonly number[]> => [
      (await tus.head(path)).status,
      (await tus.patch(path, 4, 'text')).status,
    ];
    expect(await gone()).toEqual([410, 410]);
    await api.app.get(DocumentSweeper).sweep();
    expect(await countFiles(api)).toBe(before);
    expect(await gone()).toEqual([410, 410]);
    await age(48.1);
    await api.app.get(DocumentSweeper).sweep();
    expect((await tus.head(path)).status).toBe(404);
  });

  test('gets 503 while the store cannot be written, and continues later', async () => {
    const beside = await api.beside({ DOCUMENTS_FOLDER: '/dev/null/documents' });
    try {
      const path = await tus.begin(4);
      const failing = tusOf(() => beside, '/api/v1/documents/uploads');
      expect((await failing.patch(path, 0, 'text')).status).toBe(503);
      expect(beside.log.join('')).toContain(
        'the bytes of a document could not be written to the document store: ENOTDIR',
      );
      expectStatus(204, await tus.patch(path, 0, 'text'));
    } finally {
      await beside.app.close();
    }
  });

  test('is finished by HEAD when the process died after the last byte', async () => {
    const path = await uploadWithoutDocument('te', 'xt');
    const [one, other] = await Promise.all([tus.head(path), tus.head(path)]);
    expect(one.headers['upload-document']).toMatch(/^\d+$/);
    expect(other.headers['upload-document']).toBe(one.headers['upload-document']);
    await eventually(async () => expect((await download(api, one.headers['upload-document'])).toString()).toBe('text'));
  });

  test.each([
    ['the same request', async () => (await tus.upload('<p>text</p>', { kind: 'cv', name: 'a' })).headers],
    ['HEAD', async () => (await tus.head(await uploadWithoutDocument('<p>text</p>'))).headers],
  ])('stores its bytes only once when they came in one request and %s makes the document', async (_, upload) => {
    await api.app.get(DocumentSweeper).sweep();
    const before = await countFiles(api);
    const id = (await upload())['upload-document'];
    expect(await countFiles(api)).toBe(before + 1);
    await api.app.get(DocumentSweeper).sweep();
    expect(await countFiles(api)).toBe(before + 1);
    expect((await download(api, String(id))).toString()).toBe('<p>text</p>');
    expect((await api.get(`/documents/${id}`)).item).toMatchObject({
      size: 11,
      media_type: 'text/plain',
      sha256: createHash('sha256').update('<p>text</p>').digest('hex'),
    });
    expectStatus(204, await api.delete(`/documents/${id}`));
    await api.app.get(DocumentSweeper).sweep();
    expect(await countFiles(api)).toBe(before);
  });

  test('becomes no document once it has expired, because the sweeper deletes its bytes', async () => {
    const uuid = uuidOf(await uploadWithoutDocument('text'));
    const database = api.app.get(Database);
    await api.database.query(`UPDATE document_uploads SET created_dt = now() - interval '25 hours' WHERE uuid = $1`, [
      uuid,
    ]);
    await database.transaction((transaction) => endExpiredUploads(transaction, 100));
    expect(await database.transaction((transaction) => finishUpload(transaction, uuid, 1))).toBe(false);
  });

  test('keeps its bytes when bytes without a row are swept', async () => {
    const path = await tus.begin(4);
    await tus.patch(path, 0, 'te');
    const sweeper = new DocumentSweeper(api.app.get(Database), api.app.get(DocumentStore));
    await sweeper.sweep(new Date(Date.now() + 25 * HOUR_MS));
    const { headers } = expectStatus(204, await tus.patch(path, 2, 'xt'));
    expect((await download(api, headers['upload-document'] as string)).toString()).toBe('text');
  });
});
