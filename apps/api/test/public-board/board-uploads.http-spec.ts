// @group sample: npm test runs a quarter of its tests
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { type Answer } from '../support/answer.js';
import { type RequestOptions } from '../support/api-harness.js';
import { expectStatus } from '../support/factories.js';
import { formToken, publicPosting, type PublicPosting } from '../support/public-boards.js';
import { useApi } from '../support/use-api.js';
import { type Sender, TUS, tusOf } from '../support/tus.js';

const { api, make } = useApi();

const pathOf = ({ code, posting }: PublicPosting): string => `/public/v1/boards/${code}/postings/${posting.id}`;
const ANONYMOUS: RequestOptions = { token: null };
const METADATA = { kind: 'cv', filename: '../cv.txt' };

const senderOf = (open: PublicPosting, token = formToken(open.posting.id)): Sender =>
  tusOf(() => api, `${pathOf(open)}/documents/uploads${token === '' ? '' : `?token=${token}`}`);
const begin = async (open: PublicPosting): Promise<string> => {
  const sender = senderOf(open);
  return sender.pathOf(await sender.create(8, METADATA, ANONYMOUS));
};
const tus = tusOf(() => api, '');

let number = 0;
const newEmail = (): string => `board-uploads-${++number}@example.com`;
const apply = (open: PublicPosting, documents: readonly unknown[], email = newEmail(), more = {}): Promise<Answer> =>
  api.request('POST', `${pathOf(open)}/applications`, {
    token: null,
    body: {
      ...more,
      candidate: { firstname: 'Ada', lastname: 'Lovelace', email },
      documents,
      token: formToken(open.posting.id),
    },
  });

describe('a resumable upload through a public board', () => {
  test('becomes a document that an application can refer to', async () => {
    const open = await publicPosting(make);
    const path = await begin(open);
    expect(path).toMatch(new RegExp(`^${pathOf(open)}/documents/uploads/[0-9a-f-]{36}$`));
    const headers = { origin: 'https://careers.example.com', 'sec-fetch-site': 'cross-site' };
    const first = expectStatus(204, await tus.patch(path, 0, 'text', { ...ANONYMOUS, headers }));
    expect(first.headers).toMatchObject({ 'upload-offset': '4', 'access-control-allow-origin': '*' });
    expect(first.headers['access-control-expose-headers']).toContain('Upload-Document');
    expect((await tus.head(path, ANONYMOUS)).headers['upload-offset']).toBe('4');
    const { headers: last } = expectStatus(204, await tus.patch(path, 4, 'text', ANONYMOUS));
    expectStatus(202, await apply(open, [last['upload-document']]));
    const [document] = (await api.get(`/documents?search=document.application.posting.id=${open.posting.id}`)).items;
    expect(document).toMatchObject({ name: 'cv.txt', kind: 'cv', size: 8, owner: 'application' });
    expect((await apply(open, [last['upload-document']])).violations).toEqual(['invalid /documents/0']);
  });

  test('has a URL that does not tell whether the application was kept or dropped', async () => {
    const open = await publicPosting(make);
    const email = newEmail();
    for (const more of [{}, {}, { website: 'https://spam.example.com' }]) {
      const path = await begin(open);
      const { headers } = expectStatus(204, await tus.patch(path, 0, 'texttext', ANONYMOUS));
      expect((await tus.head(path, ANONYMOUS)).headers['upload-document']).toBe(headers['upload-document']);
      expectStatus(202, await apply(open, [headers['upload-document']], email, more));
      for (const answer of [
        await tus.head(path, ANONYMOUS),
        await tus.patch(path, 8, '', ANONYMOUS),
        await tus.remove(path, ANONYMOUS),
      ])
        expect(answer.status).toBe(404);
    }
    expect((await api.get(`/documents?search=document.application.posting.id=${open.posting.id}`)).items).toHaveLength(
      1,
    );
  });

  test('needs the token of the form, and knows no other parameter', async () => {
    const open = await publicPosting(make);
    for (const token of ['', formToken(open.posting.id, 0), formToken(open.posting.id + 1)]) {
      const { status, violations } = await senderOf(open, token).create(8, METADATA, ANONYMOUS);
      expect([status, violations]).toEqual([400, ['invalid ?token']]);
    }
    const query = `token=${formToken(open.posting.id)}&kind=cv`;
    const sender = tusOf(() => api, `${pathOf(open)}/documents/uploads?${query}`);
    expect((await sender.create(8, METADATA, ANONYMOUS)).violations).toEqual(['invalid ?kind']);
  });

  test('is found only at its own posting, and while the posting is open', async () => {
    const [open, other] = [await publicPosting(make), await publicPosting(make)];
    const path = await begin(open);
    const uuid = path.split('/').at(-1) ?? '';
    for (const wrong of [
      `${pathOf(other)}/documents/uploads/${uuid}`,
      `${pathOf(open)}/documents/uploads/${randomUUID()}`,
      `${pathOf({ ...open, code: 'none' })}/documents/uploads/${uuid}`,
    ])
      expect((await tus.head(wrong, ANONYMOUS)).status).toBe(404);
    expect((await tus.head(`/api/v1/documents/uploads/${uuid}`)).status).toBe(404);
    expectStatus(204, await tus.remove(path, ANONYMOUS));
    expect((await tus.head(path, ANONYMOUS)).status).toBe(404);
  });

  test('may be sent from a page of another site', async () => {
    const open = await publicPosting(make);
    const preflight = await api.request('OPTIONS', `${pathOf(open)}/documents/uploads/${randomUUID()}`, {
      token: null,
      headers: { origin: 'https://careers.example.com', 'access-control-request-method': 'PATCH' },
    });
    expect(preflight.headers['access-control-allow-methods']).toContain('PATCH');
    for (const name of [
      ...Object.keys(TUS.version),
      'upload-offset',
      'upload-length',
      'upload-metadata',
      'content-type',
    ])
      expect(preflight.headers['access-control-allow-headers']?.toLowerCase()).toContain(name);
    const options = await api.request('OPTIONS', `${pathOf(open)}/documents/uploads`, { token: null });
    expect(options.headers).toMatchObject({ 'tus-version': '1.0.0', 'access-control-allow-origin': '*' });
  });
});
