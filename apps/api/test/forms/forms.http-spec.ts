// @group sample: npm test runs a quarter of its tests
import { describe, expect, test } from '@jest/globals';
import { ITEM_TYPES, OPTIONS } from '../support/form-factories.js';
import { BASE_URL } from '../support/api-harness.js';
import { expectStatus } from '../support/factories.js';
import { useApi } from '../support/use-api.js';
import { type Properties, question, formOf, sectionsOf, itemOf } from './form-bodies.js';

const { api, make } = useApi();

describe('a form', () => {
  test('is returned as it was written, in order, with ids for all parts', async () => {
    const vacancy = await make.vacancy();
    const body = {
      name: 'Driving',
      resource: 'applications',
      opportunity_ids: [vacancy.id],
      sections: [
        {
          name: 'Licences',
          repeatable: true,
          items: [
            question({ key: 'b', type: 'single_select', options: OPTIONS, required: true }),
            question({
              key: 'a',
              type: 'integer',
              visible_if: 'application.formdata.b == "C"',
              validation: { min: 0, max: 18.5 },
            }),
          ],
        },
        { name: 'Others', items: [] },
      ],
    };
    const { item, headers } = expectStatus(201, await api.post('/forms', body));
    const id = expect.any(Number);
    expect(item).toEqual({
      id,
      uuid: expect.any(String),
      url: `${BASE_URL}/api/v1/forms/${item.id}`,
      created_dt: expect.any(String),
      updated_dt: item['created_dt'],
      name: 'Driving',
      resource: 'applications',
      opportunity_ids: [vacancy.id],
      on_apply: 'optional',
      sections: [
        {
          id,
          name: 'Licences',
          repeatable: true,
          items: [
            {
              id,
              key: 'b',
              label: 'Answer',
              type: 'single_select',
              required: true,
              visible_if: null,
              validation: null,
              options: [
                { id, value: 'B', label: 'Car' },
                { id, value: 'C', label: 'Lorry' },
              ],
            },
            {
              id,
              key: 'a',
              label: 'Answer',
              type: 'integer',
              required: false,
              visible_if: 'application.formdata.b == "C"',
              options: [],
              validation: { min: 0, max: 18.5, max_length: null, pattern: null },
            },
          ],
        },
        { id, name: 'Others', repeatable: false, items: [] },
      ],
    });
    expect(headers['location']).toBe(item.url);
    expect((await api.get(`/forms/${item.id}`)).item).toEqual(item);
    expect((await api.get('/forms?search=/sections/*/items/*/options/*/label=Lorry')).items).toEqual([item]);
  });

  test.each(ITEM_TYPES)('has items of the type %s', async (type) => {
    const isSelect = type.endsWith('select');
    const form = await make.form(formOf([question({ type, ...(isSelect && { options: OPTIONS }) })]));
    expect(itemOf(form, 'answer')).toMatchObject({ type, options: isSelect ? OPTIONS : [] });
  });

  test('can be created for each resource', async () => {
    const [vacancy, event] = [await make.vacancy(), await make.event()];
    const cases = { applications: vacancy, event_applications: event, vacancies: vacancy, events: event };
    for (const [resource, { id }] of Object.entries(cases)) {
      expect(await make.form({ resource, opportunity_ids: [id] })).toMatchObject({ resource, opportunity_ids: [id] });
      const other = id === vacancy.id ? event.id : vacancy.id;
      expect(
        (await api.post('/forms', { ...formOf([]), resource, opportunity_ids: [id, other, 987_654_321] })).violations,
      ).toEqual(['invalid /opportunity_ids/1', 'invalid /opportunity_ids/2']);
    }
  });

  test('is read in the language of the request', async () => {
    const label = { en: 'Driver', de: 'Fahrer' };
    const form = await make.form({
      sections: [
        {
          name: label,
          items: [question({ label, type: 'single_select', options: [{ value: 'B', label }, { value: 'C' }] })],
        },
      ],
    });
    const { item } = await api.get(`/forms/${form.id}`, { headers: { 'accept-language': 'de' } });
    expect(sectionsOf(item)[0]).toMatchObject({
      name: 'Fahrer',
      items: [{ label: 'Fahrer', options: [{ label: 'Fahrer' }, { label: 'C' }] }],
    });
    expect(sectionsOf(form)[0]).toMatchObject({ name: 'Driver', items: [{ label: 'Driver' }] });
  });

  test('is checked in seconds when it has the maximum size, and so are its values', async () => {
    const items = Array.from({ length: 9_000 }, (_, index) =>
      question({ key: `k${index}`, label: 'l', visible_if: 'application.formdata.k0=="x"', required: index === 0 }),
    );
    const sections = Array.from({ length: 18 }, (_, index) => ({
      name: 'S',
      items: items.slice(index * 500, (index + 1) * 500),
    }));
    const form = await make.form({ sections });
    expectStatus(200, await api.put(`/forms/${form.id}`, { name: 'Form', resource: 'applications', sections }));
    const form_values = Array.from({ length: 1_000 }, (_, index) => ({
      item_id: itemOf(form, `k${index}`).id,
      value: 'x',
    }));
    expectStatus(200, await api.post(`/applications/${(await make.application()).id}/form_values`, { form_values }));
  }, 300_000);

  test('may have conditions on its owner and, by key, on its own items', async () => {
    const conditions = [
      'application.opportunity.location == "Berlin" AND application.formdata.answer =~ "x"',
      `application.formdata.${itemOf(await make.form(), 'answer').id}:2:1 == NULL`,
      'application.formdata.later > 3',
      'application.formdata.tags IN ("B")',
      '  ',
    ];
    const items = conditions.map((visible_if, index) => question({ key: `k${index}`, visible_if }));
    const others = [
      question(),
      question({ key: 'later', type: 'integer' }),
      question({ key: 'tags', type: 'multi_select', options: OPTIONS }),
    ];
    const form = await make.form(formOf([...items, ...others]));
    expect(items.map(({ key }) => itemOf(form, String(key))['visible_if'])).toEqual([...conditions.slice(0, -1), null]);
  });

  test('may have only conditions that the read scopes of its writer allow', async () => {
    const token = await make.token('forms:write', 'applications:read');
    const withCondition = (visible_if: string): Properties => formOf([question({ visible_if })]);
    expectStatus(201, await api.post('/forms', withCondition('application.rating == 1'), { token }));
    const answer = expectStatus(
      403,
      await api.post('/forms', withCondition('application.user.language == "de"'), { token }),
    );
    expect(answer.problem.message).toContain('users:read');
    const { id } = await make.form();
    expectStatus(403, await api.put(`/forms/${id}`, withCondition('application.user.language == "de"'), { token }));
  });
});
