// @group sample: npm test runs a quarter of its tests
import { describe, expect, test } from '@jest/globals';
import { type Item } from '../support/answer.js';
import { useApi } from '../support/use-api.js';
import { type Rule, score, setRules, scoreBy, itemsOf } from './scores.js';

const { api, make } = useApi();

describe('form values in scoring rules', () => {
  const options = [{ value: 'a' }, { value: 'b' }, { value: 'c' }];

  test.each<[type: string, value: unknown, holds: string, holdsNot: string, more?: object]>([
    ['text', 'Zoë 漢 😀', '== "Zoë 漢 😀"', '== "zoë 漢 😀"'],
    ['textarea', 'two\nlines', '=~ "LINES"', '== "two lines"'],
    ['rich_text', '<p>a <strong>b</strong></p>', '== "a b"', '=~ "strong"'],
    ['integer', -7, '< 0', '>= -6'],
    ['decimal', 0.3, '== 0.3', '> 0.3'],
    ['boolean', false, '== false', '== true'],
    ['date', '2024-02-29', '< DATE("2024-03-01")', '== DATE("2024-03-01")'],
    ['datetime', '2026-03-01T00:00:00.001Z', '> DATE("2026-03-01T00:00:00Z")', '>= DATE("2026-03-01T00:00:00.002Z")'],
    ['single_select', 'b', '== "b"', '== "a"', { options }],
    ['multi_select', ['c', 'a'], 'IN {"x", "a"}', '== "b"', { options }],
    ['email', 'Ada@example.com', '=~ "@EXAMPLE"', '== "ada@example.com"'],
    ['phone', '+44 20 7946 0000', '=~ "7946"', '== null'],
  ])(
    'are compared by their type %s, and count as null when they are missing',
    async (type, value, holds, holdsNot, more = {}) => {
      const [id = 0] = await itemsOf(make, [{ key: 'item', label: 'Item', type, ...more }]);
      const application = await make.application();
      const path = `application.formdata.${id}`;
      const rules: readonly Rule[] = [
        [`${path} ${holds}`, 1],
        [`${path} ${holdsNot}`, 2],
        [`${path} == null`, 4],
      ];
      expect(await scoreBy(api, application, ...rules)).toBe(holdsNot === '== null' ? 6 : 4);
      expect(
        (await api.post(`/applications/${application.id}/form_values`, { form_values: [{ item_id: id, value }] }))
          .status,
      ).toBe(200);
      expect((await score(api, application.id)).item['score']).toBe(1);
    },
  );

  test('are read from the section instance and form instance that the datapath names', async () => {
    const [id = 0] = await itemsOf(make, [{ key: 'item', label: 'Item', type: 'integer' }]);
    const application = await make.application();
    const form_values = [
      [1, 1],
      [2, 1],
      [1, 3],
    ].map(([section_instance, form_instance], index) => ({
      item_id: id,
      section_instance,
      form_instance,
      value: 10 + index,
    }));
    await api.post(`/applications/${application.id}/form_values`, { form_values });
    const path = `application.formdata.${id}`;
    const rules: readonly Rule[] = [
      [`${path} == 10`, 1],
      [`${path}:2 == 11`, 2],
      [`${path}:1:3 == 12`, 4],
      [`${path}:2:3 == null`, 8],
      [`${path}:1:1 == 10`, 16],
    ];
    expect(await scoreBy(api, application, ...rules)).toBe(31);
  });

  test('can belong to the vacancy or to other applications', async () => {
    const vacancyForm = await make.form({ resource: 'vacancies' });
    const idIn = (form: Item): number =>
      (form['sections'] as readonly { readonly items: readonly Item[] }[])[0]?.items[0]?.id ?? 0;
    const application = await make.application();
    const [own, other] = [idIn(await make.form()), idIn(vacancyForm)];
    await api.post(`/vacancies/${Number(application['opportunity_id'])}/form_values`, {
      form_values: [{ item_id: other, value: 'x' }],
    });
    await api.post(`/applications/${application.id}/form_values`, { form_values: [{ item_id: own, value: 'y' }] });
    const copied = (await api.post(`/applications/${application.id}/copy`, { opp_id: (await make.vacancy()).id })).item;
    await api.post(`/applications/${copied.id}/form_values`, { form_values: [{ item_id: own, value: 'z' }] });
    expect(
      await scoreBy(
        api,
        application,
        [`application.opportunity.formdata.${other} == "x"`, 1],
        [`application.formdata.${own} == "y"`, 2],
      ),
    ).toBe(3);
    expect(
      await scoreBy(
        api,
        copied,
        [`application.copied_from.formdata.${own} == "y"`, 1],
        [`application.formdata.${own} == "z"`, 2],
      ),
    ).toBe(3);
  });

  test('add no points and raise no error after their form item was deleted', async () => {
    const form = await make.form();
    const [section] = form['sections'] as readonly { readonly items: readonly Item[] }[];
    const path = `application.formdata.${section?.items[0]?.id ?? 0}`;
    const application = await make.application();
    await setRules(
      api,
      application,
      [`${path} == null`, 1],
      [`${path} != "x" OR application.id > 0`, 2],
      ['application.id > 0', 4],
    );
    expect((await score(api, application.id)).item['score']).toBe(7);
    expect((await api.delete(`/forms/${form.id}`)).status).toBe(204);
    const after = await score(api, application.id);
    expect([after.status, after.item['score']]).toEqual([200, 4]);
    await api.database.query(`DELETE FROM scoring_rules WHERE opportunity_id = $1 AND points = 4`, [
      application['opportunity_id'],
    ]);
    expect((await score(api, application.id)).item['score']).toBe(0);
  });
});

describe('DATE("today") in scoring rules', () => {
  test('is the day in the time zone of the system', async () => {
    const [id = 0] = await itemsOf(make, [{ key: 'item', label: 'Item', type: 'date' }]);
    const application = await make.application();
    const scoreIn = async (zone: string): Promise<unknown> => {
      await api.database.query('UPDATE systems SET timezone = $1', [zone]);
      return (await score(api, application.id)).item['score'];
    };
    const dayIn = async (zone: string): Promise<string> =>
      (
        await api.database.query<{ day: string }>(`SELECT to_char(now() AT TIME ZONE $1, 'YYYY-MM-DD') AS day`, [zone])
      )[0]?.day ?? '';
    await setRules(
      api,
      application,
      [`application.formdata.${id} == DATE("today")`, 1],
      [`application.formdata.${id} > DATE("today")`, 2],
    );
    // These two time zones never have the same date.
    const [east, west] = ['Pacific/Kiritimati', 'Etc/GMT+12'];
    try {
      for (;;) {
        const day = await dayIn(east);
        await api.post(`/applications/${application.id}/form_values`, { form_values: [{ item_id: id, value: day }] });
        const scores = [await scoreIn(east), await scoreIn(west)];
        if (day !== (await dayIn(east))) continue; // If a new day began during the requests, they are repeated.
        expect(scores).toEqual([1, 2]);
        break;
      }
    } finally {
      await api.database.query(`UPDATE systems SET timezone = 'UTC'`);
    }
  });
});
