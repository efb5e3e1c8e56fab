import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Item } from '../support/answer.js';
import { expectStatus } from '../support/factories.js';
import { useApi } from '../support/use-api.js';

const { api, make } = useApi();

let vacancy: Item;

beforeAll(async () => {
  vacancy = await make.vacancy({ title: 'Analyst', department: 'Research' });
  await make.vacancy({ title: 'Editor' });
});

const item = async (query: string): Promise<Item> => expectStatus(200, await api.get(query)).item;
const violation = async (path: string): Promise<unknown> => {
  const { errors } = expectStatus(400, await api.get(path)).item as unknown as { errors: readonly unknown[] };
  expect(errors).toHaveLength(1);
  return errors[0];
};

describe('the parameter fields', () => {
  test('limits an item to the named properties and its id', async () => {
    expect(await item(`/vacancies/${vacancy.id}?fields=title,department`)).toEqual({
      id: vacancy.id,
      title: 'Analyst',
      department: 'Research',
    });
  });

  test('limits the items of a page and keeps count, links and conditions on other properties', async () => {
    const answer = expectStatus(200, await api.get('/vacancies?fields=title&search=/department=Research&per_page=1'));
    expect(answer.items).toEqual([{ id: vacancy.id, title: 'Analyst' }]);
    expect(answer.headers['x-total-count']).toBe('1');
    expect(answer.headers['link']).toContain('fields=title');
    const first = expectStatus(200, await api.get('/vacancies?fields=title&per_page=1&sort=title!asc'));
    const next = /<([^>]*)>; rel="next"/.exec(String(first.headers['link']))?.[1] ?? '';
    const second = expectStatus(200, await api.get(`/vacancies${new URL(next).search}`));
    expect(second.items.map((one) => Object.keys(one))).toEqual([['id', 'title']]);
  });

  test('keeps a named object as a whole', async () => {
    const { id, user, process_state } = await make.application();
    expect(await item(`/applications/${id}?fields=user,process_state`)).toEqual({ id, user, process_state });
  });

  test('accepts properties that only single items have, and that pages leave out', async () => {
    const candidate = await make.candidate();
    const whole = await item(`/candidates/${candidate.id}`);
    const page = expectStatus(200, await api.get(`/candidates?search=/id=${candidate.id}`)).items[0] ?? {};
    const onlyInItems = Object.keys(whole).filter((name) => !Object.keys(page).includes(name));
    for (const name of onlyInItems) {
      expect(await item(`/candidates/${candidate.id}?fields=${name}`)).toEqual({
        id: candidate.id,
        [name]: whole[name],
      });
      expect((await api.get(`/candidates?search=/id=${candidate.id}&fields=${name}`)).items).toEqual([
        { id: candidate.id },
      ]);
    }
  });

  test('keeps layout_data when there is a layout', async () => {
    const layout = await make.layout({
      resource: 'vacancies',
      columns: [{ title: 'Name', datapath: 'vacancy.title' }],
    });
    const expected = { id: vacancy.id, department: 'Research', layout_data: [{ value: 'Analyst' }] };
    expect(await item(`/vacancies/${vacancy.id}?fields=department&layout=${layout.id}`)).toEqual(expected);
  });

  test('leads to another ETag', async () => {
    const path = `/vacancies/${vacancy.id}`;
    const [whole, limited] = [await api.get(path), await api.get(`${path}?fields=title`)];
    expect(limited.headers['etag']).not.toBe(whole.headers['etag']);
    const headers = { 'if-none-match': String(limited.headers['etag']) };
    expectStatus(304, await api.get(`${path}?fields=title`, { headers }));
    expectStatus(200, await api.get(`${path}?fields=department`, { headers }));
    expectStatus(
      412,
      await api.put(path, { title: 'Analyst' }, { headers: { 'if-match': String(limited.headers['etag']) } }),
    );
  });

  test.each([
    ['titel', 'did you mean "title"?'],
    ['title,', '"" is no property'],
    ['user.firstname', '"user.firstname" is no property of the item, did you mean "user"?', '/applications'],
    ['', '"" is no property'],
  ])('rejects fields=%s', async (fields, info, path = '/vacancies') => {
    expect(await violation(`${path}?fields=${fields}`)).toMatchObject({
      parameter: 'fields',
      code: 'invalid',
      info: expect.stringContaining(info),
    });
  });

  test('is rejected on an item when it has an unknown name, and on a page when it is given twice', async () => {
    expect(await violation(`/vacancies/${vacancy.id}?fields=nmae`)).toMatchObject({ parameter: 'fields' });
    expect(await violation('/vacancies?fields=id&fields=title')).toMatchObject({ parameter: 'fields' });
  });

  test('limits properties that are not part of the model', async () => {
    const endpoint = await make.endpoint();
    const path = `/notification_endpoints/${endpoint.id}`;
    const { name, health } = await item(path);
    expect(await item(`${path}?fields=name`)).toEqual({ id: endpoint.id, name });
    expect(await item(`${path}?fields=health`)).toEqual({ id: endpoint.id, health });
    expect(Object.keys(await item(`${path}?fields=signing_key`)).sort()).toEqual(['id', 'signing_key']);
    const page = (fields: string) => api.get(`/notification_endpoints?search=/id=${endpoint.id}&fields=${fields}`);
    expect((await page('name')).items).toEqual([{ id: endpoint.id, name }]);
    expect((await page('health')).items).toEqual([{ id: endpoint.id, health: expect.anything() }]);
  });

  test('limits items in older versions', async () => {
    const headers = { 'api-version': '1.4' };
    const { items } = expectStatus(200, await api.get('/systems?fields=name', { headers }));
    expect(Object.keys(items[0] ?? {})).toEqual(['id', 'name']);
    const [system] = expectStatus(200, await api.get('/systems?fields=domain', { headers })).items;
    expect(String(system?.['domain'])).not.toContain('.');
  });
});
