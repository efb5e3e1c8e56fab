// @group sample: npm test runs a quarter of its tests
import { beforeAll, describe, expect, test } from '@jest/globals';
import { VERSIONS } from '../../src/versions/versions.js';
import { type Answer, type Item } from '../support/answer.js';
import { BASE_URL, type RequestOptions } from '../support/api-harness.js';
import { below, expectStatus } from '../support/factories.js';
import { type OpenApiDocument, parameterText } from '../support/openapi-document.js';
import { useApi } from '../support/use-api.js';

const { api, make } = useApi();
let application: Item;
let registration: Item;

beforeAll(async () => {
  application = await make.application();
  registration = await make.eventApplication();
});

const at = (version: string, options: RequestOptions = {}): RequestOptions => ({
  ...options,
  headers: { 'api-version': version, ...options.headers },
});
const address = (path: string): string => `${BASE_URL}/api/v1/${path}`;

/** Converts an answer of 1.4 to the answer of 1.3. The answer must have no text of a client. */
const older = (json: string): string =>
  json
    .replaceAll('/vacancy_applications/', '/applications/')
    .replaceAll('/event_applications/', '/event_registrations/');

async function bothSides(path: string): Promise<readonly [older: Answer, newer: Answer]> {
  const [before, after] = [
    expectStatus(200, await api.get(path, at('1.3'))),
    expectStatus(200, await api.get(path, at('1.4'))),
  ];
  return [before, after];
}

describe('below 1.4, URLs of applications', () => {
  test('contain the old path names, whether the request uses an old or a new path', async () => {
    for (const [path, item, name] of [
      ['applications', application, 'applications'],
      ['vacancy_applications', application, 'applications'],
      ['event_applications', registration, 'event_registrations'],
      ['event_registrations', registration, 'event_registrations'],
    ] as const) {
      const [before, after] = await bothSides(`/${path}/${item.id}`);
      expect([before.item.url, after.item.url]).toEqual([address(`${name}/${item.id}`), item.url]);
      expect({ ...before.item, url: item.url }).toEqual(after.item);
      const [list] = await bothSides(`/${path}`);
      expect(list.items.map(({ url }) => url)).toEqual([address(`${name}/${item.id}`)]);
    }
  });

  test('contain the old path names in a page whose texts have other characters than ASCII', async () => {
    const source = `Küche, 日本語, 🙂, "url":"${address('vacancy_applications/1')}"`;
    const { id, url } = await make.application({ source });
    const [before, after] = await bothSides(`/applications?search=/id=${id}`);
    expect(after.items[0]).toMatchObject({ source, url });
    expect(before.text).toBe(after.text.replace(String(url), address(`applications/${id}`)));
  });

  test('contain the old path names in all answers that have such URLs', async () => {
    await make.communication({ application });
    expectStatus(200, await api.put(`${below(application.url)}/process_state`, { state: 'in_review' }));
    await make.subscription();
    for (const path of [
      '/communications',
      `/applications/${application.id}/comms`,
      `/applications/${application.id}/history`,
      '/applications/history',
      '/notification_events',
      '/api/quick_search?q=ada',
    ]) {
      const [before, after] = await bothSides(path);
      expect(after.text).toContain('/vacancy_applications/');
      expect(before.text).not.toContain('/vacancy_applications/');
      expect(before.text).toContain('/api/v1/applications/');
    }
  });

  test('contain the old path names in Location, in created items and in replayed answers', async () => {
    const body = { opportunity_id: (await make.vacancy()).id, user_id: (await make.candidate()).id };
    const headers = { 'idempotency-key': 'made-at-1.3' };
    const made = expectStatus(201, await api.post('/vacancy_applications', body, at('1.3', { headers })));
    expect([made.item.url, made.headers['location']]).toEqual([
      address(`applications/${made.item.id}`),
      address(`applications/${made.item.id}`),
    ]);
    const again = await api.post('/vacancy_applications', body, at('1.3', { headers }));
    expect([again.text, again.headers['location'], again.headers['idempotency-replayed']]).toEqual([
      made.text,
      made.headers['location'],
      'true',
    ]);
    const newer = await api.post('/vacancy_applications', body, at('1.4', { headers }));
    expect([newer.item.url, newer.headers['location'], newer.headers['idempotency-replayed']]).toEqual([
      address(`vacancy_applications/${made.item.id}`),
      address(`vacancy_applications/${made.item.id}`),
      'true',
    ]);
  });

  test('can be requested with the old path names', async () => {
    const { url } = (await api.get(`/event_applications/${registration.id}`, at('1.2'))).item;
    expect((await api.get(below(url), at('1.2'))).item.id).toBe(registration.id);
  });

  test('are not replaced in texts that clients wrote', async () => {
    const mine = address('vacancy_applications/1');
    const json = `{"url":"${mine}","url" : "${mine}"} ,"url":"${mine}`;
    const candidate = await make.candidate({
      firstname: `,"url":"${mine}`,
      Url: [{ Label: 'website', Address: mine }],
      tags: [mine, 'url'],
    });
    const vacancy = await make.vacancy({ title: json, description: `<p>${mine} {"url":"${mine}"}</p>` });
    const own = await make.application({
      user_id: candidate.id,
      opportunity_id: vacancy.id,
      source: json,
      tags: ['url', mine],
    });
    await make.communication({ application: own, subject: json.slice(0, 200), body: `<p>${json}</p>` });
    expectStatus(
      200,
      await api.put(`/vacancies/${vacancy.id}`, { title: `${json} 2`, description: vacancy['description'] }),
    );
    for (const path of [
      `/candidates/${candidate.id}`,
      `/vacancies/${vacancy.id}`,
      `/vacancies/${vacancy.id}?rich_txt_fmt=html`,
    ]) {
      const [before, after] = await bothSides(path);
      expect(after.text).toContain(mine);
      expect(before.text).toBe(after.text);
    }
    const [history] = (await api.get(`/vacancies/${vacancy.id}/history`, at('1.3'))).items;
    expect(history?.['changes']).toEqual([{ path: '/title', old: json, new: `${json} 2` }]);
    for (const path of [`/vacancy_applications/${own.id}`, `/vacancy_applications/${own.id}/comms`]) {
      const [before, after] = await bothSides(path);
      const newNames = address(`vacancy_applications/${own.id}"`);
      expect(before.text).toBe(after.text.replaceAll(newNames, older(newNames)));
    }
    expect((await api.get(`/vacancy_applications/${own.id}`, at('1.3'))).item).toMatchObject({
      source: json,
      tags: ['url', mine],
    });
  });

  test('stay unchanged in stored messages of a subscription', async () => {
    const subscription = await make.subscription();
    const body = `{"details":{"url":"${address('vacancy_applications/1')}"}}`;
    await make.delivery({ subscription, body });
    const [before] = await bothSides(`${below(subscription.url)}/messages`);
    expect((before.json as { readonly items: readonly Item[] }).items.map((item) => item['body'])).toEqual([body]);
  });

  test('contain the requested path name in Link headers', async () => {
    for (const path of ['vacancy_applications', 'applications']) {
      const { headers } = await api.get(`/${path}?per_page=1`, at('1.3'));
      expect(headers['link']).toContain(`<${address(path)}?per_page=1&page=1>; rel="first"`);
    }
  });
});

describe('below 1.4, the parameters `search` and `layout`', () => {
  test('use the new path names: a search for an old URL finds nothing, and a layout shows the new URL', async () => {
    const found = async (url: string): Promise<number> =>
      (await api.get(`/applications?search=${encodeURIComponent(`/url=${url}`)}`, at('1.3'))).items.length;
    expect([
      await found(address(`applications/${application.id}`)),
      await found(address(`vacancy_applications/${application.id}`)),
    ]).toEqual([0, 1]);
    const layout = await make.layout({
      resource: 'applications',
      columns: [{ title: 'Address', datapath: 'application.url' }],
    });
    const { item } = await api.get(`/applications/${application.id}?layout=${layout.id}`, at('1.3'));
    expect(item['layout_data']).toEqual([{ value: address(`vacancy_applications/${application.id}`) }]);
  });

  test('are documented to use the new path names in operations that show URLs of applications', async () => {
    const [before, after] = await Promise.all(
      ['1.3', '1.4'].map(
        async (version) => (await api.request('GET', `/openapi.json?version=${version}`)).json as OpenApiDocument,
      ),
    );
    for (const path of ['/applications', '/event_registrations', '/communications', '/event_applications/{id}/comms']) {
      for (const name of ['search', 'layout']) {
        expect(parameterText(before as OpenApiDocument, path, name)).toContain('newer form');
        expect(parameterText(after as OpenApiDocument, path, name)).toMatch(/^(?!.*newer form)./);
      }
    }
    expect(parameterText(before as OpenApiDocument, '/job_boards', 'search')).toMatch(/^(?!.*newer form)./);
    expect(JSON.stringify(VERSIONS.declarations)).toContain('have the new names in every version');
  });
});

describe('below 1.4, an answer', () => {
  test('has no body when 1.4 sends none, and HEAD matches GET', async () => {
    const get = await api.get(`/vacancy_applications/${application.id}`, at('1.3'));
    const head = await api.request('HEAD', `/api/v1/vacancy_applications/${application.id}`, at('1.3'));
    expect([head.status, head.text, head.headers['content-length'], head.etag]).toEqual([
      200,
      '',
      String(Buffer.byteLength(get.text)),
      get.etag,
    ]);
    const page = await api.get('/vacancy_applications', at('1.3'));
    expect((await api.request('HEAD', '/api/v1/vacancy_applications', at('1.3'))).headers['content-length']).toBe(
      String(Buffer.byteLength(page.text)),
    );
    expect([page.headers['content-length']]).toEqual([String(Buffer.byteLength(page.text))]);
    const known = await api.get(
      `/vacancy_applications/${application.id}`,
      at('1.3', { headers: { 'if-none-match': get.etag } }),
    );
    expect([known.status, known.text, known.etag]).toEqual([304, '', get.etag]);
    const own = await make.application();
    const gone = await api.delete(below(own.url), at('1.2'));
    expect([gone.status, gone.text]).toEqual([204, '']);
  });

  test('has its own ETag, which If-Match accepts', async () => {
    const own = await make.application();
    const path = `/applications/${own.id}`;
    const [before, after] = await bothSides(path);
    expect(before.etag).not.toBe(after.etag);
    const body = { opportunity_id: own['opportunity_id'], user_id: (own['user'] as Item).id, rating: 1 };
    expect((await api.put(path, body, at('1.3', { headers: { 'if-match': after.etag } }))).status).toBe(412);
    const put = expectStatus(200, await api.put(path, body, at('1.3', { headers: { 'if-match': before.etag } })));
    expect([put.item.url, put.etag]).toEqual([
      address(`applications/${own.id}`),
      (await api.get(path, at('1.3'))).etag,
    ]);
    expectStatus(200, await api.put(path, { ...body, rating: 2 }, at('1.3', { headers: { 'if-match': put.etag } })));
  });

  test('has a normal error body when the request failed', async () => {
    const answers = [
      await api.get('/vacancy_applications/987654321', at('1.2')),
      await api.get('/vacancy_applications?x=1', at('1.2')),
      await api.get('/nowhere', at('1.2')),
      await api.get('/vacancy_applications', at('1.2', { token: 'nobody' })),
      await api.request('PATCH', '/api/v1/vacancy_applications', at('1.2')),
      await api.post('/vacancy_applications', {}, at('1.2')),
      await api.request('POST', '/api/v1/vacancy_applications', at('1.2', { payload: '{' })),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 400, 404, 401, 405, 422, 400]);
    for (const { problem, headers } of answers)
      expect([typeof problem.message, headers['api-version']]).toEqual(['string', '1.2']);
  });
});

describe('below 1.4, quick search', () => {
  test('uses the old group names', async () => {
    const found = async (version: string): Promise<Readonly<Record<string, readonly Item[]>>> =>
      (await api.get('/api/quick_search?q=byron', at(version))).json as Readonly<Record<string, readonly Item[]>>;
    const [before, after] = [await found('1.3'), await found('1.4')];
    expect(Object.keys(before)).toEqual([
      'candidates',
      'vacancies',
      'events',
      'postings',
      'applications',
      'event_registrations',
    ]);
    expect(Object.keys(after)).toEqual([
      'candidates',
      'vacancies',
      'events',
      'postings',
      'vacancy_applications',
      'event_applications',
    ]);
    expect(after['vacancy_applications']?.length).toBeGreaterThan(0);
    const ours = (group: readonly Item[] = []): string =>
      JSON.stringify(group.filter(({ id }) => id === application.id || id === registration.id));
    expect(ours(before['applications'])).toBe(older(ours(after['vacancy_applications'])));
    expect(ours(before['event_registrations'])).toBe(older(ours(after['event_applications'])));
    expect(before['candidates']).toEqual(after['candidates']);
  });

  test('omits groups that the credential may not read', async () => {
    const token = await make.token('candidates:read');
    expect(Object.keys((await api.get('/api/quick_search?q=byron', at('1.2', { token }))).json as object)).toEqual([
      'candidates',
    ]);
  });
});
