// @group sample: npm test runs a quarter of its tests
import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { DocumentSweeper } from '../../src/documents/document-sweeper.js';
import { BASE_URL, type RequestOptions } from '../support/api-harness.js';
import { expectStatus } from '../support/factories.js';
import { useApi } from '../support/use-api.js';
import { countFiles, download, metadataOf, type Sender, TUS, tusOf } from '../support/tus.js';

const MAX_BYTES = 300_000;
const { api, make } = useApi({ DOCUMENT_MAX_BYTES: MAX_BYTES });
const tus: Sender = tusOf(() => api, '/api/v1/documents/uploads');
const NO_UPLOAD = `/api/v1/documents/uploads/${randomUUID()}`;

describe('a resumable upload', () => {
  test('becomes a document when its last bytes have arrived, like an upload in one request', async () => {
    const bytes = Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(1_000)]);
    const created = await tus.create(bytes.length, { kind: 'cv', name: 'Lebenslauf.pdf' });
    const path = tus.pathOf(created);
    expect(created.headers).toMatchObject({
      location: `${BASE_URL}${path}`,
      'tus-resumable': '1.0.0',
      'upload-expires': expect.any(String),
    });
    expect(created.item).toEqual({ url: `${BASE_URL}${path}` });
    const first = expectStatus(204, await tus.patch(path, 0, bytes.subarray(0, 400)));
    expect(first.headers).toMatchObject({ 'upload-offset': '400', 'tus-resumable': '1.0.0' });
    expect(first.headers['upload-document']).toBeUndefined();
    expect((await tus.head(path)).headers).toMatchObject({
      'upload-offset': '400',
      'upload-length': String(bytes.length),
      'upload-metadata': metadataOf({ kind: 'cv', name: 'Lebenslauf.pdf' }),
      'cache-control': 'no-store',
    });
    const last = expectStatus(204, await tus.patch(path, 400, bytes.subarray(400)));
    const id = last.headers['upload-document'];
    expect((await api.get(`/documents/${id}`)).item).toMatchObject({
      name: 'Lebenslauf.pdf',
      kind: 'cv',
      media_type: 'application/pdf',
      size: bytes.length,
      owner: null,
    });
    expect((await download(api, id)).equals(bytes)).toBe(true);
    const after = await tus.head(path);
    expect(after.headers).toMatchObject({ 'upload-offset': String(bytes.length), 'upload-document': id });
    await api.app.get(DocumentSweeper).sweep();
    expect(await countFiles(api)).toBe(1);
    const events = await api.database.query(`SELECT FROM domain_events WHERE type = 'DOCUMENT_CREATE'`);
    expect(events).toHaveLength(1);
    const application = { opportunity_id: (await make.vacancy()).id, user_id: (await make.candidate()).id };
    expectStatus(201, await api.post('/applications', { ...application, document_ids: [Number(id)] }));
    expect((await tus.head(path)).status).toBe(404);
  });

  test('leaves no row when the POST fails after the upload was begun', async () => {
    const count = (): Promise<unknown> => api.database.query('SELECT count(*) FROM document_uploads');
    const before = await count();
    const metadata = { kind: 'cv', name: 'a' };
    expect((await tus.create(4, metadata, { payload: 'too long', headers: TUS.bytes })).status).toBe(413);
    expect(await count()).toEqual(before);
  });

  test('is read by HEAD also with the media type of a body', async () => {
    expect((await tus.head(await tus.begin(4), { headers: TUS.bytes })).headers['upload-offset']).toBe('0');
    expect((await tus.head(NO_UPLOAD, { headers: TUS.bytes })).status).toBe(404);
  });

  test('is made a document by one request: others wait for it, and DELETE is refused meanwhile', async () => {
    const path = await tus.begin(4);
    await tus.patch(path, 0, 'te');
    const uuid = path.split('/').at(-1);
    const key = randomUUID();
    await api.database.query(
      `UPDATE document_uploads SET size = 2, lock_key = $2, locked_until = now() + interval '1 minute' WHERE uuid = $1`,
      [uuid, key],
    );
    expect((await tus.remove(path)).status).toBe(409);
    const waiting = tus.head(path);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await api.database.query('SELECT lock_key FROM document_uploads WHERE uuid = $1', [uuid])).toEqual([
      { lock_key: key },
    ]);
    await api.database.query('UPDATE document_uploads SET lock_key = NULL WHERE uuid = $1', [uuid]);
    expect((await waiting).headers['upload-document']).toMatch(/^\d+$/);
  });

  test('may bring its first bytes with the POST', async () => {
    const created = await tus.create(8, { kind: 'cv', name: 'a.txt' }, { payload: 'text', headers: TUS.bytes });
    expect([created.status, created.headers['upload-offset']]).toEqual([201, '4']);
    const last = await tus.patch(tus.pathOf(created), 4, 'text');
    expect((await download(api, last.headers['upload-document'])).toString()).toBe('texttext');
    const whole = await tus.create(4, { kind: 'cv', name: 'a.txt' }, { payload: 'text', headers: TUS.bytes });
    expect([whole.status, whole.headers['upload-document']]).toEqual([201, expect.stringMatching(/^\d+$/)]);
  });

  test('has its name cleaned like that of Content-Disposition, and names its violations', async () => {
    const filename = '../a/\u202eÜber\u0007 mich.pdf';
    const { headers } = await tus.upload('text', { kind: 'other', filename, filetype: 'text/html' });
    expect((await api.get(`/documents/${headers['upload-document']}`)).item).toMatchObject({
      name: 'Über mich.pdf',
      media_type: 'text/plain',
    });
    for (const [metadata, violations] of [
      [{ kind: 'x', name: '../cv.pdf', other: '' }, ['invalid /kind', 'invalid /name', 'invalid /other']],
      [{ kind: 'cv', filename: '..' }, ['missing /name']],
      [{ name: 'cv.pdf' }, ['missing /kind']],
      [{}, ['missing /kind', 'missing /name']],
    ] as const) {
      const answer = await tus.create(1, metadata);
      expect([answer.status, answer.violations]).toEqual([422, violations]);
    }
  });

  test('is refused when it is empty or too large, and no bytes are kept', async () => {
    const before = await countFiles(api);
    expect((await tus.create(0, { kind: 'cv', name: 'a' })).violations).toEqual(['missing /file']);
    expect((await tus.create(MAX_BYTES + 1, { kind: 'cv', name: 'a' })).status).toBe(413);
    const path = await tus.begin(10);
    expect((await tus.patch(path, 0, 'x'.repeat(11))).status).toBe(413);
    expect((await tus.head(path)).headers['upload-offset']).toBe('0');
    expect(await countFiles(api)).toBe(before);
  });

  test.each([
    ['412 without the version', 412, {}],
    ['412 for another version', 412, { ...TUS.version, 'tus-resumable': '0.2.2' }],
    ['400 without a length', 400, TUS.version],
    ['400 for a negative length', 400, { ...TUS.version, 'upload-length': '-1' }],
    ['400 for a length that is no integer', 400, { ...TUS.version, 'upload-length': '1e2' }],
    ['400 for an unknown length', 400, { ...TUS.version, 'upload-defer-length': '1' }],
    ['400 for a part of another upload', 400, { ...TUS.version, 'upload-length': '1', 'upload-concat': 'partial' }],
    ['400 for metadata without Base64', 400, { ...TUS.version, 'upload-length': '1', 'upload-metadata': 'kind %' }],
    ['400 for a repeated name', 400, { ...TUS.version, 'upload-length': '1', 'upload-metadata': 'a YQ==,a YQ==' }],
    ['400 for __proto__', 400, { ...TUS.version, 'upload-length': '1', 'upload-metadata': '__proto__ YQ==' }],
    ['400 for long metadata', 400, { ...TUS.version, 'upload-length': '1', 'upload-metadata': 'a'.repeat(4_001) }],
    [
      '422 for metadata with null',
      422,
      { ...TUS.version, 'upload-length': '1', 'upload-metadata': 'kind Y3Y=,name AA==' },
    ],
  ])('answers a POST with %s', async (_, status, headers) => {
    const answer = await api.request('POST', '/api/v1/documents/uploads', { headers });
    expect([answer.status, answer.item['message']]).toEqual([status, expect.any(String)]);
    if (status === 412) expect(answer.headers['tus-version']).toBe('1.0.0');
  });

  test.each([
    ['409 for another offset', 409, { ...TUS.bytes, ...TUS.version, 'upload-offset': '3' }],
    ['400 without an offset', 400, { ...TUS.bytes, ...TUS.version }],
    ['400 for a negative offset', 400, { ...TUS.bytes, ...TUS.version, 'upload-offset': '-1' }],
    ['415 for another media type', 415, { ...TUS.version, 'content-type': 'text/plain', 'upload-offset': '0' }],
    ['412 without the version', 412, { ...TUS.bytes, 'upload-offset': '0' }],
  ])('answers a PATCH with %s, and keeps no bytes', async (_, status, headers) => {
    const path = await tus.begin(10);
    const answer = await api.request('PATCH', path, { payload: 'text', headers });
    expect([answer.status, answer.item['message']]).toEqual([status, expect.any(String)]);
    expect((await tus.head(path)).headers['upload-offset']).toBe('0');
  });

  test('is shown by OPTIONS without a credential', async () => {
    for (const path of ['/api/v1/documents/uploads', NO_UPLOAD]) {
      const { status, headers } = await api.request('OPTIONS', path, { token: null });
      expect([status, headers]).toEqual([
        204,
        expect.objectContaining({
          'tus-version': '1.0.0',
          'tus-resumable': '1.0.0',
          'tus-max-size': String(MAX_BYTES),
          'tus-extension': 'creation,creation-with-upload,termination,expiration',
          'accept-patch': 'application/offset+octet-stream',
        }),
      ]);
    }
  });

  test('belongs to the credential that made it, which needs documents:create', async () => {
    const path = await tus.begin(4);
    const other = { token: await make.token('documents:create') };
    for (const answer of [
      await tus.head(path, other),
      await tus.patch(path, 0, 'text', other),
      await tus.remove(path, other),
      await tus.head(NO_UPLOAD),
      await tus.head('/api/v1/documents/uploads/1'),
    ])
      expect(answer.status).toBe(404);
    const reader = { token: await make.token('documents:read') };
    expect((await tus.create(1, { kind: 'cv', name: 'a' }, reader)).status).toBe(403);
    expect((await tus.patch(path, 0, 'text', reader)).status).toBe(403);
    expect((await tus.head(path, { token: null })).status).toBe(401);
    const own = await tus.create(4, { kind: 'cv', name: 'a' }, other);
    expect((await tus.patch(tus.pathOf(own), 0, 'text', other)).headers['upload-document']).toMatch(/^\d+$/);
  });

  test('is not begun twice with the same Idempotency-Key', async () => {
    const metadata = { kind: 'cv', name: 'a' };
    const options: RequestOptions = { headers: { 'idempotency-key': 'resumable' } };
    const [first, second] = [await tus.create(4, metadata, options), await tus.create(4, metadata, options)];
    expect([second.status, second.headers['location'], second.headers['tus-resumable']]).toEqual([
      201,
      first.headers['location'],
      '1.0.0',
    ]);
    expect((await tus.create(5, metadata, options)).violations).toEqual(['idempotency_mismatch ']);
  });
});
