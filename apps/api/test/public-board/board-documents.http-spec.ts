// @group sample: npm test runs a quarter of its tests
import { describe, expect, test } from '@jest/globals';
import { type Answer, type Item } from '../support/answer.js';
import { type RequestOptions } from '../support/api-harness.js';
import { expectStatus } from '../support/factories.js';
import { formToken, publicPosting, type PublicPosting } from '../support/public-boards.js';
import { useApi } from '../support/use-api.js';
import { formData } from '../versions/form-data.js';

const { api, make } = useApi({ DOCUMENT_MAX_BYTES: 100_000 });

const HOUR_MS = 60 * 60 * 1_000;
const pathOf = ({ code, posting }: PublicPosting): string => `/public/v1/boards/${code}/postings/${posting.id}`;

const upload = (open: PublicPosting, options: RequestOptions = {}, token = formToken(open.posting.id)) =>
  api.request('POST', `${pathOf(open)}/documents?kind=cv&name=cv.txt&token=${token}`, {
    token: null,
    payload: 'text',
    ...options,
    headers: { 'content-type': 'text/plain', ...options.headers },
  });
const uploaded = async (open: PublicPosting): Promise<string> =>
  String(expectStatus(201, await upload(open)).item['document']);

let number = 0;
const apply = (open: PublicPosting, documents: readonly unknown[], properties: object = {}): Promise<Answer> =>
  api.request('POST', `${pathOf(open)}/applications`, {
    token: null,
    body: {
      candidate: { firstname: 'Ada', lastname: 'Lovelace', email: `board-documents-${++number}@example.com` },
      documents,
      token: formToken(open.posting.id),
      ...properties,
    },
  });
const documentsOf = async ({ posting }: PublicPosting): Promise<readonly Item[]> =>
  (await api.get(`/documents?search=document.application.posting.id=${posting.id}&sort=id!asc`)).items;

/** Returns the number of documents of people who have not applied yet. */
const countFree = async (): Promise<number> =>
  (await api.database.query('SELECT FROM documents WHERE application_id IS NULL AND candidate_id IS NULL')).length;

describe('an upload through a public board', () => {
  test('stores a file that an application can refer to', async () => {
    const open = await publicPosting(make);
    const { headers, item } = expectStatus(
      201,
      await upload(open, { headers: { origin: 'https://careers.example.com', 'sec-fetch-site': 'cross-site' } }),
    );
    expect(item).toEqual({
      document: expect.any(String),
      name: 'cv.txt',
      kind: 'cv',
      media_type: 'text/plain',
      size: 4,
    });
    expect(headers).toMatchObject({ 'access-control-allow-origin': '*', 'cache-control': 'no-store' });
    const answer = await apply(open, [item['document'], await uploaded(open)]);
    expect([answer.status, answer.item]).toEqual([202, { status: 'received' }]);
    const documents = await documentsOf(open);
    expect(documents.map(({ name, owner }) => [name, owner])).toEqual([
      ['cv.txt', 'application'],
      ['cv.txt', 'application'],
    ]);
  });

  test('can be sent as form data', async () => {
    const open = await publicPosting(make);
    const { payload, headers } = formData([
      { name: 'file', headers: '; filename="../letter.txt"', content: Buffer.from('letter') },
      { name: 'kind', content: Buffer.from('cover_letter') },
    ]);
    const { item } = expectStatus(
      201,
      await api.request('POST', `${pathOf(open)}/documents?token=${formToken(open.posting.id)}`, {
        token: null,
        payload: payload ?? '',
        headers,
      }),
    );
    expect(item).toMatchObject({ name: 'letter.txt', kind: 'cover_letter', size: 6 });
  });

  test.each([
    ['is missing', () => ''],
    ['is too new', (id: number) => formToken(id, 0)],
    ['is too old', (id: number) => formToken(id, 25 * HOUR_MS)],
    ['is of another posting', (id: number) => formToken(id + 1)],
  ])('is refused when the token of the form %s', async (_, token) => {
    const open = await publicPosting(make);
    const { status, violations } = await upload(open, {}, token(open.posting.id));
    expect([status, violations]).toEqual([400, ['invalid ?token']]);
  });

  test('is refused for a posting that is not open, and for too many or no bytes', async () => {
    const open = await publicPosting(make);
    const withdrawn = await publicPosting(make, { is_withdrawn: true });
    expect((await upload(withdrawn)).status).toBe(404);
    expect((await upload(open, { payload: 'x'.repeat(100_001) })).status).toBe(413);
    expect((await upload(open, { payload: '', headers: { 'content-length': '0' } })).status).toBe(400);
  });

  test('cannot be read without a credential', async () => {
    const open = await publicPosting(make);
    const token = await uploaded(open);
    const paths = [`${pathOf(open)}/documents/${token}`, `${pathOf(open)}/documents`, `/documents/${token}`];
    const answers = paths.map((path) => api.request('GET', path, { token: null }));
    for (const { status } of await Promise.all(answers)) expect([403, 404, 405]).toContain(status);
  });
});

describe('documents of an application', () => {
  test('are refused with all other violations, each with its pointer, and nothing is stored', async () => {
    const [open, other] = [await publicPosting(make), await publicPosting(make)];
    const [used, free, foreign] = [await uploaded(open), await uploaded(open), await uploaded(other)];
    expectStatus(202, await apply(open, [used]));
    const refused = await apply(open, ['x', free, used, foreign, free]);
    expect([refused.status, [...refused.violations].sort()]).toEqual([
      422,
      ['invalid /documents/0', 'invalid /documents/2', 'invalid /documents/3', 'invalid /documents/4'],
    ]);
    const malformed = await apply(open, [1, used], { candidate: { firstname: 'Ada' } });
    expect([...malformed.violations].sort()).toEqual([
      'invalid /documents/0',
      'invalid /documents/1',
      'missing /candidate/email',
      'missing /candidate/lastname',
    ]);
    expectStatus(202, await apply(open, [free]));
    expect(await documentsOf(open)).toHaveLength(2);
  });

  test('can be used only once, even by a dropped application, so that a second use does not tell who has applied', async () => {
    const open = await publicPosting(make);
    const candidate = { firstname: 'Ada', lastname: 'Lovelace', email: (await make.candidate())['email'] };
    expectStatus(202, await apply(open, [], { candidate }));
    const recruiter = { ...candidate, email: (await make.recruiter())['email'] };
    const before = await countFree();
    const answers: unknown[] = [];
    for (const properties of [{}, { candidate }, { candidate: recruiter }, { website: 'https://spam.example.com' }]) {
      const document = await uploaded(open);
      const first = await apply(open, [document], properties);
      const second = await apply(open, [document]);
      answers.push([first.status, first.item, second.status, second.violations]);
    }
    expect(answers).toEqual(
      Array.from({ length: 4 }, () => [202, { status: 'received' }, 422, ['invalid /documents/0']]),
    );
    expect(await documentsOf(open)).toHaveLength(1);
    expect(await countFree()).toBe(before);
  });
});
