// @group sample: npm test runs a quarter of its tests
import { describe, expect, test } from '@jest/globals';
import { type Item } from '../support/answer.js';
import { expectStatus } from '../support/factories.js';
import { useApi } from '../support/use-api.js';

const { api, make } = useApi();

const pathOf = ({ url }: Item): string => url.slice(url.indexOf('/api/v1') + '/api/v1'.length);
const STALE = '"another"';

/**
 * The kinds of items. For each kind: its name, a function that creates an item, and a function that makes the body of a
 * PUT for it.
 */
const KINDS: readonly [name: string, make: () => Promise<Item>, body: (item: Item) => object][] = [
  ['candidate', () => make.candidate(), ({ email }) => ({ firstname: 'New', lastname: 'Name', email })],
  ['vacancy', () => make.vacancy(), () => ({ title: 'New' })],
  ['event', () => make.event(), ({ start_dt, end_dt }) => ({ title: 'New', start_dt, end_dt })],
  [
    'application',
    () => make.application(),
    ({ opportunity_id, user }) => ({ opportunity_id, user_id: (user as Item).id, rating: 1 }),
  ],
  [
    'event application',
    () => make.eventApplication(),
    ({ opportunity_id, user }) => ({ opportunity_id, user_id: (user as Item).id, rating: 1 }),
  ],
  ['job board', () => make.jobBoard(), ({ code }) => ({ name: 'New', code })],
  [
    'posting',
    () => make.posting(),
    ({ vacancy, job_board }) => ({
      title: 'New',
      vacancy_id: (vacancy as Item).id,
      job_board_id: (job_board as Item).id,
    }),
  ],
  ['topic', () => make.topic(), ({ type }) => ({ type, name: 'New' })],
  ['saved search', () => make.savedSearch(), () => ({ name: 'New', resource: 'users' })],
  ['configured search', () => make.configSearch(), () => ({ name: 'New', resource: 'users' })],
  ['selection', () => make.selection(), () => ({ name: 'New', resource: 'users' })],
  ['subscription', () => make.subscription(), () => ({ destination_url: 'https://new.example.com/' })],
];

describe.each(KINDS)('the item of the type %s', (_, makeOne, bodyFor) => {
  test('answers 304 to If-None-Match with its ETag', async () => {
    const path = pathOf(await makeOne());
    const { etag } = await api.get(path);
    for (const header of [etag, `"x", ${etag}`, `W/${etag}`, '*']) {
      const answer = await api.get(path, { headers: { 'if-none-match': header } });
      expect([answer.status, answer.text, answer.etag]).toEqual([304, '', etag]);
    }
    expect((await api.get(path, { headers: { 'if-none-match': STALE } })).status).toBe(200);
  });

  test('is replaced only with its current ETag in If-Match', async () => {
    const item = await makeOne();
    const path = pathOf(item);
    const { etag, text } = await api.get(path);
    const put = (ifMatch: string) => api.put(path, bodyFor(item), { headers: { 'if-match': ifMatch } });
    expect((await put(STALE)).status).toBe(412);
    expect((await api.get(path)).text).toBe(text);
    const replaced = expectStatus(200, await put(etag));
    expect(replaced.etag).not.toBe(etag);
    expect(replaced.etag).toBe((await api.get(path)).etag);
    expect((await put(etag)).status).toBe(412);
    expectStatus(200, await put('*'));
  });

  test('is deleted only with its current ETag in If-Match', async () => {
    const path = pathOf(await makeOne());
    const { etag } = await api.get(path);
    expect((await api.delete(path, { headers: { 'if-match': STALE } })).status).toBe(412);
    expectStatus(204, await api.delete(path, { headers: { 'if-match': etag } }));
    expect((await api.delete(path, { headers: { 'if-match': etag } })).status).toBe(404);
  });

  test('has another ETag in another version or language', async () => {
    const path = pathOf(await makeOne());
    const forms: readonly Readonly<Record<string, string>>[] = [
      {},
      { 'api-version': '1.9' },
      { 'accept-language': 'de' },
    ];
    const tags = forms.map(async (headers) => (await api.get(path, { headers })).etag);
    expect(new Set(await Promise.all(tags)).size).toBe(3);
  });
});

describe('a state change', () => {
  test.each([
    ['application', () => make.application(), '/process_state', 'in_review'],
    ['vacancy', () => make.vacancy(), '/state', 'closed'],
    ['event', () => make.event(), '/state', 'closed'],
  ] as const)(
    'requires the current ETag of the item or of its state in If-Match: %s',
    async (_, makeOne, segment, state) => {
      const path = pathOf(await makeOne());
      const move = (ifMatch: string) => api.put(path + segment, { state }, { headers: { 'if-match': ifMatch } });
      expect((await move(STALE)).status).toBe(412);
      const { etag: ofItem } = await api.get(path);
      expectStatus(200, await move((await api.get(path + segment)).etag));
      expect((await move(ofItem)).status).toBe(412);
      expectStatus(200, await move((await api.get(path)).etag));
    },
  );
});

describe('a credential', () => {
  test('is revoked only with its current ETag in If-Match', async () => {
    const path = pathOf(await make.credential());
    expect((await api.delete(path, { headers: { 'if-match': STALE } })).status).toBe(412);
    expectStatus(204, await api.delete(path, { headers: { 'if-match': (await api.get(path)).etag } }));
  });
});
