// @group sample: npm test runs a quarter of its tests
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { request } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import { type Answer, type Item } from '../support/answer.js';
import { BASE_URL } from '../support/api-harness.js';
import { expectStatus } from '../support/factories.js';
import { useApi } from '../support/use-api.js';
import { EMPTY, HOSTILE_FILES, type HostileFile } from './hostile-files.js';

const MAX_BYTES = 2_000_000;
const { api } = useApi({ DOCUMENT_MAX_BYTES: MAX_BYTES });

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** Matches media types that a browser shows as a page or runs as a program. */
const ACTIVE = /html|svg|script|php|x-sh/;
const SAFE_NAME = /^[^/\\\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]{1,255}$/u;

/** Sends a file. Its name is in the header, as browsers send it. */
const sendByHeader = ({ name, content }: HostileFile): Promise<Answer> =>
  api.request('POST', '/api/v1/documents?kind=cv', {
    payload: content,
    headers: {
      'content-type': 'text/html',
      'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name).replaceAll("'", '%27')}`,
    },
  });

/** Sends a file with its name in a query parameter. */
const sendByParameter = ({ name, content }: HostileFile): Promise<Answer> =>
  api.request('POST', `/api/v1/documents?${new URLSearchParams({ kind: 'cv', name }).toString()}`, {
    payload: content,
    headers: { 'content-type': 'text/html' },
  });

const files = async (): Promise<readonly string[]> =>
  (await readdir(api.folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);

async function expectHarmless({ id, name }: Item, { content }: HostileFile): Promise<void> {
  expect(name).toMatch(SAFE_NAME);
  expect(['.', '..']).not.toContain(name);
  const { item } = expectStatus(200, await api.get(`/documents/${id}/link`));
  const answer = expectStatus(200, await api.request('GET', String(item.url).slice(BASE_URL.length), { token: null }));
  expect(answer.headers['content-disposition']).toMatch(/^attachment(;|$)/);
  expect(answer.headers['x-content-type-options']).toBe('nosniff');
  expect(answer.headers['content-type']).not.toMatch(ACTIVE);
  expect(answer.headers['content-length']).toBe(String(content.length));
}

function expectRefusedName({ status, violations }: Answer): void {
  expect(status).toBe(400);
  expect(violations.length).toBeGreaterThan(0);
  for (const violation of violations) expect(violation).toMatch(/^(missing|invalid) \?name$/);
}

test('the test has 60 hostile files', () => {
  expect(HOSTILE_FILES.length).toBeGreaterThanOrEqual(60);
});

describe('a hostile file is sent as an attachment under a harmless name, or it is refused', () => {
  test.each(HOSTILE_FILES.map((file) => [file.title, file] as const))('%s', async (_, file) => {
    const byHeader = await sendByHeader(file);
    if (byHeader.status === 201) await expectHarmless(byHeader.item, file);
    else expectRefusedName(byHeader);
    const byParameter = await sendByParameter(file);
    if (byParameter.status === 201) {
      expect(byParameter.item['name']).toBe(file.name);
      await expectHarmless(byParameter.item, file);
    } else expectRefusedName(byParameter);
  });
});

test('no file is stored under its own name', async () => {
  const found = await files();
  expect(found.length).toBeGreaterThan(60);
  for (const name of found) expect(name).toMatch(UUID);
});

test('a file without bytes is refused', async () => {
  expect((await sendByParameter(EMPTY)).status).toBe(400);
});

test('an endless file is refused at the limit, and does not delay other requests', async () => {
  const port = await api.listen();
  const before = await files();
  const endless = request({
    port,
    method: 'POST',
    path: '/api/v1/documents?kind=cv&name=cv.pdf',
    headers: { authorization: `Bearer ${api.adminToken}`, 'content-type': 'application/pdf' },
  });
  const answered = once(endless, 'response') as Promise<[{ statusCode: number }]>;
  endless.on('error', () => undefined);
  const closed = new Promise<void>((resolve) => endless.once('close', resolve));
  const others: number[] = [];
  let isAnswered = false;
  const sending = (async () => {
    for (let sent = 0; !isAnswered; sent += 100_000) {
      if (!endless.write(Buffer.alloc(100_000, 'x'))) await Promise.race([once(endless, 'drain'), closed]);
      if (sent < MAX_BYTES) others.push((await api.get('/documents?per_page=1')).status);
    }
  })();
  const [{ statusCode }] = await answered;
  isAnswered = true;
  endless.destroy();
  await sending;
  expect(new Set(others)).toEqual(new Set([200]));
  expect(statusCode).toBe(413);
  expect(await files()).toEqual(before);
});
