import { describe, expect, test } from '@jest/globals';
import { expectStatus } from '../support/factories.js';
import { useApi } from '../support/use-api.js';

const { api, make, forms } = useApi();

const unique = (): string => Math.random().toString(36).slice(2);

/** Returns the ids of the items that match a search condition. */
async function found(path: string, ...searches: readonly string[]): Promise<readonly number[]> {
  const query = new URLSearchParams(searches.map((search): [string, string] => ['search', search]));
  return expectStatus(200, await api.get(`${path}?${query.toString()}`)).items.map(({ id }) => id);
}

describe('an e-mail address in a search', () => {
  test.each(['/email', 'candidate.email', 'user.email'])('is compared regardless of case at %s', async (key) => {
    const local = `Mixed.${unique()}`;
    const { id } = await make.candidate({ email: `${local}@Example.org` });
    for (const address of [`${local}@Example.org`, `${local}@example.org`, `${local}@EXAMPLE.ORG`.toUpperCase()]) {
      expect(await found('/candidates', `${key}=${address}`)).toEqual([id]);
      expect(await found('/candidates', `${key}={nobody@example.org,${address}}`)).toEqual([id]);
      expect(await found('/candidates', `/id=${id}`, `${key}!=${address}`)).toEqual([]);
      expect(await found('/candidates', `/id=${id}`, `${key}!={nobody@example.org,${address}}`)).toEqual([]);
    }
    expect(await found('/candidates', `${key}=${local}@Example.or`)).toEqual([]);
    expect(await found('/candidates', `/id=${id}`, `${key}!=${local}@Example.or`)).toEqual([id]);
  });

  test('is compared regardless of case in Email blocks, in users of applications and in form values', async () => {
    const address = `Second.${unique()}@Example.org`;
    const { email } = await forms.itemsOf({ email: { type: 'email' } });
    const candidate = await make.candidate({ Email: [{ Label: 'work', Address: address }] });
    const application = await make.application({ user_id: candidate.id });
    expectStatus(200, await forms.write(application, [{ item_id: email, value: address }]));
    const typed = address.toUpperCase();
    expect(await found('/candidates', `/Email/*/Address=${typed}`)).toEqual([candidate.id]);
    expect(await found('/candidates', `/Email/[work]/Address=${typed}`)).toEqual([candidate.id]);
    expect(await found('/candidates', `/Email/[primary]/Address=${typed}`)).toEqual([]);
    expect(await found('/candidates', `/id=${candidate.id}`, `/Email/*/Address!=${typed}`)).toEqual([]);
    expect(await found('/applications', `application.formdata.${email}=${typed}`)).toEqual([application.id]);
    const own = String(candidate['email']).toUpperCase();
    expect(await found('/applications', `/user/email=${own}`)).toEqual([application.id]);
  });

  test('is compared regardless of case in the recipients of communications', async () => {
    const email = `Recipient.${unique()}@Example.org`;
    const application = await make.application({ user_id: (await make.candidate({ email })).id });
    const { id } = await make.communication({ application });
    for (const typed of [email, email.toLowerCase(), email.toUpperCase()]) {
      expect(await found('/communications', `/to/*=${typed}`)).toEqual([id]);
      expect(await found('/communications', `communication.to={nobody@example.org,${typed}}`)).toEqual([id]);
      expect(await found('/communications', `/id=${id}`, `/to/*!=${typed}`)).toEqual([]);
    }
    expect(await found('/communications', `/id=${id}`, '/to/*!=nobody@example.org')).toEqual([id]);
  });

  test('is compared regardless of case by filter', async () => {
    const local = `Filter.${unique()}`;
    const { id } = await make.candidate({ email: `${local}@Example.org` });
    const { items } = await api.get(`/candidates?filter=${`${local}@EXAMPLE`.toUpperCase()}`);
    expect(items.map((item) => item.id)).toEqual([id]);
  });

  test('keeps its spelling in answers', async () => {
    const email = `Spelled.${unique()}@Example.org`;
    expect((await make.candidate({ email }))['email']).toBe(email);
  });
});
