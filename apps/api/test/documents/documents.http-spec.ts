// @group sample: npm test runs a quarter of its tests
import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import { BASE_URL, type RequestOptions } from '../support/api-harness.js';
import { type Answer, type Item } from '../support/answer.js';
import { expectStatus } from '../support/factories.js';
import { eventually } from '../support/eventually.js';
import { useApi } from '../support/use-api.js';
import { formData } from '../versions/form-data.js';

const { api, make } = useApi({ DOCUMENT_MAX_BYTES: 300_000 });

const PDF = Buffer.from('%PDF-1.7\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n');
const PNG = Buffer.concat([Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), Buffer.alloc(50)]);

const upload = (query: string, payload: string | Buffer, options: RequestOptions = {}): Promise<Answer> =>
  api.request('POST', `/api/v1/documents${query}`, {
    payload,
    ...options,
    headers: { 'content-type': 'application/pdf', ...options.headers },
  });

/** Returns the number of files in the store. */
const countFiles = async (): Promise<number> =>
  (await readdir(api.folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile()).length;

const linkOf = async ({ id }: Item): Promise<string> => {
  const { item } = expectStatus(200, await api.get(`/documents/${id}/link`));
  return String(item.url).slice(BASE_URL.length);
};

const download = async (document: Item, headers: Readonly<Record<string, string>> = {}): Promise<Answer> =>
  api.request('GET', await linkOf(document), { token: null, headers });

describe('a raw upload', () => {
  test('stores the bytes, and measures and detects them', async () => {
    const answer = expectStatus(201, await upload('?kind=cv&name=Lebenslauf.pdf', PDF));
    const { id, uuid, created_dt, updated_dt } = answer.item;
    expect(answer.item).toEqual({
      id,
      uuid,
      url: `${BASE_URL}/api/v1/documents/${id}`,
      created_dt,
      updated_dt,
      name: 'Lebenslauf.pdf',
      kind: 'cv',
      media_type: 'application/pdf',
      size: PDF.length,
      sha256: createHash('sha256').update(PDF).digest('hex'),
      scan: 'skipped',
      owner: null,
      application: null,
      candidate: null,
    });
    expect(answer.headers['location']).toBe(answer.item.url);
    expect((await api.get(`/documents/${id}`)).item).toEqual(answer.item);
  });

  test('detects the media type by the content, not by name or header', async () => {
    expect((await upload('?kind=cv&name=cv.pdf', PNG)).item['media_type']).toBe('image/png');
    expect((await upload('?kind=cv&name=cv.pdf', '<html><script>1</script>')).item['media_type']).toBe('text/plain');
    expect((await upload('?kind=cv&name=cv.pdf', Buffer.of(1, 0, 255))).item['media_type']).toBe(
      'application/octet-stream',
    );
    const json = await upload('?kind=cv&name=cv.pdf', '{"a":', { headers: { 'content-type': 'application/json' } });
    expect(json.item['media_type']).toBe('text/plain');
  });

  test('takes the name from Content-Disposition, without path, control characters and direction marks', async () => {
    const named = async (value: string): Promise<unknown> =>
      (await upload('?kind=other', PDF, { headers: { 'content-disposition': value } })).item['name'];
    expect(await named(`attachment; filename*=UTF-8''${encodeURIComponent('../a/\u202eÜber\u0007 mich.pdf')}`)).toBe(
      'Über mich.pdf',
    );
    expect(await named('attachment; filename="C:\\\\Users\\\\me\\\\cv.pdf"')).toBe('cv.pdf');
    expect((await upload('?kind=other', PDF)).violations).toEqual(['missing ?name']);
  });

  test('refuses unsafe names, kinds and unknown parameters, all together', async () => {
    for (const name of ['../cv.pdf', 'a\\b', 'cv\u202efdp.exe', 'a\u0000b', '..', ' ']) {
      const answer = await upload(`?kind=x&name=${encodeURIComponent(name)}`, PDF);
      expect([answer.status, [...new Set(answer.violations)]]).toEqual([400, ['invalid ?kind', 'invalid ?name']]);
    }
    expect((await upload('?kind=cv&name=a&naem=b', PDF)).violations).toEqual(['invalid ?naem']);
    expect((await upload('?kind=cv&kind=cv&name=a', PDF)).violations).toEqual(['invalid ?kind']);
  });

  test('gets 413 for more bytes than allowed, and none of them are kept', async () => {
    const before = await countFiles();
    const large = Buffer.alloc(300_001, 'a');
    expect((await upload('?kind=cv&name=a', large)).status).toBe(413);
    expect(await countFiles()).toBe(before);
    expectStatus(201, await upload('?kind=cv&name=a', large.subarray(1)));
  });

  test('gets 503 when the folder cannot be written', async () => {
    const beside = await api.beside({ DOCUMENTS_FOLDER: '/dev/null/documents' });
    try {
      const headers = { 'content-type': 'application/pdf' };
      const answer = await beside.request('POST', '/api/v1/documents?kind=cv&name=a', { payload: PDF, headers });
      expect(answer.status).toBe(503);
      expect(beside.log.join('')).toContain(
        'the bytes of a document could not be written to the document store: ENOTDIR',
      );
    } finally {
      await beside.app.close();
    }
  });

  test('gets 400 without a body', async () => {
    expect((await upload('?kind=cv&name=a', '', { headers: { 'content-length': '0' } })).status).toBe(400);
  });

  test('needs the scope documents:create', async () => {
    const token = await make.token('documents:read');
    expect((await upload('?kind=cv&name=a', PDF, { token })).status).toBe(403);
    const creator = await make.token('documents:create');
    expect(Object.keys((await upload('?kind=cv&name=a', PDF, { token: creator })).item)).toEqual([
      'id',
      'uuid',
      'url',
      'created_dt',
      'updated_dt',
    ]);
  });

  test('creates one document when it is sent again with the same Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'upload' };
    const first = await upload('?kind=cv&name=a', PDF, { headers });
    const second = await upload('?kind=cv&name=a', PDF, { headers });
    expect([second.status, second.item]).toEqual([201, first.item]);
    const { status, violations } = await upload('?kind=cv&name=b', PDF, { headers });
    expect([status, violations]).toEqual([422, ['idempotency_mismatch ']]);
  });
});

describe('a multipart upload', () => {
  const file = (content: Buffer) => ({ name: 'file', headers: '; filename="a/b/cv.pdf"', content });
  const field = (name: string, content: string) => ({ name, content: Buffer.from(content) });
  const send = (...parts: Parameters<typeof formData>[0]): Promise<Answer> =>
    api.request('POST', '/api/v1/documents', formData(parts));

  test('has the parts file, kind and name in any order', async () => {
    const kind = field('kind', 'portfolio');
    for (const parts of [
      [file(PDF), kind],
      [kind, file(PDF)],
    ]) {
      const { item } = expectStatus(201, await send(...parts));
      expect(item).toMatchObject({
        name: 'cv.pdf',
        kind: 'portfolio',
        media_type: 'application/pdf',
        size: PDF.length,
      });
    }
    expect((await send(file(PDF), kind, field('name', 'x.pdf'))).item['name']).toBe('x.pdf');
  });

  test('gets all violations together, and no bytes are kept', async () => {
    const before = await countFiles();
    const { status, violations } = await send(file(PDF), field('kind', 'x'), field('other', 'x'));
    expect([status, violations]).toEqual([422, ['invalid /kind', 'invalid /other']]);
    expect((await send(field('kind', 'cv'), field('name', 'a'))).violations).toEqual(['missing /file']);
    expect((await send(file(PDF), file(PDF), field('kind', 'cv'))).status).toBe(400);
    expect((await send(file(Buffer.alloc(300_001, 'a')), field('kind', 'cv'))).status).toBe(413);
    const broken = await api.request('POST', '/api/v1/documents', {
      payload: 'no parts',
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
    });
    expect(broken.status).toBe(400);
    expect(await countFiles()).toBe(before);
  });
});

describe('a link', () => {
  test('downloads the bytes as an attachment without a credential', async () => {
    const document = await make.document({ content: 'Grüße', name: '履歴書 "x".txt' });
    const answer = expectStatus(200, await download(document));
    expect(answer.text).toBe('Grüße');
    expect(answer.headers).toMatchObject({
      'content-type': 'text/plain',
      'content-length': '7',
      'accept-ranges': 'bytes',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'content-disposition': `attachment; filename="??? \\"x\\".txt"; filename*=UTF-8''${encodeURIComponent('履歴書 "x".txt')}`,
    });
    expect((await download(document, { accept: 'application/pdf' })).status).toBe(200);
  });

  test('serves one range, and refuses a range outside the document', async () => {
    const document = await make.document({ content: '0123456789' });
    const part = expectStatus(206, await download(document, { range: 'bytes=2-4' }));
    expect([part.text, part.headers['content-range'], part.headers['content-length']]).toEqual([
      '234',
      'bytes 2-4/10',
      '3',
    ]);
    expect((await download(document, { range: 'bytes=-3' })).text).toBe('789');
    expect((await download(document, { range: 'bytes=8-' })).text).toBe('89');
    expect((await download(document, { range: 'bytes=0-1,4-5' })).text).toBe('0123456789');
    expect((await download(document, { range: 'bytes=2-4', 'if-range': '"other"' })).text).toBe('0123456789');
    const outside = expectStatus(416, await download(document, { range: 'bytes=10-' }));
    expect(outside.headers['content-range']).toBe('bytes */10');
    const { headers } = await download(document);
    expect((await download(document, { 'if-none-match': String(headers['etag']) })).status).toBe(304);
  });

  test('ends after 5 minutes, and is refused when it is changed', async () => {
    const document = await make.document();
    const { item } = await api.get(`/documents/${document.id}/link`);
    const left = Date.parse(String(item['expires_dt'])) - Date.now();
    expect(left).toBeGreaterThan(4 * 60_000);
    expect(left).toBeLessThanOrEqual(5 * 60_000 + 1_000);
    const link = new URL(await linkOf(document), BASE_URL);
    for (const [name, value] of [
      ['expires', String(Number(link.searchParams.get('expires')) + 1)],
      ['client', '999.1'],
      ['signature', 'x'],
    ] as const) {
      const changed = new URL(link);
      changed.searchParams.set(name, value);
      const path = `${changed.pathname}${changed.search}`;
      expect((await api.request('GET', path, { token: null })).status).toBe(403);
    }
    const other = await make.document();
    const path = `/documents/${String(other['uuid'])}${link.search}`;
    expect((await api.request('GET', path, { token: null })).status).toBe(403);
  });

  test.each(['pending', 'infected'])('is refused with 409 while the scan is %s', async (scan) => {
    const document = await make.document();
    const link = await linkOf(document);
    await api.database.query('UPDATE documents SET scan = $2 WHERE id = $1', [document.id, scan]);
    expect((await api.get(`/documents/${document.id}/link`)).status).toBe(409);
    expect((await api.request('GET', link, { token: null })).status).toBe(409);
  });

  test('answers 404 for a deleted document', async () => {
    const document = await make.document();
    const link = await linkOf(document);
    expectStatus(204, await api.delete(`/documents/${document.id}`));
    expect((await api.request('GET', link, { token: null })).status).toBe(404);
    expect((await api.get(`/documents/${document.id}/link`)).status).toBe(404);
  });

  test('leaves an entry in the audit log for the link and for the download', async () => {
    const document = await make.document();
    await download(document);
    await eventually(async () => {
      const rows = await api.database.query(
        `SELECT FROM audit_entries WHERE collection = 'documents' AND item_ids = ARRAY[$1::bigint]`,
        [document.id],
      );
      // The upload, the link and the download have one entry each.
      expect(rows).toHaveLength(3);
    });
  });
});

test('the name and kind of a document can be changed', async () => {
  const document = await make.document();
  const { item } = expectStatus(200, await api.put(`/documents/${document.id}`, { ...document, kind: 'other' }));
  expect(item['kind']).toBe('other');
  expect((await api.put(`/documents/${document.id}`, { name: '../x', kind: 'cv' })).violations).toEqual([
    'invalid /name',
  ]);
});
