import { beforeAll, describe, expect, test } from '@jest/globals';
import { VERSIONS } from '../../src/versions/versions.js';
import { type Answer, type Item } from '../support/answer.js';
import { expectStatus } from '../support/factories.js';
import { type OpenApiDocument, parameterText } from '../support/openapi-document.js';
import { useApi } from '../support/use-api.js';

const { api, make } = useApi();
let system: Item;

beforeAll(async () => {
  await api.database.query(
    `UPDATE systems SET domain = 'jobs.example.co.uk', name = 'The system of "domain":"jobs.example.co.uk"'`,
  );
  system = (await api.get('/systems', { headers: { 'api-version': '1.5' } })).items[0] as Item;
});

const at = (version: string, path: string): Promise<Answer> => api.get(path, { headers: { 'api-version': version } });

describe('the domain of a system', () => {
  test.each([
    ['1.4', 'jobs'],
    ['1.5', 'jobs.example.co.uk'],
  ])('is shown at %s as %s, in the collection and in the item', async (version, domain) => {
    const [list, item] = [await at(version, '/systems'), await at(version, `/systems/${system.id}`)];
    expect(list.items).toEqual([{ ...system, domain }]);
    expect(item.item).toEqual({ ...system, domain });
  });

  test('is only the host label in an item with a layout, but the full name in layout_data', async () => {
    const layout = await make.layout({
      resource: 'systems',
      columns: [
        { title: 'Domain', datapath: 'system.domain' },
        { title: 'Id', datapath: 'system.id' },
      ],
    });
    const { item } = expectStatus(200, await at('1.4', `/systems/${system.id}?layout=${layout.id}`));
    expect([item['domain'], item['layout_data']]).toEqual([
      'jobs',
      [{ value: 'jobs.example.co.uk' }, { value: system.id }],
    ]);
  });

  test('is searched by its full name in every version, as the API reference of 1.4 says', async () => {
    const found = async (query: string): Promise<number> => (await at('1.4', `/systems?${query}`)).items.length;
    expect([
      await found('search=/domain=jobs'),
      await found('search=/domain=jobs.example.co.uk'),
      await found('filter=example.co'),
    ]).toEqual([0, 1, 1]);
    const [before, after] = await Promise.all(
      ['1.4', '1.5'].map(
        async (version) => (await api.request('GET', `/openapi.json?version=${version}`)).json as OpenApiDocument,
      ),
    );
    for (const name of ['search', 'filter', 'sort', 'layout']) {
      expect([name, parameterText(before as OpenApiDocument, '/systems', name)]).toEqual([
        name,
        expect.stringContaining('domain name'),
      ]);
      expect([name, parameterText(after as OpenApiDocument, '/systems', name)]).toEqual([
        name,
        expect.stringMatching(/^(?!.*domain name)./),
      ]);
    }
    expect(JSON.stringify(VERSIONS.declarations)).toContain('use the whole name in every version');
  });

  test('causes no error on an empty page', async () => {
    expect((await at('1.4', '/systems?search=/name=nobody')).text).toBe('[]');
  });

  test('is not replaced in error bodies', async () => {
    const answers = [await at('1.4', '/systems/987654321'), await at('1.4', '/systems?search=x')];
    expect(answers.map(({ status }) => status)).toEqual([404, 400]);
  });
});
