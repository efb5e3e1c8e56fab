// @group sample: npm test runs a quarter of its tests
import { describe, expect, test } from '@jest/globals';
import { type Answer, type Item } from '../support/answer.js';
import { type RequestOptions } from '../support/api-harness.js';
import { below, expectStatus } from '../support/factories.js';
import { itemIdsOf } from '../support/form-factories.js';
import { useApi } from '../support/use-api.js';

const { api, make, forms } = useApi();

const send = (method: 'PUT' | 'PATCH' | 'OPTIONS', { url }: Item, options: RequestOptions = {}): Promise<Answer> =>
  api.request(method, `/api/v1${below(url)}`, options);
const patch = (item: Item, body: unknown, options: RequestOptions = {}): Promise<Answer> =>
  send('PATCH', item, { ...options, body });
const put = (item: Item, body: unknown, options: RequestOptions = {}): Promise<Answer> =>
  send('PUT', item, { ...options, body });
const read = async ({ url }: Item, language = 'en'): Promise<Item> =>
  expectStatus(200, await api.get(below(url), { headers: { 'accept-language': language } })).item;
const inLanguage = (language: string): RequestOptions => ({ headers: { 'accept-language': language } });

describe('PATCH', () => {
  test('is announced by OPTIONS and by a 415, with its media types', async () => {
    const item = await make.jobBoard();
    const types = 'application/merge-patch+json, application/json';
    const options = await send('OPTIONS', item);
    expect([options.headers['allow'], options.headers['accept-patch']]).toEqual([
      'DELETE, GET, HEAD, OPTIONS, PATCH, PUT',
      types,
    ]);
    const wrong = await send('PATCH', item, {
      payload: '{}',
      headers: { 'content-type': 'application/json-patch+json' },
    });
    expect([wrong.status, wrong.headers['accept-patch']]).toEqual([415, types]);
    for (const type of types.split(', '))
      expectStatus(200, await patch(item, { name: type }, { headers: { 'content-type': type } }));
  });

  test('is rejected with an outdated If-Match, even if the body is invalid, and with an Idempotency-Key that a POST has used', async () => {
    const item = await make.jobBoard();
    const stale = { headers: { 'if-match': '"stale"' } };
    expect((await patch(item, { name: 'Other' }, stale)).status).toBe(412);
    expect((await patch(item, { bogus: 1 }, stale)).status).toBe(412);
    const { etag } = await api.get(below(item.url));
    expectStatus(200, await patch(item, { name: 'Other' }, { headers: { 'if-match': etag } }));
    const key = { headers: { 'idempotency-key': 'a-post' } };
    await api.post('/job_boards', { name: 'Board', code: 'patched' }, key);
    expect((await patch(item, { name: 'Third' }, key)).violations).toEqual(['idempotency_mismatch ']);
  });

  test.each([[[]], ['text'], [null], [7]])('is rejected with %j instead of an object', async (body) => {
    expect((await patch(await make.jobBoard(), body)).violations).toEqual(['invalid ']);
  });

  test('sets a default by null, and rejects null for a required, a read-only and an unknown property', async () => {
    const board = await make.jobBoard({ base_url: 'https://example.com', is_active: false });
    const { item } = expectStatus(200, await patch(board, { base_url: null, is_active: null }));
    expect(item).toMatchObject({ base_url: null, is_active: true, name: board['name'] });
    expect([...(await patch(board, { code: null, uuid: null, bogus: null })).violations].sort()).toEqual([
      'invalid /bogus',
      'missing /code',
      'read_only /uuid',
    ]);
  });

  test('reports read-only properties together with violations of the schema and of the database', async () => {
    const other = await make.jobBoard();
    const { violations } = await patch(await make.jobBoard(), { id: 7, name: 1, code: other['code'] });
    expect([...violations].sort()).toEqual(['already_exists /code', 'invalid /name', 'read_only /id']);
  });

  test('adds no history entry and no event when nothing changes', async () => {
    const posting = await make.posting();
    const count = async (): Promise<unknown> => [
      await api.database.query('SELECT count(*)::integer FROM domain_events'),
      (await api.get(`${below(posting.url)}/history`)).text,
    ];
    const before = await count();
    expect((await patch(posting, { title: posting['title'] })).item).toEqual(posting);
    expect((await patch(posting, {})).item).toEqual(posting);
    expect(await count()).toEqual(before);
  });
});

describe('a reference', () => {
  test('stays when its object is written back, and changes when the body also has another id', async () => {
    const posting = await make.posting();
    const application = await make.application({
      opportunity_id: (posting['vacancy'] as Item).id,
      posting_id: posting.id,
    });
    const { opportunity_id: _, ...withoutId } = await read(application);
    expect((await put(application, withoutId)).item).toEqual(application);
    expect((await put(application, { ...application, posting_id: null })).item['posting']).toBeNull();
    const back = expectStatus(200, await patch(application, { posting_id: posting.id })).item;
    expect((back['posting'] as Item).id).toBe(posting.id);
    const person = await make.candidate();
    const { user, candidate } = expectStatus(200, await patch(application, { user_id: person.id })).item;
    expect([(user as Item).id, (candidate as Item).id]).toEqual([person.id, person.id]);
  });

  test('does not change when the body changes its object: the answer names the property to send', async () => {
    const posting = await make.posting({ location: 'London' });
    const changed = await patch(posting, {
      job_board: { id: 999 },
      posting_loc_meth: { post_loc_vac: { location: 'Paris' } },
    });
    expect([...changed.violations].sort()).toEqual([
      'read_only /job_board/id',
      'read_only /posting_loc_meth/post_loc_vac/location',
    ]);
    expect(changed.problem.errors?.map(({ info }) => info)).toEqual(
      expect.arrayContaining([expect.stringContaining('job_board_id'), expect.stringContaining('send location')]),
    );
  });

  test('leads to a new candidate when the body has one', async () => {
    const application = await make.application();
    const person = { firstname: 'Mary', lastname: 'Somerville', email: 'mary@example.com' };
    const { user } = expectStatus(200, await patch(application, { candidate: person })).item;
    expect(user).toMatchObject(person);
    const { item } = expectStatus(200, await put(application, { ...(await read(application)), rating: 2 }));
    expect([item['rating'], item['user']]).toEqual([2, user]);
  });
});

describe('a localised text', () => {
  test('keeps its translations when a form is written back in any language', async () => {
    const option = { value: 'B', label: { en: 'Car', de: 'Auto' } };
    const item = { key: 'class', label: { en: 'Class', de: 'Klasse' }, type: 'single_select', options: [option] };
    const form = await make.form({ sections: [{ name: { en: 'Licences', de: 'Scheine' }, items: [item] }] });
    const [english, german] = [await read(form), await read(form, 'de')];
    expectStatus(200, await put(form, german, inLanguage('de')));
    expectStatus(200, await patch(form, { sections: english['sections'] }));
    expect([await read(form), await read(form, 'de')]).toEqual([english, german]);
    const [section] = german['sections'] as readonly Item[];
    const renamed = [{ ...section, name: 'Führerscheine' }];
    expectStatus(200, await patch(form, { sections: renamed }, inLanguage('de')));
    const texts = (await read(form))['sections'] as readonly Item[];
    expect([texts[0]?.['name'], itemIdsOf(await read(form))]).toEqual(['Führerscheine', itemIdsOf(english)]);
    expect((await read(form, 'de'))['sections']).toEqual(renamed);
  });

  test('keeps its translations when the columns of a layout are written back in another order', async () => {
    const columns = [
      { title: { en: 'Name', de: 'Nachname' }, datapath: 'application.user.lastname' },
      { title: { en: 'Name', de: 'Vorname' }, datapath: 'application.user.firstname' },
      { title: { en: 'Score', de: 'Punkte' }, datapath: 'application.score' },
    ];
    const layout = await make.layout({ columns });
    const shown = layout['columns'] as readonly Item[];
    const turned = [shown[2], shown[0], shown[1]].map((column) => ({ ...column, position: null }));
    expectStatus(200, await patch(layout, { columns: turned }));
    const titles = ((await read(layout, 'de'))['columns'] as readonly Item[]).map(({ title }) => title);
    expect(titles).toEqual(['Punkte', 'Nachname', 'Vorname']);
  });
});

test('a rich text keeps its formatting when it is written back as plain text or as HTML', async () => {
  const vacancy = await make.vacancy({ description: '<p>You <b>build</b> engines.</p>' });
  const html = async (): Promise<Item> => (await api.get(`${below(vacancy.url)}?rich_txt_fmt=html`)).item;
  const before = await html();
  expectStatus(200, await put(vacancy, { ...(await read(vacancy)), location: 'London' }));
  expectStatus(200, await put(vacancy, { ...(await html()), location: 'Paris' }));
  expect(await html()).toMatchObject({ description: before['description'], location: 'Paris' });
});

test('form values stay when an application is written back', async () => {
  const { answer = 0 } = await forms.itemsOf({ answer: {} });
  const application = await make.application({ form_values: [{ item_id: answer, value: 'yes' }] });
  expectStatus(200, await put(application, { ...(await read(application)), rating: 3 }));
  expectStatus(200, await patch(application, { rating: 4 }));
  expect(await forms.read(application)).toMatchObject([{ item_id: answer, value: 'yes' }]);
});

test('an item that was read with a layout can be written back', async () => {
  const application = await make.application();
  const { item } = await api.get(`${below(application.url)}?layout=${(await make.layout()).id}`);
  expect(item['layout_data']).toBeDefined();
  expect((await put(application, { ...item, rating: 1 })).item['rating']).toBe(1);
});

test('a client that cannot read the item learns no value of it by PUT or PATCH', async () => {
  const token = await make.token('applications:write');
  const application = await make.application();
  const outcomes = ['right', 'wrong'].map(async (guess) => {
    const user = guess === 'right' ? application['user'] : { id: 1 };
    const answers = [await patch(application, { user }, { token }), await put(application, { user }, { token })];
    return answers.map(({ status, violations }) => [status, violations]);
  });
  const [right, wrong] = await Promise.all(outcomes);
  expect(right).toEqual(wrong);
  expect(right?.[0]).toEqual([422, ['invalid /user']]);
  expectStatus(200, await patch(application, { rating: 5 }, { token }));
  expect((await read(application))['rating']).toBe(5);
});

describe('a subscription', () => {
  test('keeps its keys and its period when it is written back or one property changes', async () => {
    const subscription = await make.subscription({ end_dt: '2090-01-01T00:00:00.000Z' });
    expect((await put(subscription, await read(subscription))).item).toEqual(subscription);
    const { item } = expectStatus(200, await patch(subscription, { end_dt: null }));
    expect({ ...item, updated_dt: null }).toEqual({ ...subscription, end_dt: null, updated_dt: null });
    expect((await patch(subscription, { signing_key: 'mine' })).violations).toEqual(['read_only /signing_key']);
  });

  test('reports violations of the schema together with those of the period and the destination', async () => {
    const { id } = await make.topic();
    const body = { start_dt: 'nonsense', destination_url: 'ftp://example.com', bogus: 1 };
    const created = await api.post(`/notification_topics/${id}/subscriptions`, body);
    expect([...created.violations].sort()).toEqual(['invalid /bogus', 'invalid /destination_url', 'invalid /start_dt']);
    const ended = { end_dt: '2020-01-01T00:00:00.000Z', destination_url: 'ftp://example.com', bogus: 1 };
    const changed = await patch(await make.subscription(), ended);
    expect([...changed.violations].sort()).toEqual(['invalid /bogus', 'invalid /destination_url', 'invalid /end_dt']);
  });
});

test('PATCH reports an unknown property, however deeply its value is nested', async () => {
  const nested = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`;
  for (const name of ['bogus', 'Address', 'title', 'source']) {
    const answer = await send('PATCH', await make.candidate(), { payload: `{"${name}":${nested},"other":1}` });
    expect(answer.violations).toEqual(expect.arrayContaining([`invalid /${name}`, 'invalid /other']));
  }
});

test('concurrent changes of different properties by PATCH are all kept', async () => {
  const candidate = await make.candidate();
  const names = ['title', 'preferred_name', 'current_employer', 'current_title', 'source'];
  await Promise.all(names.map(async (name) => expectStatus(200, await patch(candidate, { [name]: name }))));
  expect(await read(candidate)).toMatchObject(Object.fromEntries(names.map((name) => [name, name])));
});
