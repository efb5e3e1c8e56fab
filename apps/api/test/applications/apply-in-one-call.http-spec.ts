// @group sample: npm test runs a quarter of its tests
import { describe, expect, test } from '@jest/globals';
import { type Answer } from '../support/answer.js';
import { expectStatus } from '../support/factories.js';
import { type Properties } from '../support/form-factories.js';
import { expectRefused, type Kind, person, questions } from './one-call.js';
import { useApi } from '../support/use-api.js';

const { api, make, forms } = useApi();

const UNKNOWN = 987_654_321;

/** Maps a collection of applications to a function that creates an opportunity for it. */
const KINDS = {
  applications: (properties?: Properties) => make.vacancy(properties),
  event_applications: (properties?: Properties) => make.event(properties),
} as const;

describe.each(Object.keys(KINDS) as Kind[])('applying with one request to /%s', (kind) => {
  const apply = (body: Properties): Promise<Answer> => api.post(`/${kind}`, body);

  test('creates the candidate, the application and its form values together', async () => {
    const { a, b, c, d, e } = await questions(forms, kind);
    const { id: opportunity_id } = await KINDS[kind]({ location: 'Berlin' });
    const candidate = person();
    const form_values = [
      { item_id: a, value: 'x' },
      { item_id: b, value: 4 },
      { item_id: c, value: 'c' },
      { item_id: d, value: 'd' },
      { item_id: e, value: 'e' },
    ];
    const { item } = expectStatus(
      201,
      await apply({ opportunity_id, candidate, source: 'fair', tags: ['t'], form_values }),
    );
    expect(item).toMatchObject({ opportunity_id, source: 'fair', tags: ['t'], user: { email: candidate['email'] } });
    expect((await forms.read(item, kind)).map(({ value }) => value)).toEqual(['x', 4, 'c', 'd', 'e']);
    const { items } = (await api.get(`/${kind}/${item.id}/history`)).json as { readonly items: readonly Properties[] };
    expect(items.map(({ type }) => type)).toEqual(['form_submitted', 'created']);
  });

  test('writes everything in one transaction', async () => {
    const { a } = await questions(forms, kind);
    const { id: opportunity_id } = await KINDS[kind]();
    const { item } = expectStatus(
      201,
      await apply({ opportunity_id, candidate: person(), form_values: [{ item_id: a, value: 'x' }] }),
    );
    const rows = await api.database.query(
      `SELECT xmin::text FROM applications WHERE id = $1 UNION SELECT xmin::text FROM users WHERE id = $2 UNION SELECT xmin::text FROM application_form_values WHERE owner_id = $1
       UNION SELECT xmin::text FROM history_entries WHERE subject_type = 'application' AND subject_id = $1 UNION SELECT xmin::text FROM history_entries WHERE subject_type = 'candidate' AND subject_id = $2`,
      [item.id, (item['user'] as { readonly id: number }).id],
    );
    expect(rows).toHaveLength(1);
  });

  test('reports all violations at once, including those of form values', async () => {
    const { a, b, c, d } = await questions(forms, kind);
    const { answer: elsewhere } = await forms.itemsOf({ answer: {} }, { resource: 'vacancies' });
    const [{ email }, { id: opportunity_id }] = [
      await make.candidate(),
      await KINDS[kind]({ state: 'closed', location: 'Berlin' }),
    ];
    const form_values = [
      { item_id: UNKNOWN, value: 1 },
      { item_id: elsewhere, value: 'x' },
      { item_id: b, value: 'four' },
      { item_id: d, value: 'in Berlin' },
      { item_id: d, value: 'again' },
      { item_id: c, value: 'depends on what is wrong' },
      { item_id: a, form_instance: 0, value: 'x' },
      { item_id: a },
      { value: 1 },
    ];
    const body = {
      opportunity_id,
      posting_id: UNKNOWN,
      candidate: person({ firstname: '', email }),
      rating: 9,
      bogus: 1,
      form_values,
    };
    await expectRefused(api, () => apply(body), [
      'already_exists /candidate/email',
      'invalid /bogus',
      'invalid /candidate/firstname',
      'invalid /form_values/0/item_id',
      'invalid /form_values/1/item_id',
      'invalid /form_values/2/value',
      'invalid /form_values/4',
      'invalid /form_values/6/form_instance',
      'invalid /posting_id',
      'invalid /rating',
      'missing /form_values/7/value',
      'missing /form_values/8/item_id',
      'opportunity_not_open /opportunity_id',
    ]);
  });

  test.each<[string, () => Promise<Properties>, string]>([
    [
      'of an invalid property',
      async () => ({ rating: 9, opportunity_id: (await KINDS[kind]()).id, candidate: person() }),
      'invalid /rating',
    ],
    [
      'of an opportunity that is not open',
      async () => ({ opportunity_id: (await KINDS[kind]({ state: 'draft' })).id, candidate: person() }),
      'opportunity_not_open /opportunity_id',
    ],
    [
      'of an unknown posting',
      async () => ({ opportunity_id: (await KINDS[kind]()).id, candidate: person(), posting_id: UNKNOWN }),
      'invalid /posting_id',
    ],
    [
      'of an unknown property',
      async () => ({ opportunity_id: (await KINDS[kind]()).id, user_id: (await make.candidate()).id, bogus: 1 }),
      'invalid /bogus',
    ],
    [
      'of a candidate who has already applied',
      async () => {
        const { id: opportunity_id } = await KINDS[kind]();
        const { id: user_id } = await make.candidate();
        expectStatus(201, await apply({ opportunity_id, user_id }));
        return { opportunity_id, user_id };
      },
      'already_exists /opportunity_id',
    ],
  ])('reports violations of form values together with the violation %s', async (_, make, violation) => {
    const { b, c, d, e } = await questions(forms, kind);
    const values = [
      { item_id: b, value: 3 },
      { item_id: c, value: 'x' },
      { item_id: d, value: 'x' },
      { item_id: e, value: 'x' },
    ];
    const body = { ...(await make()), form_values: values };
    await expectRefused(api, () => apply(body), [
      violation,
      'missing /form_values',
      'not_visible /form_values/1/value',
      'not_visible /form_values/2/value',
    ]);
  });

  test('evaluates conditions on valid parts of the body, and skips those on invalid parts', async () => {
    const { a, d, e, f } = await questions(forms, kind);
    const { id: opportunity_id } = await KINDS[kind]();
    const form_values = [
      { item_id: a, value: 'x' },
      { item_id: d, value: 'x' },
      { item_id: e, value: 'x' },
      { item_id: f, value: 'x' },
    ];
    const [fourth, third, second] = [
      'not_visible /form_values/3/value',
      'not_visible /form_values/2/value',
      'not_visible /form_values/1/value',
    ];
    await expectRefused(
      api,
      () => apply({ opportunity_id, candidate: person({ firstname: 'Bob' }), rating: 4, form_values }),
      [second, third, fourth],
    );
    await expectRefused(
      api,
      () => apply({ opportunity_id, candidate: person({ firstname: 'Bob' }), rating: 9, form_values }),
      ['invalid /rating', second, third],
    );
    await expectRefused(
      api,
      () => apply({ opportunity_id, candidate: person({ email: 'no' }), rating: 4, form_values }),
      ['invalid /candidate/email', second, fourth],
    );
    await expectRefused(api, () => apply({ opportunity_id, user_id: UNKNOWN, rating: 5, form_values }), [
      'invalid /user_id',
      second,
    ]);
    await expectRefused(api, () => apply({ opportunity_id, rating: 5, form_values }), ['missing /user_id', second]);
    await expectRefused(
      api,
      () => apply({ opportunity_id: UNKNOWN, candidate: person({ firstname: 'Bob' }), rating: 4, form_values }),
      ['invalid /opportunity_id'],
    );
    await expectRefused(
      api,
      () =>
        apply({ opportunity_id: 'x', candidate: person(), form_values: [...form_values, { item_id: a, value: 'y' }] }),
      ['invalid /opportunity_id', 'invalid /form_values/4'],
    );
  });

  test('accepts values only for items of forms that apply to the opportunity', async () => {
    const [here, there] = [await KINDS[kind](), await KINDS[kind]()];
    const { x, y } = await forms.itemsOf(
      { x: {}, y: { required: true } },
      { resource: kind, opportunity_ids: [here.id] },
    );
    const form_values = [{ item_id: x, value: 'x' }];
    await expectRefused(api, () => apply({ opportunity_id: there.id, candidate: person(), form_values }), [
      'invalid /form_values/0/item_id',
    ]);
    await expectRefused(api, () => apply({ opportunity_id: there.id, candidate: person(), rating: 9, form_values }), [
      'invalid /rating',
      'invalid /form_values/0/item_id',
    ]);
    await expectRefused(api, () => apply({ opportunity_id: here.id, candidate: person(), form_values }), [
      'missing /form_values',
    ]);
    expectStatus(201, await apply({ opportunity_id: here.id, candidate: person() }));
    expectStatus(
      201,
      await apply({
        opportunity_id: here.id,
        candidate: person(),
        form_values: [...form_values, { item_id: y, value: 'y' }],
      }),
    );
  });

  test('reports violations of form values in a PUT, too, which then changes nothing', async () => {
    const { a, b, c, d } = await questions(forms, kind);
    const { id: opportunity_id } = await KINDS[kind]({ location: 'Berlin' });
    const { item } = expectStatus(
      201,
      await apply({
        opportunity_id,
        candidate: person(),
        form_values: [
          { item_id: a, value: 'x' },
          { item_id: b, value: 4 },
        ],
      }),
    );
    const [closed, user_id] = [await KINDS[kind]({ state: 'closed' }), (item['user'] as { readonly id: number }).id];
    const replace = (body: Properties): Promise<Answer> => api.put(`/${kind}/${item.id}`, body);
    const form_values = [
      { item_id: c, value: 'c' },
      { item_id: d, value: 'd' },
      { item_id: a, value: null },
    ];
    await expectRefused(api, () => replace({ opportunity_id: closed.id, user_id, rating: 1, form_values }), [
      'opportunity_not_open /opportunity_id',
      'not_visible /form_values/1/value',
      'missing /form_values/2/value',
    ]);
    await expectRefused(api, () => replace({ opportunity_id, user_id, rating: 9, form_values }), [
      'invalid /rating',
      'missing /form_values/2/value',
    ]);
    await expectRefused(
      api,
      () => replace({ opportunity_id: UNKNOWN, user_id, form_values: [{ item_id: b, value: 1 }, ...form_values] }),
      ['invalid /opportunity_id', 'not_visible /form_values/1/value', 'missing /form_values/3/value'],
    );
    await expectRefused(api, () => replace({ opportunity_id, user_id, form_values }), ['missing /form_values/2/value']);
    expectStatus(200, await replace({ opportunity_id, user_id, rating: 5, form_values: form_values.slice(0, 2) }));
    expect((await forms.read(item, kind)).map(({ value }) => value)).toEqual(['x', 4, 'c', 'd']);
  });
});
