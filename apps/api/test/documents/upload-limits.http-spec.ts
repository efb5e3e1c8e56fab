// @group sample: npm test runs a quarter of its tests
import { describe, expect, test } from '@jest/globals';
import { MAX_OPEN_UPLOADS } from '@ats/domain';
import { type Answer } from '../support/answer.js';
import { expectStatus } from '../support/factories.js';
import { formToken, publicPosting } from '../support/public-boards.js';
import { useApi } from '../support/use-api.js';
import { TUS, tusOf } from '../support/tus.js';

const COLLECTION = '/api/v1/documents/uploads';
const MIB = 1024 * 1024;
const { api, make } = useApi({ DOCUMENT_MAX_BYTES: 1024 * MIB, BOARD_UPLOAD_LIMIT: 0, BOARD_REQUEST_LIMIT: 0 });
const tus = tusOf(() => api, COLLECTION);
const metadata = { kind: 'cv', name: 'a' };
const uuidOf = (path: string): string => path.split('/').at(-1) ?? '';

const setParts = (path: string, count: number): Promise<unknown> =>
  api.database.query(
    `UPDATE document_uploads SET part_keys = array_fill(gen_random_uuid(), ARRAY[${count}]) WHERE uuid = $1`,
    [uuidOf(path)],
  );

describe('a resumable upload is refused', () => {
  test('above the limit of unfinished uploads of a credential', async () => {
    const options = { token: await make.token('documents:create') };
    const answers: Answer[] = [];
    for (let count = 0; count < MAX_OPEN_UPLOADS; count++) answers.push(await tus.create(4, metadata, options));
    expect(answers.map(({ status }) => status)).not.toContain(429);
    expect((await tus.create(4, metadata, options)).status).toBe(429);
    expectStatus(204, await tus.patch(tus.pathOf(answers[0] as Answer), 0, 'text', options));
    expectStatus(201, await tus.create(4, metadata, options));
  });

  test('above the limit of unfinished uploads of a network through all public boards', async () => {
    const open = [await publicPosting(make), await publicPosting(make)];
    const begin = (number: number, remoteAddress: string): Promise<Answer> => {
      const { code, posting } = open[number % open.length] ?? { code: '', posting: { id: 0 } };
      const path = `/public/v1/boards/${code}/postings/${posting.id}/documents/uploads`;
      const sender = tusOf(() => api, `${path}?token=${formToken(posting.id)}`);
      return sender.create(4, metadata, { token: null, remoteAddress });
    };
    const [one, same, other] = ['2001:db8:7:8::1', '2001:db8:7:8::2', '2001:db8:7:9::1'];
    const answers: Answer[] = [];
    for (let count = 0; count < MAX_OPEN_UPLOADS; count++) answers.push(await begin(count, one));
    expect(answers.map(({ status }) => status)).not.toContain(429);
    const refused = await begin(0, same);
    expect([refused.status, refused.headers['tus-resumable']]).toEqual([429, '1.0.0']);
    expectStatus(201, await begin(1, other));
    const path = tus.pathOf(answers[0] as Answer);
    expectStatus(204, await tus.remove(path, { token: null }));
    expectStatus(201, await begin(1, same));
    expect(
      await api.database.query(`SELECT FROM document_uploads WHERE network_digest::text LIKE '%2001:db8%'`),
    ).toEqual([]);
  });

  test.each([
    ['a small file', 4, 1_000],
    ['the largest file', 1024 * MIB, 1_000 + 8 * 1024],
  ])('with more parts than %s may have', async (_, size, limit) => {
    const path = await tus.begin(size);
    await setParts(path, limit);
    expect((await tus.patch(path, 0, 'x')).status).toBe(400);
    await setParts(path, limit - 1);
    expectStatus(204, await tus.patch(path, 0, 'x'));
  });
});

describe('the protocol of resumable uploads', () => {
  test('has its version in the headers of all its answers, also of those before the handler', async () => {
    const path = await tus.begin(4);
    const limited = await make.token('documents:read');
    const answers = [
      await tus.create(4, metadata, { token: null }),
      await tus.create(4, metadata, { token: limited }),
      await tus.patch(path, 0, 'text', { token: null }),
      await api.request('GET', path),
      await tus.create(4, metadata, { headers: { origin: 'https://other.example.com' } }),
      await tus.create(2 * 1024 * MIB, metadata),
      await api.request('POST', COLLECTION, { headers: { 'tus-resumable': '0.2.2' } }),
      await tus.head(`${COLLECTION}/none`),
    ];
    expect(answers.map(({ status }) => status)).toEqual([401, 403, 401, 405, 403, 413, 412, 404]);
    expect(answers.map(({ headers }) => headers['tus-resumable'])).toEqual(answers.map(() => '1.0.0'));
    expect((await api.get('/documents')).headers['tus-resumable']).toBeUndefined();
  });

  test('honours X-HTTP-Method-Override in a POST to an upload', async () => {
    const path = await tus.begin(8);
    const send = (method: string, more = {}, to = path): Promise<Answer> =>
      api.request('POST', to, {
        headers: { ...TUS.version, 'x-http-method-override': method, ...more },
        ...('upload-offset' in more && { payload: 'text' }),
      });
    const patched = expectStatus(204, await send('PATCH', { ...TUS.bytes, 'upload-offset': '0' }));
    expect(patched.headers['upload-offset']).toBe('4');
    expect((await send('GET')).status).toBe(405);
    expectStatus(204, await send('DELETE'));
    expect((await tus.head(path)).status).toBe(404);
    const application = await make.application();
    expect((await send('DELETE', {}, `/api/v1/applications/${application.id}`)).status).toBe(405);
  });
});
