import { describe, expect, test } from '@jest/globals';
import { type Answer, type Item } from '../support/answer.js';
import { expectStatus } from '../support/factories.js';
import { type Properties } from '../support/form-factories.js';
import { expectRefused, person, questions } from './one-call.js';
import { useApi } from '../support/use-api.js';

const { api, make, forms } = useApi();

describe('an e-mail address that is taken', () => {
  test('is reported with the id of its candidate only to credentials with candidates:read', async () => {
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

  test('is reported without a user id when a recruiter has the address', async () => {
    const { id, url, email } = await make.recruiter();
    const { problem } = await api.post('/applications', {
      opportunity_id: (await make.vacancy()).id,
      candidate: person({ email }),
    });
    expect(problem.errors).toEqual([
      { resource: 'applications', path: '/candidate/email', code: 'already_exists', existing: { id, url } },
    ]);
  });
});

describe('an Idempotency-Key', () => {
  const keyed = (body: Properties, key: string): Promise<Answer> =>
    api.post('/applications', body, { headers: { 'idempotency-key': key } });

  test('creates one application from repeated and concurrent requests', async () => {
    const { a } = await questions(forms, 'applications');
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

  test('can be used again after a rejected request', async () => {
    const { a } = await questions(forms, 'applications');
    const body = { opportunity_id: (await make.vacancy()).id, candidate: person() };
    await expectRefused(api, () => keyed({ ...body, form_values: [{ item_id: a, value: 7 }] }, 'refused'), [
      'invalid /form_values/0/value',
    ]);
    expectStatus(201, await keyed({ ...body, form_values: [{ item_id: a, value: 'x' }] }, 'refused'));
  });

  test('has an effect on POST only, not on PUT or DELETE', async () => {
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
  test('create one candidate and one application when they have the same e-mail address', async () => {
    const { a } = await questions(forms, 'applications');
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

  test('create one application when they name the same candidate', async () => {
    const { a } = await questions(forms, 'applications');
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
