import { beforeEach, describe, expect, test } from '@jest/globals';
import { type Item } from '../support/answer.js';
import { expectStatus } from '../support/factories.js';
import { useApi } from '../support/use-api.js';
import { type LayoutData, dataOf, titled } from './layout-readings.js';

const { api, make } = useApi();
const speaking = (language: string) => ({ headers: { 'accept-language': language } });

describe('layout_data of an item', () => {
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

  test('is one flat list for a datapath that follows several lists', async () => {
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
      'notification_endpoints',
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

  test('is available under both paths of one kind of application, but not of the other kind', async () => {
    const { id } = await make.layout();
    const event = await make.eventApplication();
    expect((await api.get(`/vacancy_applications/${application.id}?layout=${id}`)).status).toBe(200);
    expect((await api.get(`/event_applications/${event.id}?layout=${id}`)).violations).toEqual(['invalid ?layout']);
    expect((await api.get(`/event_registrations?layout=${id}`)).violations).toEqual(['invalid ?layout']);
  });

  test('has the new columns as soon as the layout changes', async () => {
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

  test('is covered by the ETag of the answer', async () => {
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
