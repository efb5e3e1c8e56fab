import { describe, expect, test } from '@jest/globals';
import { type Answer, type Item } from '../support/answer.js';
import { expectStatus } from '../support/factories.js';
import { itemIdsOf, valuesOf } from '../support/form-factories.js';
import { useApi } from '../support/use-api.js';

const { api, make, forms } = useApi();

describe('form values', () => {
  test('can be cleared after their form no longer applies', async () => {
    const [one, other] = [await make.vacancy(), await make.vacancy()];
    const form = await make.form({
      sections: [
        {
          name: 'S',
          items: [
            { key: 'a', label: 'A', type: 'text' },
            { key: 'b', label: 'B', type: 'text', required: true },
          ],
        },
      ],
    });
    const [{ a, b }, application] = [itemIdsOf(form), await make.application({ opportunity_id: one.id })];
    expectStatus(
      200,
      await forms.write(application, [
        { item_id: a, value: 'x' },
        { item_id: b, value: 'y' },
      ]),
    );
    expectStatus(
      200,
      await api.put(`/forms/${form.id}`, {
        name: 'F',
        resource: 'applications',
        sections: form['sections'],
        opportunity_ids: [other.id],
      }),
    );
    expect(
      (
        await forms.write(application, [
          { item_id: a, value: 'z' },
          { item_id: b, form_instance: 2, value: null },
        ])
      ).violations,
    ).toEqual(['invalid /form_values/0/item_id', 'invalid /form_values/1/item_id']);
    expect(
      valuesOf(await forms.write(application, [{ item_id: b, value: null }])).map(({ item_id }) => item_id),
    ).toEqual([a]);
    expect(valuesOf(await forms.write(application, [{ item_id: a, value: null }]))).toEqual([]);
    expectStatus(204, await api.delete(`/forms/${form.id}`));
  });

  test('are deleted with their owner', async () => {
    const [{ a }, application, vacancy] = [
      await forms.itemsOf({ a: {} }),
      await make.application(),
      await make.vacancy(),
    ];
    const { answer } = itemIdsOf(await make.form({ resource: 'vacancies' }));
    await forms.write(application, [{ item_id: a, value: 'x' }]);
    await forms.write(vacancy, [{ item_id: answer, value: 'x' }], 'vacancies');
    expectStatus(204, await api.delete(`/applications/${application.id}`));
    expectStatus(204, await api.delete(`/vacancies/${vacancy.id}`));
    expect(
      await api.database.query(
        'SELECT FROM application_form_values WHERE item_id = $1 UNION ALL SELECT FROM opportunity_form_values WHERE item_id = $2',
        [a, answer],
      ),
    ).toEqual([]);
  });

  test('are deleted from stored answers when their person is anonymised', async () => {
    const [{ a }, application] = [await forms.itemsOf({ a: {} }), await make.application()];
    const headers = { 'idempotency-key': 'forget' };
    const send = (): Promise<Answer> =>
      api.post(
        '/applications/bulk_form_values',
        { items: [{ id: application.id, form_values: [{ item_id: a, value: 'Quillonia' }] }] },
        { headers },
      );
    expectStatus(200, await send());
    expectStatus(200, await api.post(`/candidates/${(application['candidate'] as Item).id}/anonymise`));
    expect((await send()).text).not.toContain('Quillonia');
  });

  test('are removed when their person is anonymised, and cannot be written afterwards', async () => {
    const [{ a }, application] = [await forms.itemsOf({ a: {} }), await make.application()];
    await forms.write(application, [{ item_id: a, value: 'Quillonia' }]);
    const { id } = application['candidate'] as Item;
    expectStatus(200, await api.post(`/candidates/${id}/anonymise`));
    expect(await forms.read(application)).toEqual([]);
    expect((await forms.write(application, [{ item_id: a, value: 'x' }])).violations).toEqual(['anonymised ']);
    expect((await api.get(`/applications/${application.id}/history`)).text).not.toContain('Quillonia');
  });
});
