import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { identityOf, type Item } from '../support/answer.js';
import { BASE_URL } from '../support/api-harness.js';
import { expectStatus } from '../support/factories.js';
import { useApi } from '../support/use-api.js';

interface Column {
  readonly position: number;
  readonly title: string;
  readonly datapath: string;
  readonly type: string;
  readonly is_many: boolean;
}

type LayoutData = readonly { readonly value: unknown; readonly value_raw?: unknown }[];

const { api, make } = useApi();

const columnsOf = ({ columns }: Item): readonly Column[] => columns as readonly Column[];
const dataOf = ({ layout_data }: Item): LayoutData => layout_data as LayoutData;
const titled = (...datapaths: readonly string[]): readonly object[] =>
  datapaths.map((datapath) => ({ title: 'Title', datapath }));
const speaking = (language: string) => ({ headers: { 'accept-language': language } });

describe('a layout', () => {
  test('reads as it was written, with types derived from its datapaths', async () => {
    const columns = [
      { title: 'Candidate', datapath: 'application.user' },
      { title: 'Submitted', datapath: 'application.submitted_dt' },
      { title: 'Cities', datapath: 'candidate.Address.City' },
      { title: 'Tags', datapath: 'tags' },
    ];
    const { item, headers } = expectStatus(
      201,
      await api.post('/layouts', { name: 'Layout', resource: 'applications', columns }),
    );
    expect(item).toEqual({
      ...identityOf(item, `${BASE_URL}/api/v1/layouts/${item.id}`),
      name: 'Layout',
      resource: 'applications',
      columns: [
        { position: 1, title: 'Candidate', datapath: 'application.user', type: 'reference', is_many: false },
        { position: 2, title: 'Submitted', datapath: 'application.submitted_dt', type: 'datetime', is_many: false },
        { position: 3, title: 'Cities', datapath: 'application.candidate.Address.City', type: 'text', is_many: true },
        { position: 4, title: 'Tags', datapath: 'application.tags', type: 'text', is_many: true },
      ],
    });
    expect(headers['location']).toBe(item.url);
    expect((await api.get(`/layouts/${item.id}`)).item).toEqual(item);
  });

  test.each([
    ['applications', 'score', 'decimal'],
    ['applications', 'rating', 'integer'],
    ['applications', 'user.fullname', 'text'],
    ['applications', 'age_days', 'integer'],
    ['vacancies', 'description', 'rich_text'],
    ['vacancies', 'closing_date', 'date'],
    ['job_boards', 'is_active', 'boolean'],
    ['candidates', 'Email', 'reference'],
    ['layouts', 'columns.title', 'text'],
  ])('for %s has a column %s of the type %s', async (resource, datapath, type) => {
    expect(columnsOf(await make.layout({ resource, columns: titled(datapath) }))[0]).toMatchObject({ type });
  });

  test('can be replaced as a whole, also by its own reading, and deleted', async () => {
    const layout = await make.layout({ columns: titled('reference', 'source', 'tags') });
    const same = { name: layout['name'], resource: layout['resource'], columns: layout['columns'] };
    expect(expectStatus(200, await api.put(`/layouts/${layout.id}`, same)).item).toEqual(layout);
    const { item } = expectStatus(
      200,
      await api.put(`/layouts/${layout.id}`, { name: 'New', resource: 'candidates', columns: titled('lastname') }),
    );
    expect(item).toMatchObject({
      name: 'New',
      resource: 'candidates',
      columns: [{ position: 1, datapath: 'candidate.lastname' }],
    });
    expectStatus(204, await api.delete(`/layouts/${layout.id}`));
    expect((await api.get(`/layouts/${layout.id}`)).status).toBe(404);
  });

  test('keeps the order of the list, or of the positions', async () => {
    const datapathsOf = async (...positions: readonly (number | undefined)[]) => {
      const names = ['id', 'source', 'rating'];
      const layout = await make.layout({
        columns: positions.map((position, index) => ({
          ...(position && { position }),
          title: 'T',
          datapath: names[index],
        })),
      });
      return columnsOf(layout).map(({ position, datapath }) => `${position} ${datapath.split('.')[1]}`);
    };
    expect(await datapathsOf(undefined, undefined, undefined)).toEqual(['1 id', '2 source', '3 rating']);
    expect(await datapathsOf(3, 1, 2)).toEqual(['1 source', '2 rating', '3 id']);
    expect(await datapathsOf(3, undefined, 1)).toEqual(['1 rating', '2 source', '3 id']);
  });

  test.each([
    [{}, ['missing /columns', 'missing /name', 'missing /resource']],
    [{ name: ' ', resource: 'applicants', columns: [] }, ['invalid /columns', 'invalid /name', 'invalid /resource']],
    [{ name: 'x', resource: 'notification_subscriptions', columns: titled('id') }, ['invalid /resource']],
    [
      { name: 'x', resource: 'applications', columns: [1, null, [], {}] },
      [
        'invalid /columns/0',
        'invalid /columns/2',
        'missing /columns/1',
        'missing /columns/3/datapath',
        'missing /columns/3/title',
      ],
    ],
    [
      {
        name: 'x',
        resource: 'applications',
        columns: [{ title: '', datapath: '', id: 1, type: 'string', is_many: 'no', position: 0 }],
      },
      [
        'invalid /columns/0/datapath',
        'invalid /columns/0/id',
        'invalid /columns/0/is_many',
        'invalid /columns/0/position',
        'invalid /columns/0/title',
        'invalid /columns/0/type',
      ],
    ],
    [
      { name: 7, resource: 'applications', columns: titled('reference', 'refrence', 'user.fistname') },
      ['invalid /columns/1/datapath', 'invalid /columns/2/datapath', 'invalid /name'],
    ],
    [
      { name: 'x', resource: 'bogus', columns: titled('a..b', 'nothing') },
      ['invalid /columns/0/datapath', 'invalid /resource'],
    ],
    [
      {
        name: 'x',
        resource: 'applications',
        columns: titled('candidate.first name', 'user.', 'a\u0000', 'a\ud800', '__proto__', 'x'.repeat(5_000)),
      },
      [0, 1, 2, 3, 4, 5].map((index) => `invalid /columns/${index}/datapath`),
    ],
    [
      {
        name: 'x',
        resource: 'applications',
        columns: [{ title: 'T', datapath: 'score', type: 'text', is_many: true }],
      },
      ['invalid /columns/0/is_many', 'invalid /columns/0/type'],
    ],
    [
      {
        name: 'x',
        resource: 'applications',
        columns: [1, 1, 3].map((position) => ({ position, title: 'T', datapath: 'id' })),
      },
      ['invalid /columns/0/position', 'invalid /columns/1/position'],
    ],
    [
      {
        name: 'x',
        resource: 'applications',
        columns: [
          { title: 'T', datapath: 'id' },
          { position: 1, title: 'T', datapath: 'id' },
        ],
      },
      ['invalid /columns/1/position'],
    ],
    [
      { name: 'x', resource: 'applications', columns: [{ position: 2, title: 'T', datapath: 'id' }] },
      ['invalid /columns/0/position'],
    ],
    [
      {
        name: 'x',
        resource: 'applications',
        columns: Array.from({ length: 101 }, () => ({ title: 'T', datapath: 'bogus' })),
      },
      ['invalid /columns'],
    ],
  ])('reports every violation of %#', async (body, violations) => {
    const { status, violations: found } = await api.post('/layouts', body);
    expect([status, [...found].sort()]).toEqual([422, violations]);
  });

  test('reports the position of a datapath error and a suggestion', async () => {
    const { problem } = await api.post('/layouts', {
      name: 'x',
      resource: 'applications',
      columns: titled('reference', 'application.user.fistname'),
    });
    expect(problem.errors?.[0]).toMatchObject({
      resource: 'layouts',
      path: '/columns/1/datapath',
      info: expect.stringMatching(/^1:18: .*"fistname"; did you mean "firstname"\?\n.*\n +\^{8}$/),
    });
  });

  test('accepts 100 columns and datapaths of 16 names', async () => {
    const { item } = expectStatus(
      201,
      await api.post('/layouts', {
        name: 'x',
        resource: 'applications',
        columns: Array.from({ length: 100 }, () => ({ title: 'T', datapath: 'id' })),
      }),
    );
    expect(columnsOf(item)).toHaveLength(100);
    await make.application();
    expect(dataOf((await api.get(`/applications?layout=${item.id}`)).items[0] as Item)).toHaveLength(100);
    const deep = (steps: number): string => `${'copied_from.'.repeat(steps)}id`;
    expect(columnsOf(await make.layout({ columns: titled(deep(14)) }))).toHaveLength(1);
    expect(
      (await api.post('/layouts', { name: 'x', resource: 'applications', columns: titled(deep(15)) })).violations,
    ).toEqual(['invalid /columns/0/datapath']);
    const withLabel = `${'copied_from.'.repeat(14)}copied_from`;
    expect(
      (await api.post('/layouts', { name: 'x', resource: 'applications', columns: titled(withLabel) })).violations,
    ).toEqual(['invalid /columns/0/datapath']);
  });

  test('accepts at most 50 related objects', async () => {
    const chains = ['user', 'candidate', 'posting', 'opportunity', 'vacancy.owner', 'event'].flatMap((end) =>
      Array.from({ length: 12 }, (_, index) => `${'copied_from.'.repeat(index)}${end}.id`),
    );
    const { status, violations } = await api.post('/layouts', {
      name: 'x',
      resource: 'applications',
      columns: titled(...chains),
    });
    expect([status, violations[0], violations.length]).toEqual([
      422,
      `invalid /columns/${39}/datapath`,
      chains.length - 39,
    ]);
    expectStatus(
      201,
      await api.post('/layouts', { name: 'x', resource: 'applications', columns: titled(...chains.slice(0, 39)) }),
    );
  });
});

describe('titles', () => {
  test('are read in the language of the request, then of the system, then in any', async () => {
    const title = async (text: unknown, language: string) => {
      const layout = await make.layout({ columns: [{ title: text, datapath: 'id' }] });
      return columnsOf((await api.get(`/layouts/${layout.id}`, speaking(language))).item)[0]?.title;
    };
    expect(await title({ en: 'Name', de: 'Nachname' }, 'de-AT')).toBe('Nachname');
    expect(await title({ en: 'Name', de: 'Nachname' }, 'fr')).toBe('Name');
    expect(await title({ fr: 'Nom', de: 'Nachname' }, 'ar')).toBe('Nachname');
    expect(await title('Name', 'de')).toBe('Name');
  });

  test('without a language are in the system’s default language', async () => {
    await api.database.query(`UPDATE systems SET default_language = 'de'`);
    try {
      const { id } = await make.layout({ columns: [{ title: 'Nachname', datapath: 'id' }] });
      await api.database.query(`UPDATE layout_columns SET title = title || '{"en": "Name"}' WHERE layout_id = $1`, [
        id,
      ]);
      const titleIn = async (language: string) =>
        columnsOf((await api.get(`/layouts/${id}`, speaking(language))).item)[0]?.title;
      expect([await titleIn('de'), await titleIn('en'), await titleIn('fr')]).toEqual(['Nachname', 'Name', 'Nachname']);
    } finally {
      await api.database.query(`UPDATE systems SET default_language = 'en'`);
    }
  });

  test('without a language replace all languages', async () => {
    const { id } = await make.layout({ columns: [{ title: { en: 'Name', de: 'Nachname' }, datapath: 'id' }] });
    expectStatus(
      200,
      await api.put(`/layouts/${id}`, { name: 'Layout', resource: 'applications', columns: titled('id') }),
    );
    expect(columnsOf((await api.get(`/layouts/${id}`, speaking('de'))).item)[0]?.title).toBe('Title');
  });

  test('change the ETag in every language', async () => {
    const columns = (de: string) => [{ title: { en: 'Name', de }, datapath: 'id' }];
    const { id, updated_dt } = await make.layout({ columns: columns('Name') });
    const replaced = expectStatus(
      200,
      await api.put(
        `/layouts/${id}`,
        { name: 'Layout', resource: 'applications', columns: columns('Nachname') },
        speaking('en'),
      ),
    );
    expect(Date.parse(String(replaced.item['updated_dt']))).toBeGreaterThan(Date.parse(String(updated_dt)));
    expect(columnsOf((await api.get(`/layouts/${id}`, speaking('de'))).item)[0]?.title).toBe('Nachname');
  });

  test.each([
    [{ it: 'Nome' }, ['invalid /columns/0/title/it']],
    [{ en: 'Name', it: 'Nome', 'en-GB': 'Name' }, ['invalid /columns/0/title/en-GB', 'invalid /columns/0/title/it']],
    [{}, ['invalid /columns/0/title']],
    [
      { en: '', de: 7, fr: null },
      ['invalid /columns/0/title/de', 'invalid /columns/0/title/en', 'missing /columns/0/title/fr'],
    ],
    [['Name'], ['invalid /columns/0/title']],
    [7, ['invalid /columns/0/title']],
    [null, ['missing /columns/0/title']],
    ['x'.repeat(256), ['invalid /columns/0/title']],
    [{ en: 'a\u0000' }, ['invalid /columns/0/title/en']],
    [{ en: 'a\ud800' }, ['invalid /columns/0/title/en']],
    [{ __proto__: null, constructor: 'x' }, ['invalid /columns/0/title/constructor']],
  ])('cannot be %j', async (title, violations) => {
    const answer = await api.post('/layouts', {
      name: 'x',
      resource: 'applications',
      columns: [{ title, datapath: 'id' }],
    });
    expect([answer.status, [...answer.violations].sort()]).toEqual([422, violations]);
  });

  test('are found by search, in the language of the request', async () => {
    const { id } = await make.layout({
      columns: [{ title: { en: 'Unmistakable', de: 'Unverwechselbar' }, datapath: 'id' }],
    });
    const found = async (language: string) =>
      (await api.get('/layouts?search=/columns/*/title=~WECHSEL', speaking(language))).items.map((item) => item.id);
    expect([await found('de'), await found('en')]).toEqual([[id], []]);
  });
});

describe('the collection of layouts', () => {
  test('is filtered by resource, together with other parameters', async () => {
    const [ours, other] = [
      await make.layout({ resource: 'postings', columns: titled('title') }),
      await make.layout({ resource: 'postings', columns: titled('title'), name: 'Second' }),
    ];
    await make.layout();
    const answer = await api.get('/layouts?resource=postings&sort=id!desc');
    expect([answer.items.map(({ id }) => id), answer.headers['x-total-count']]).toEqual([[other.id, ours.id], '2']);
    expect(answer.headers['link']).toContain('resource=postings');
    expect((await api.get('/layouts?resource=postings&search=name=Second')).items.map(({ id }) => id)).toEqual([
      other.id,
    ]);
    expect((await api.get('/layouts?resource=events')).items).toEqual([]);
  });

  test.each([
    ['resource=applicants', ['invalid ?resource']],
    ['resource=', ['invalid ?resource']],
    ['resource=%00', ['invalid ?resource']],
    ['resource=postings&resource=postings', ['invalid ?resource']],
    [
      'resource=x&page=0&layout=x&serach=1',
      ['invalid ?layout', 'invalid ?page', 'invalid ?resource', 'invalid ?serach'],
    ],
  ])('rejects %s', async (query, violations) => {
    const answer = await api.get(`/layouts?${query}`);
    expect([answer.status, [...answer.violations].sort()]).toEqual([400, violations]);
  });

  test('is the only collection with this parameter', async () => {
    expect((await api.get('/applications?resource=applications')).violations).toEqual(['invalid ?resource']);
  });
});

describe('layout_data', () => {
  let application: Item;

  beforeEach(async () => {
    const candidate = await make.candidate({
      firstname: 'Ada',
      lastname: 'Byron',
      tags: ['maths'],
      Email: [
        { Label: 'work', Address: 'ada@work.example.com' },
        { Label: 'primary', Address: 'ada@home.example.com' },
      ],
    });
    const owner = await make.recruiter({ firstname: 'Grace', lastname: 'Hopper' });
    const vacancy = await make.vacancy({
      title: 'Engineer',
      owner_id: owner.id,
      salary_min: 12.5,
      closing_date: '2030-01-31',
    });
    application = await make.application({ user_id: candidate.id, opportunity_id: vacancy.id, tags: ['a', 'b'] });
  });

  async function valuesOf(columns: readonly string[], language = 'en', item = application): Promise<LayoutData> {
    const { id } = await make.layout({ columns: titled(...columns) });
    const alone = expectStatus(200, await api.get(`/applications/${item.id}?layout=${id}`, speaking(language))).item;
    const { items } = expectStatus(
      200,
      await api.get(`/applications?layout=${id}&search=/id=${item.id}`, speaking(language)),
    );
    expect(items).toEqual([alone]);
    const { layout_data, ...plain } = alone;
    expect(plain).toEqual((await api.get(`/applications/${item.id}`, speaking(language))).item);
    return layout_data as LayoutData;
  }

  test('holds values as in the representation, in column order', async () => {
    const values = await valuesOf([
      'submitted_dt',
      'reference',
      'vacancy.closing_date',
      'vacancy.salary_min',
      'tags',
      'rating',
      'vacancy.owner.is_active',
    ]);
    expect(values).toEqual([
      { value: application['submitted_dt'] },
      { value: application['reference'] },
      { value: '2030-01-31' },
      { value: 12.5 },
      { value: ['a', 'b'] },
      { value: null },
      { value: true },
    ]);
  });

  test('shows the name of a referenced object, with its id', async () => {
    const { user, opportunity } = application as unknown as Readonly<Record<'user' | 'opportunity', Item>>;
    const { item: vacancy } = await api.get(`/vacancies/${opportunity.id}`);
    expect(
      await valuesOf([
        'user',
        'candidate',
        'opportunity',
        'vacancy',
        'vacancy.owner',
        'posting',
        'copied_from',
        'event',
      ]),
    ).toEqual([
      { value: 'Ada Byron', value_raw: user.id },
      { value: 'Ada Byron', value_raw: user.id },
      { value: 'Engineer', value_raw: opportunity.id },
      { value: 'Engineer', value_raw: opportunity.id },
      { value: 'Grace Hopper', value_raw: (vacancy['owner'] as Item).id },
      { value: null, value_raw: null },
      { value: null, value_raw: null },
      { value: null, value_raw: null },
    ]);
  });

  test('shows state and process names in the language of the request, with their ids', async () => {
    const columns = [
      'main_process_state',
      'main_process_state.state',
      'main_process_state.state.name',
      'main_process_state.state.state',
      'vacancy.process.name',
    ];
    const stateId = (application['process_state'] as { readonly state_id: number }).state_id;
    const of = (name: string, process: string): LayoutData => [
      { value: name, value_raw: stateId },
      { value: name, value_raw: stateId },
      { value: name, value_raw: stateId },
      { value: 'submitted' },
      { value: process, value_raw: 1 },
    ];
    expect(await valuesOf(columns, 'de')).toEqual(of('Eingegangen', 'Bewerbung'));
    expect(await valuesOf(columns, 'fr')).toEqual(of('Reçue', 'Candidature'));
  });

  test('collects the values of a list in order', async () => {
    expect(
      await valuesOf([
        'candidate.Email.Address',
        'candidate.Email',
        'candidate.Phone.Number',
        'candidate.tags',
        'posting.vacancy.tags',
      ]),
    ).toEqual([
      { value: ['ada@work.example.com', 'ada@home.example.com'] },
      { value: ['ada@work.example.com', 'ada@home.example.com'] },
      { value: [] },
      { value: ['maths'] },
      { value: [] },
    ]);
  });

  test('shows rich text in the requested format', async () => {
    const { id } = await make.vacancy({ description: '<p>You <b>build</b> it.</p>' });
    const { id: layoutId } = await make.layout({ resource: 'vacancies', columns: titled('description') });
    const shown = async (more: string) => dataOf((await api.get(`/vacancies/${id}?layout=${layoutId}${more}`)).item);
    expect(await shown('')).toEqual([{ value: 'You build it.' }]);
    expect(await shown('&rich_txt_fmt=html')).toEqual([{ value: '<p>You <b>build</b> it.</p>' }]);
  });

  test('is one flat list for a datapath through several lists', async () => {
    const items = (...labels: readonly string[]) =>
      labels.map((label, index) => ({ key: `${label}_${index}`, label, type: 'text' }));
    const { id } = await make.form({
      sections: [
        { name: 'One', items: items('a', 'b') },
        { name: 'Two', items: items('c') },
      ],
    });
    const { id: layoutId } = await make.layout({
      resource: 'forms',
      columns: titled('sections.items.label', 'sections.name'),
    });
    const [labels, names] = dataOf((await api.get(`/forms/${id}?layout=${layoutId}`)).item);
    expect([labels?.value, names?.value]).toEqual([
      ['a', 'b', 'c'],
      ['One', 'Two'],
    ]);
    expect(labels?.value_raw).toEqual([expect.any(Number), expect.any(Number), expect.any(Number)]);
  });

  test('shows names of objects of all types', async () => {
    const { id, job_board } = await make.posting({ location: 'London', method: 'feed' });
    const { items } = await api.get(
      `/postings?search=/id=${id}&layout=${(await make.layout({ resource: 'postings', columns: titled('job_board', 'posting_loc_meth', 'posting_loc_meth.post_loc_vac') })).id}`,
    );
    expect(dataOf(items[0] as Item)).toEqual([
      { value: 'Board', value_raw: (job_board as Item).id },
      { value: 'feed', value_raw: id },
      { value: 'London', value_raw: id },
    ]);
  });

  test('is available on every collection and follows its order', async () => {
    for (const resource of [
      'applications',
      'event_applications',
      'candidates',
      'users',
      'recruiters',
      'vacancies',
      'events',
      'postings',
      'job_boards',
      'systems',
      'credentials',
      'notification_topics',
      'layouts',
    ]) {
      const { id } = await make.layout({ resource, columns: titled('url', 'id') });
      const { items, status } = await api.get(`/${resource}?layout=${id}&sort=id!desc&per_page=5`);
      expect([resource, status, ...items.map(dataOf)]).toEqual([
        resource,
        200,
        ...items.map((item) => [{ value: item.url }, { value: item.id }]),
      ]);
    }
  });

  test('is absent without the parameter, and from answers to writes', async () => {
    expect((await api.get('/applications')).items.filter((item) => 'layout_data' in item)).toEqual([]);
    const { id } = await make.layout();
    expect(
      (await api.request('PUT', `/api/v1/applications/${application.id}?layout=${id}`, { body: {} })).violations,
    ).toEqual(['invalid ?layout']);
    expect((await api.post(`/job_boards?layout=${id}`, {})).violations).toEqual(['invalid ?layout']);
  });

  test('serves both paths of one kind of application only', async () => {
    const { id } = await make.layout();
    const event = await make.eventApplication();
    expect((await api.get(`/vacancy_applications/${application.id}?layout=${id}`)).status).toBe(200);
    expect((await api.get(`/event_applications/${event.id}?layout=${id}`)).violations).toEqual(['invalid ?layout']);
    expect((await api.get(`/event_registrations?layout=${id}`)).violations).toEqual(['invalid ?layout']);
  });

  test('has new columns as soon as the layout changes', async () => {
    const { id } = await make.layout({ columns: titled('id', 'reference') });
    const path = `/applications/${application.id}?layout=${id}`;
    expect(dataOf((await api.get(path)).item)).toEqual([
      { value: application.id },
      { value: application['reference'] },
    ]);
    expectStatus(
      200,
      await api.put(`/layouts/${id}`, { name: 'Layout', resource: 'applications', columns: titled('reference') }),
    );
    expect(dataOf((await api.get(path)).item)).toEqual([{ value: application['reference'] }]);
    const list = `/applications?layout=${id}&search=/id=${application.id}`;
    expect(dataOf((await api.get(list)).items[0] as Item)).toEqual([{ value: application['reference'] }]);
    expectStatus(204, await api.delete(`/layouts/${id}`));
    expect([(await api.get(path)).violations, (await api.get(list)).violations]).toEqual([
      ['invalid ?layout'],
      ['invalid ?layout'],
    ]);
  });

  test('changes the ETag', async () => {
    const { id } = await make.layout();
    const [plain, laid] = [
      await api.get(`/applications/${application.id}`),
      await api.get(`/applications/${application.id}?layout=${id}`),
    ];
    expect(laid.etag).not.toBe(plain.etag);
    expect(
      (await api.get(`/applications/${application.id}?layout=${id}`, { headers: { 'if-none-match': laid.etag } }))
        .status,
    ).toBe(304);
  });
});

describe('the parameter layout', () => {
  let application: Item;
  beforeAll(async () => void (application = await make.application()));

  test.each(['0', '-1', '1.0', 'x', '', '%00', '%ED%A0%80', '1%20', '9007199254740993', '9'.repeat(40), '999999999'])(
    'rejects %s, on items and pages',
    async (text) => {
      for (const path of [`/applications/${application.id}`, '/applications']) {
        const { status, violations } = await api.get(`${path}?layout=${text}`);
        expect([path, status, violations]).toEqual([path, 400, ['invalid ?layout']]);
      }
    },
  );

  test('rejects a layout of another resource like a missing one', async () => {
    const { id } = await make.layout({ resource: 'candidates', columns: titled('lastname') });
    const { problem } = await api.get(`/applications?layout=${id}`);
    expect(problem.errors).toEqual([
      {
        resource: 'applications',
        path: '',
        parameter: 'layout',
        code: 'invalid',
        info: `there is no layout ${id} for applications`,
      },
    ]);
  });

  test('is rejected when given twice, together with other violations', async () => {
    const { id } = await make.layout();
    const paged = await api.get(`/applications?layout=${id}&layout=${id}&page=0&search=bogus=1&serach=x`);
    expect([paged.status, [...paged.violations].sort()]).toEqual([
      400,
      ['invalid ?layout', 'invalid ?page', 'invalid ?search', 'invalid ?serach'],
    ]);
    expect([...(await api.get(`/applications/${application.id}?layout=x&page=1`)).violations].sort()).toEqual([
      'invalid ?layout',
      'invalid ?page',
    ]);
  });

  test('is rejected when the model no longer knows a datapath', async () => {
    const { id } = await make.layout({ columns: titled('id', 'reference') });
    await api.database.query(
      `UPDATE layout_columns SET datapath = 'application.refrence' WHERE layout_id = $1 AND position = 1`,
      [id],
    );
    const { status, problem } = await api.get(`/applications?layout=${id}`);
    expect([status, problem.errors?.[0]?.info]).toEqual([
      400,
      expect.stringMatching(/column 2: .*"refrence"; did you mean "reference"\?/),
    ]);
  });
});

describe('scopes', () => {
  const COLUMNS: readonly (readonly [datapath: string, ...scopes: readonly string[]])[] = [
    ['reference'],
    ['user.firstname'],
    ['opportunity'],
    ['main_process_state'],
    ['user', 'users:read'],
    ['user.language', 'users:read'],
    ['candidate', 'candidates:read'],
    ['candidate.Email', 'candidates:read'],
    ['posting', 'postings:read'],
    ['vacancy.owner', 'vacancies:read', 'recruiters:read'],
  ];

  test.each(COLUMNS)('%s can be written and used with its scopes alone', async (datapath, ...scopes) => {
    const body = { name: 'x', resource: 'applications', columns: titled(datapath) };
    const { id } = await make.layout(body);
    const { id: itemId } = await make.application();
    const requests = (token: string) => [
      api.post('/layouts', body, { token }),
      api.put(`/layouts/${id}`, body, { token }),
      api.get(`/applications?layout=${id}`, { token }),
      api.get(`/applications/${itemId}?layout=${id}`, { token }),
    ];
    const enough = await Promise.all(requests(await make.token('applications:read', 'layouts:write', ...scopes)));
    expect(enough.map(({ status }) => status)).toEqual([201, 200, 200, 200]);
    for (const lacking of scopes) {
      const token = await make.token(
        'applications:read',
        'layouts:write',
        ...scopes.filter((scope) => scope !== lacking),
      );
      const answers = await Promise.all(requests(token));
      expect(answers.map(({ status, problem }) => [status, problem.message.includes(` ${lacking}`)])).toEqual(
        answers.map(() => [403, true]),
      );
    }
  });

  test('are checked after the query itself', async () => {
    const { id } = await make.layout({ columns: titled('user.language') });
    const token = await make.token('applications:read');
    expect((await api.get(`/applications?layout=${id}&page=0`, { token })).violations).toEqual(['invalid ?page']);
    expect((await api.get(`/applications?layout=${id}`, { token })).status).toBe(403);
  });
});
