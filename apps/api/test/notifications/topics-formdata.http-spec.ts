import { describe, expect, test } from '@jest/globals';
import { type Answer, type Item } from '../support/answer.js';
import { expectStatus } from '../support/factories.js';
import { OPTIONS, itemIdsOf, type Properties } from '../support/form-factories.js';
import { useApi } from '../support/use-api.js';

const { api, make, forms } = useApi();

describe('the expression of a topic', () => {
  const move = (application: Item, state: string): Promise<Answer> =>
    api.put(`/applications/${application.id}/process_state`, { state });
  const lastFacts = async (): Promise<Properties> =>
    (await api.database.query<{ facts: Properties }>('SELECT facts FROM domain_events ORDER BY id DESC LIMIT 1'))[0]
      ?.facts ?? {};

  test('may name form items, whose values each event stores at the time of its commit', async () => {
    const { a, b, c } = await forms.itemsOf(
      { a: { type: 'date' }, b: { type: 'multi_select', options: OPTIONS }, c: { type: 'rich_text' } },
      { section: { repeatable: true } },
    );
    const { answer } = itemIdsOf(await make.form({ resource: 'vacancies' }));
    const paths = [
      `application.formdata.${a}:2`,
      `application.formdata.${b}`,
      `application.formdata.${c}`,
      `application.opportunity.formdata.${answer}`,
    ];
    await make.topic({
      expression: `${paths[0]} <= DATE("today") AND ${paths[1]} == "B" AND ${paths[2]} =~ "x" AND ${paths[3]} == "y"`,
    });
    const vacancy = await make.vacancy();
    const application = await make.application({ opportunity_id: vacancy.id });
    await forms.write(application, [
      { item_id: a, section_instance: 2, value: '2026-01-02' },
      { item_id: b, value: ['B', 'C'] },
      { item_id: c, value: '<b>x</b>' },
    ]);
    await forms.write(vacancy, [{ item_id: answer, value: 'y' }], 'vacancies');
    expectStatus(200, await move(application, 'in_review'));
    expect(await lastFacts()).toMatchObject({
      [paths[0] ?? '']: '2026-01-02',
      [paths[1] ?? '']: ['B', 'C'],
      [paths[2] ?? '']: 'x',
      [paths[3] ?? '']: 'y',
    });
    await forms.write(application, [
      { item_id: a, section_instance: 2, value: null },
      { item_id: b, value: null },
    ]);
    expectStatus(200, await move(application, 'interview'));
    expect(await lastFacts()).toMatchObject({ [paths[0] ?? '']: null, [paths[1] ?? '']: null });
  });

  test('treats a deleted form item as null', async () => {
    const form = await make.form();
    const path = `application.formdata.${itemIdsOf(form)['answer']}`;
    await make.topic({ expression: `${path} == "x"` });
    expectStatus(204, await api.delete(`/forms/${form.id}`));
    expectStatus(200, await move(await make.application(), 'in_review'));
    expect((await lastFacts())[path]).toBeNull();
  });

  test.each([
    ['application.formdata.987654321 == 1', 'has no form item "987654321"'],
    ['application.formdata.$a == 1', 'cannot compare'],
    ['application.user.formdata.$a == "x"', 'user has no form data'],
  ])('is rejected with %s', async (expression, info) => {
    const { a } = await forms.itemsOf({ a: {} });
    const { problem } = await api.post('/notification_topics', {
      type: 'STATE_CHANGE_APPLICATION',
      name: 'Topic',
      expression: expression.replace('$a', String(a)),
    });
    expect(problem.errors).toEqual([
      { resource: 'notification_topics', path: '/expression', code: 'invalid', info: expect.stringContaining(info) },
    ]);
  });

  test('needs the read scope of every resource on the datapath', async () => {
    const { answer } = itemIdsOf(await make.form({ resource: 'vacancies' }));
    const body = {
      type: 'STATE_CHANGE_APPLICATION',
      name: 'Topic',
      expression: `application.vacancy.formdata.${answer} == "x"`,
    };
    const token = await make.token('notifications:write', 'applications:read');
    expectStatus(403, await api.post('/notification_topics', body, { token }));
    expectStatus(
      201,
      await api.post('/notification_topics', body, {
        token: await make.token('notifications:write', 'applications:read', 'vacancies:read'),
      }),
    );
  });
});
