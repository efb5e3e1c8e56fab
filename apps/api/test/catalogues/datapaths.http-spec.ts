import { beforeAll, describe, expect, test } from '@jest/globals';
import { sampleOf } from '../support/long-part.js';
import { itemIdsOf, OPTIONS } from '../support/form-factories.js';
import { useApi } from '../support/use-api.js';

const { api, make, forms } = useApi();

interface Entry {
  readonly path: string;
  readonly type: string;
  readonly label: string | null;
  readonly scopes: readonly string[];
  readonly used_in: readonly string[];
  readonly values: readonly string[] | null;
}

let scopeless: string;
beforeAll(async () => {
  scopeless = await make.scopelessToken();
});

const read = async (query: string, options = { token: scopeless }): Promise<readonly Entry[]> => {
  const { status, json } = await api.get(`/datapaths?${query}`, options);
  expect([query, status]).toEqual([query, 200]);
  return json as readonly Entry[];
};
const valuesOf = async (path: string): Promise<readonly string[] | null | undefined> =>
  (await read(`prefix=${path}`)).find((entry) => entry.path === path)?.values;

describe('GET /datapaths', () => {
  test('lists datapaths that searches and expressions accept with exactly the listed scopes', async () => {
    const entries = [
      ...(await read('root=application&per_page=1000')),
      ...(await read('prefix=application.user.')),
      ...(await read('prefix=application.opportunity.')),
    ].filter(({ used_in }) => used_in.includes('search') && used_in.includes('expressions'));
    expect(entries.length).toBeGreaterThan(40);
    for (const { path, scopes } of sampleOf(entries)) {
      const topic = { type: 'STATE_CHANGE_APPLICATION', name: 'Topic', expression: `${path} == NULL` };
      const post = async (granted: readonly string[]): Promise<number> =>
        (await api.post('/notification_topics', topic, { token: await make.token('notifications:write', ...granted) }))
          .status;
      expect([path, await post(scopes)]).toEqual([path, 201]);
      expect([path, await post(scopes.slice(1))]).toEqual([path, 403]);
      const token = await make.token(...scopes);
      expect([path, (await api.get(`/applications?search=${path}=`, { token })).status]).toEqual([path, 200]);
    }
  });

  test('lists the values of closed lists', async () => {
    expect(await valuesOf('application.outcome')).toContain('declined');
    expect(await valuesOf('application.main_process_state.state.state')).toContain('interview');
    expect(await valuesOf('application.main_process_state.state.is_terminal')).toEqual(['true', 'false']);
    expect(await valuesOf('application.source')).toBeNull();
  });

  test('lists form items, with labels and options only for readers of forms', async () => {
    const { a } = await forms.itemsOf({ a: { type: 'single_select', options: OPTIONS } });
    const path = `application.formdata.${a}`;
    const find = async (query: string, token: string): Promise<Entry | undefined> =>
      (await read(query, { token })).find((entry) => entry.path === path);
    const reader = await make.token('forms:read');
    const shown = await find('prefix=application.formdata.', reader);
    expect(shown).toMatchObject({ type: 'text', scopes: ['applications:read'], label: expect.any(String) });
    expect(shown?.values?.length).toBeGreaterThan(1);
    expect(shown?.used_in).toEqual(['search', 'sort', 'expressions', 'layouts', 'templates']);
    const hidden = await find('prefix=application.formdata', scopeless);
    expect([hidden?.type, hidden?.label, hidden?.values]).toEqual(['text', null, null]);
    expect(await find(`root=application&per_page=1000&q=${encodeURIComponent(shown?.label ?? '')}`, reader)).toEqual(
      shown,
    );
    expect((await api.get(`/applications?search=${path}=&sort=${path}!asc`)).status).toBe(200);
    const { answer } = itemIdsOf(await make.form({ resource: 'vacancies' }));
    const all = await read('prefix=application.opportunity.formdata.&per_page=1000');
    expect(all.map((entry) => entry.path)).toContain(`application.opportunity.formdata.${answer}`);
  });

  test('returns the datapaths in pages', async () => {
    const [all, first] = [
      await api.get('/datapaths?root=application'),
      await api.get('/datapaths?root=application&per_page=3'),
    ];
    const total = (all.json as readonly Entry[]).length;
    expect([first.headers['x-total-count'], first.json]).toEqual([
      String(total),
      (all.json as readonly Entry[]).slice(0, 3),
    ]);
    expect(first.headers['link']).toContain('page=2');
    expect(await read('root=application&page=99')).toEqual([]);
  });

  test.each([
    ['root=aplication', 'root'],
    ['prefx=a', 'prefx'],
    ['page=0', 'page'],
    ['per_page=1001', 'per_page'],
    ['q=a&q=b', 'q'],
    [`prefix=${'x'.repeat(1101)}`, 'prefix'],
  ])('rejects the query with %s', async (query, parameter) => {
    const { status, problem } = await api.get(`/datapaths?${query}`);
    expect([status, problem.errors?.map((one) => (one as { parameter?: string }).parameter)]).toEqual([
      400,
      [parameter],
    ]);
  });
});
