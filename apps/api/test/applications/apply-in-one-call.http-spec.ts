import { describe, expect, test } from '@jest/globals';
import { type Answer, type Item } from '../support/answer.js';
import { expectStatus } from '../support/factories.js';
import { type ItemIds, type Properties } from '../support/form-factories.js';
import { expectNoTrace } from '../support/whole-database.js';
import { useApi } from '../support/use-api.js';

const { api, make, forms } = useApi();

const UNKNOWN = 987_654_321;

/** The two kinds of application: collection name and opportunity. */
const KINDS = {
  applications: (properties?: Properties) => make.vacancy(properties),
  event_applications: (properties?: Properties) => make.event(properties),
} as const;
type Kind = keyof typeof KINDS;

const person = (properties: Properties = {}): Properties => ({
  firstname: 'Ada',
  lastname: 'Byron',
  email: `${Math.random().toString(36).slice(2)}@example.com`,
  ...properties,
});

/**
 * A form: `a` is required and `b` is an integer. `c` is visible while `b` is above 3, `d` for the location Berlin, `e` for
 * the first name Ada, and `f` while the rating is 5.
 */
const questions = (resource: Kind): Promise<ItemIds> =>
  forms.itemsOf(
    {
      a: { required: true },
      b: { type: 'integer' },
      c: { visible_if: 'application.formdata.b > 3' },
      d: { visible_if: 'application.opportunity.location == "Berlin"' },
      e: { visible_if: 'application.user.firstname == "Ada"' },
      f: { visible_if: 'application.rating == 5' },
    },
    { resource },
  );

/** Expects 422 with these violations in any order, and an unchanged database. */
async function expectRefused(request: () => Promise<Answer>, violations: readonly string[]): Promise<void> {
  const answer = await expectNoTrace(api.database, request);
  expect([answer.status, [...answer.violations].sort()]).toEqual([422, [...violations].sort()]);
}

describe.each(Object.keys(KINDS) as Kind[])('applying by one call to /%s', (kind) => {
  const apply = (body: Properties): Promise<Answer> => api.post(`/${kind}`, body);

  test('creates the candidate, the application and its form values together', async () => {
    const { a, b, c, d, e } = await questions(kind);
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

  test('is one transaction', async () => {
    const { a } = await questions(kind);
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
    const { a, b, c, d } = await questions(kind);
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
    await expectRefused(
      () => apply(body),
      [
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
      ],
    );
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
  ])('reports a violation %s together with all violations of its form values', async (_, make, violation) => {
    const { b, c, d, e } = await questions(kind);
    const values = [
      { item_id: b, value: 3 },
      { item_id: c, value: 'x' },
      { item_id: d, value: 'x' },
      { item_id: e, value: 'x' },
    ];
    const body = { ...(await make()), form_values: values };
    await expectRefused(
      () => apply(body),
      [violation, 'missing /form_values', 'not_visible /form_values/1/value', 'not_visible /form_values/2/value'],
    );
  });

  test('evaluates conditions on valid parts of the body, and skips those on invalid parts', async () => {
    const { a, d, e, f } = await questions(kind);
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
      () => apply({ opportunity_id, candidate: person({ firstname: 'Bob' }), rating: 4, form_values }),
      [second, third, fourth],
    );
    await expectRefused(
      () => apply({ opportunity_id, candidate: person({ firstname: 'Bob' }), rating: 9, form_values }),
      ['invalid /rating', second, third],
    );
    await expectRefused(
      () => apply({ opportunity_id, candidate: person({ email: 'no' }), rating: 4, form_values }),
      ['invalid /candidate/email', second, fourth],
    );
    await expectRefused(
      () => apply({ opportunity_id, user_id: UNKNOWN, rating: 5, form_values }),
      ['invalid /user_id', second],
    );
    await expectRefused(() => apply({ opportunity_id, rating: 5, form_values }), ['missing /user_id', second]);
    await expectRefused(
      () => apply({ opportunity_id: UNKNOWN, candidate: person({ firstname: 'Bob' }), rating: 4, form_values }),
      ['invalid /opportunity_id'],
    );
    await expectRefused(
      () =>
        apply({ opportunity_id: 'x', candidate: person(), form_values: [...form_values, { item_id: a, value: 'y' }] }),
      ['invalid /opportunity_id', 'invalid /form_values/4'],
    );
  });

  test('accepts items of forms that belong to its opportunity only', async () => {
    const [here, there] = [await KINDS[kind](), await KINDS[kind]()];
    const { x, y } = await forms.itemsOf(
      { x: {}, y: { required: true } },
      { resource: kind, opportunity_ids: [here.id] },
    );
    const form_values = [{ item_id: x, value: 'x' }];
    await expectRefused(
      () => apply({ opportunity_id: there.id, candidate: person(), form_values }),
      ['invalid /form_values/0/item_id'],
    );
    await expectRefused(
      () => apply({ opportunity_id: there.id, candidate: person(), rating: 9, form_values }),
      ['invalid /rating', 'invalid /form_values/0/item_id'],
    );
    await expectRefused(
      () => apply({ opportunity_id: here.id, candidate: person(), form_values }),
      ['missing /form_values'],
    );
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

  test('reports the same violations for a replacement, which changes nothing', async () => {
    const { a, b, c, d } = await questions(kind);
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
    await expectRefused(
      () => replace({ opportunity_id: closed.id, user_id, rating: 1, form_values }),
      ['opportunity_not_open /opportunity_id', 'not_visible /form_values/1/value', 'missing /form_values/2/value'],
    );
    await expectRefused(
      () => replace({ opportunity_id, user_id, rating: 9, form_values }),
      ['invalid /rating', 'missing /form_values/2/value'],
    );
    await expectRefused(
      () => replace({ opportunity_id: UNKNOWN, user_id, form_values: [{ item_id: b, value: 1 }, ...form_values] }),
      ['invalid /opportunity_id', 'not_visible /form_values/1/value', 'missing /form_values/3/value'],
    );
    await expectRefused(() => replace({ opportunity_id, user_id, form_values }), ['missing /form_values/2/value']);
    expectStatus(200, await replace({ opportunity_id, user_id, rating: 5, form_values: form_values.slice(0, 2) }));
    expect((await forms.read(item, kind)).map(({ value }) => value)).toEqual(['x', 4, 'c', 'd']);
  });
});

describe('an e-mail address that is taken', () => {
  test('names its candidate only to credentials with candidates:read', async () => {
    const [{ id, email }, vacancy] = [await make.candidate(), await make.vacancy()];
    const body = { opportunity_id: vacancy.id, candidate: person({ email: String(email).toUpperCase() }) };
    const infoFor = async (...scopes: readonly string[]): Promise<unknown> => {
      const { problem } = await api.post('/applications', body, { token: await make.token(...scopes) });
      expect(problem.errors).toMatchObject([
        { resource: 'applications', path: '/candidate/email', code: 'already_exists' },
      ]);
      return problem.errors?.[0]?.info;
    };
    expect(await infoFor('applications:write', 'candidates:read')).toContain(`send user_id ${id}`);
    expect(await infoFor('applications:write', '*:read')).toContain(`send user_id ${id}`);
    expect(await infoFor('applications:write', 'applications:read', 'users:read')).toBeUndefined();
  });

  test('is reported without a user when a recruiter has it', async () => {
    const { email } = await make.recruiter();
    const { problem } = await api.post('/applications', {
      opportunity_id: (await make.vacancy()).id,
      candidate: person({ email }),
    });
    expect(problem.errors).toEqual([{ resource: 'applications', path: '/candidate/email', code: 'already_exists' }]);
  });
});

describe('an Idempotency-Key', () => {
  const keyed = (body: Properties, key: string): Promise<Answer> =>
    api.post('/applications', body, { headers: { 'idempotency-key': key } });

  test('creates one application from repeated and concurrent requests', async () => {
    const { a } = await questions('applications');
    const body = {
      opportunity_id: (await make.vacancy()).id,
      candidate: person(),
      form_values: [{ item_id: a, value: 'x' }],
    };
    const answers = await Promise.all(Array.from({ length: 6 }, () => keyed(body, 'at once')));
    const made = answers.filter(({ status }) => status === 201);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set(made.length === 6 ? [201] : [201, 409]));
    const again = await keyed(body, 'at once');
    expect(new Set([...made, again].map(({ text }) => text)).size).toBe(1);
    expect((await api.get(`/applications?search=opportunity_id=${body.opportunity_id}`)).items).toHaveLength(1);
    expect((await keyed({ ...body, rating: 1 }, 'at once')).violations).toEqual(['idempotency_mismatch ']);
  });

  test('is unused again after a rejection', async () => {
    const { a } = await questions('applications');
    const body = { opportunity_id: (await make.vacancy()).id, candidate: person() };
    await expectRefused(
      () => keyed({ ...body, form_values: [{ item_id: a, value: 7 }] }, 'refused'),
      ['invalid /form_values/0/value'],
    );
    expectStatus(201, await keyed({ ...body, form_values: [{ item_id: a, value: 'x' }] }, 'refused'));
  });

  test('applies to POST only, not to PUT or DELETE', async () => {
    const body = { opportunity_id: (await make.vacancy()).id, candidate: person() };
    const { item } = expectStatus(201, await keyed(body, 'other methods'));
    const path = `/applications/${item.id}`;
    const replacement = { opportunity_id: body.opportunity_id, user_id: (item['user'] as Item).id, rating: 5 };
    const headers = { 'idempotency-key': 'other methods' };
    expect((await api.put(path, replacement, { headers })).violations).toEqual(['idempotency_mismatch ']);
    expect((await api.delete(path, { headers })).violations).toEqual(['idempotency_mismatch ']);
    expect((await api.get(path)).text).toBe(JSON.stringify(item));
    expectStatus(200, await api.put(path, replacement, { headers, token: await make.token('applications:write') }));
    for (const key of ['another', '', 'x'.repeat(256)])
      expectStatus(200, await api.put(path, replacement, { headers: { 'idempotency-key': key } }));
  });
});

describe('concurrent requests', () => {
  test('with one e-mail address create one candidate and application', async () => {
    const { a } = await questions('applications');
    const [candidate, { id: opportunity_id }] = [person(), await make.vacancy()];
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        api.post('/applications', { opportunity_id, candidate, form_values: [{ item_id: a, value: String(index) }] }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422, 422, 422, 422, 422]);
    for (const { status, violations } of answers)
      if (status === 422) expect(violations).toEqual(['already_exists /candidate/email']);
    const [left] = await api.database.query(
      'SELECT (SELECT count(*) FROM users WHERE email = $1) AS people, (SELECT count(*) FROM application_form_values WHERE item_id = $2) AS values',
      [candidate['email'], a],
    );
    expect(left).toEqual({ people: 1, values: 1 });
  });

  test('for one candidate create one application', async () => {
    const { a } = await questions('applications');
    const [{ id: user_id }, { id: opportunity_id }] = [await make.candidate(), await make.vacancy()];
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        api.post('/applications', { opportunity_id, user_id, form_values: [{ item_id: a, value: String(index) }] }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422, 422, 422, 422, 422]);
    for (const { status, violations } of answers)
      if (status === 422) expect(violations).toEqual(['already_exists /opportunity_id']);
    expect(await api.database.query('SELECT FROM application_form_values WHERE item_id = $1', [a])).toHaveLength(1);
  });
});
