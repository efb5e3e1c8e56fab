// @group sample: npm test runs a quarter of its tests
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Api } from '../support/api-harness.js';
import { type Item } from '../support/answer.js';
import { eventually } from '../support/eventually.js';
import { Factories } from '../support/factories.js';
import { FakeClamd } from '../support/fake-clamd.js';
import { useApi } from '../support/use-api.js';

const { api } = useApi();
const clamd = new FakeClamd();
let scanning: Api;
let make: Factories;

beforeAll(async () => {
  await clamd.start();
  scanning = await api.beside({ CLAMAV_URL: clamd.url });
  make = new Factories(scanning);
});
afterAll(async () => {
  await scanning.app.close();
  await clamd.stop();
});
beforeEach(() => {
  clamd.reply = () => 'stream: OK';
});

const scanOf = async ({ id }: Item): Promise<unknown> => (await scanning.get(`/documents/${id}`)).item['scan'];
const becomes = (document: Item, scan: string): Promise<void> =>
  eventually(async () => expect(await scanOf(document)).toBe(scan));
const eventsOf = async ({ id }: Item): Promise<readonly unknown[]> =>
  (
    await api.database.query<{ type: string }>(
      `SELECT type FROM domain_events WHERE subject_type = 'document' AND subject_id = $1 ORDER BY id`,
      [id],
    )
  ).map(({ type }) => type);

describe('a new document', () => {
  test('is pending, and is clean after the scanner has seen all its bytes', async () => {
    const content = 'x'.repeat(200_000);
    let isAnswering: () => void = () => undefined;
    const answering = new Promise<void>((resolve) => (isAnswering = resolve));
    const seen: number[] = [];
    clamd.reply = async (bytes) => {
      seen.push(bytes.length);
      await answering;
      return 'stream: OK';
    };
    const document = await make.document({ content });
    expect(document['scan']).toBe('pending');
    expect((await scanning.get(`/documents/${document.id}/link`)).status).toBe(409);
    isAnswering();
    await becomes(document, 'clean');
    expect((await scanning.get(`/documents/${document.id}/link`)).status).toBe(200);
    expect(seen).toEqual([content.length]);
    expect(await eventsOf(document)).toEqual(['DOCUMENT_CREATE', 'DOCUMENT_UPDATE']);
  });

  test('cannot be downloaded when it is infected', async () => {
    clamd.reply = () => 'stream: Eicar-Test-Signature FOUND';
    const document = await make.document();
    await becomes(document, 'infected');
    const { status, item } = await scanning.get(`/documents/${document.id}/link`);
    expect([status, (item['errors'] as Item[])[0]?.['code']]).toEqual([409, 'infected']);
  });

  test('can be given to an application while its scan is pending', async () => {
    clamd.reply = () => null;
    const document = await make.document();
    await make.application({ document_ids: [document.id] });
    expect(await scanOf(document)).toBe('pending');
    clamd.reply = () => 'stream: OK';
    await becomes(document, 'clean');
  });

  test('can be deleted while it is scanned', async () => {
    let isAnswering: () => void = () => undefined;
    const answering = new Promise<void>((resolve) => (isAnswering = resolve));
    clamd.reply = () => answering.then(() => 'stream: OK');
    const document = await make.document();
    expect((await scanning.delete(`/documents/${document.id}`)).status).toBe(204);
    isAnswering();
    const next = await make.document();
    await becomes(next, 'clean');
    expect(await eventsOf(document)).toEqual(['DOCUMENT_CREATE', 'DOCUMENT_DELETE']);
  });
});

test.each([
  ['closes the connection', null],
  ['refuses the size', 'INSTREAM size limit exceeded. ERROR'],
  ['answers nonsense', 'HTTP/1.1 400 Bad Request'],
])('a document stays pending while the scanner %s, and is scanned again', async (_, reply) => {
  let tries = 0;
  clamd.reply = () => {
    tries += 1;
    return reply;
  };
  const document = await make.document();
  await eventually(() => Promise.resolve(expect(tries).toBeGreaterThan(0)));
  expect(await scanOf(document)).toBe('pending');
  clamd.reply = () => 'stream: OK';
  await becomes(document, 'clean');
});

test('uploads succeed while the scanner is unavailable, and are scanned when it is available again', async () => {
  await clamd.stop();
  const document = await make.document();
  await eventually(async () => {
    const [row] = await api.database.query<{ tries: number }>(
      'SELECT tries FROM document_scans WHERE document_id = $1',
      [document.id],
    );
    expect(row?.tries).toBeGreaterThan(0);
  });
  expect(await scanOf(document)).toBe('pending');
  await clamd.start();
  await becomes(document, 'clean');
  expect(await api.database.query('SELECT FROM document_scans WHERE document_id = $1', [document.id])).toEqual([]);
});
