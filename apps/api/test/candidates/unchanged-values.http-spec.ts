import { describe, expect, test } from '@jest/globals';
import { type Answer } from '../support/answer.js';
import { expectStatus } from '../support/factories.js';
import { useApi } from '../support/use-api.js';

const { api, make } = useApi();

const patch = (id: number, body: object): Promise<Answer> => api.request('PATCH', `/api/v1/candidates/${id}`, { body });

/** Stores addresses that an earlier release accepted but that the present rules forbid. */
async function candidateWithOldAddresses(): Promise<{ readonly id: number }> {
  const candidate = await make.candidate({
    Email: [
      { Label: 'work', Address: 'valid@work.example' },
      { Label: 'secondary', Address: 'second@work.example' },
    ],
  });
  await api.database.query(`UPDATE users SET email = 'a@b' || id WHERE id = $1`, [candidate.id]);
  await api.database.query(
    `UPDATE candidate_emails SET address = 'old@host' WHERE user_id = $1 AND label = 'secondary'`,
    [candidate.id],
  );
  return candidate;
}

describe('a stored value that a later rule forbids', () => {
  test('does not prevent a PATCH of another property, and stays', async () => {
    const { id } = await candidateWithOldAddresses();
    const { json } = expectStatus(200, await patch(id, { firstname: 'Changed', tags: ['new'] }));
    expect(json).toMatchObject({
      firstname: 'Changed',
      email: `a@b${id}`,
      tags: ['new'],
      Email: [{ Address: 'valid@work.example' }, { Address: 'old@host' }],
    });
  });

  test('is accepted by PUT when it is equal to the stored value', async () => {
    const { id } = await candidateWithOldAddresses();
    const { json } = await api.get(`/candidates/${id}`);
    expectStatus(200, await api.put(`/candidates/${id}`, { ...(json as object), lastname: 'Changed' }));
    const body = { firstname: 'F', lastname: 'L', email: `a@b${id}` };
    expect(expectStatus(200, await api.put(`/candidates/${id}`, body)).json).toMatchObject({ email: `a@b${id}` });
  });

  test('is accepted as an element of a list whose other elements change', async () => {
    const { id } = await candidateWithOldAddresses();
    const Email = [
      { Label: 'secondary', Address: 'old@host' },
      { Label: 'work', Address: 'new@work.example' },
    ];
    expect(expectStatus(200, await patch(id, { Email })).json).toMatchObject({ Email });
  });

  test('cannot be written anew, and a changed value must follow the rule', async () => {
    const { id } = await candidateWithOldAddresses();
    const other = await make.candidate();
    for (const [target, body, path] of [
      [id, { email: 'c@d' }, '/email'],
      [id, { Email: [{ Label: 'work', Address: 'new@host' }] }, '/Email/0/Address'],
      [other.id, { email: `a@b${id}` }, '/email'],
    ] as const)
      expect(expectStatus(422, await patch(target, body)).json).toMatchObject({ errors: [{ path, code: 'invalid' }] });
    const both = expectStatus(422, await patch(id, { firstname: '' })).json as { readonly errors: readonly object[] };
    expect(both.errors).toMatchObject([{ path: '/firstname' }]);
  });
});
