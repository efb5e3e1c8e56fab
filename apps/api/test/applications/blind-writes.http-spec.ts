import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Item } from '../support/answer.js';
import { below, expectStatus } from '../support/factories.js';
import { useApi } from '../support/use-api.js';

const { api, make } = useApi();
const PERSON = { firstname: 'Zephyrine', lastname: 'Quellwasser', email: 'zephyrine@quellwasser.example' };
const SECRETS = /Zephyrine|Quellwasser|Hidden answer/i;
const IDENTITY = ['id', 'uuid', 'url', 'created_dt', 'updated_dt'];

let candidate: Item;
let application: Item;
let writer: string;
let creator: string;

beforeAll(async () => {
  candidate = await make.candidate(PERSON);
  application = await make.application({ user_id: candidate.id });
  const form = await make.form();
  const sections = form['sections'] as readonly { readonly items: readonly Item[] }[];
  await make.formValues(application, [{ item_id: sections[0]?.items[0]?.id, value: 'Hidden answer' }]);
  [writer, creator] = [await make.token('applications:write'), await make.token('applications:create')];
});

describe('a credential that writes applications and reads nothing', () => {
  test('reads no application', async () => {
    for (const token of [writer, creator]) expectStatus(403, await api.get(below(application.url), { token }));
  });

  test.each([
    ['score', {}, IDENTITY],
    ['form_values', { form_values: [] }, []],
  ])('gets no value from POST %s', async (path, body, names) => {
    const answer = expectStatus(200, await api.post(`${below(application.url)}/${path}`, body, { token: writer }));
    expect(Object.keys(answer.json as object)).toEqual(names);
    expect(answer.text).not.toMatch(SECRETS);
    expect(answer.headers['etag']).toBeUndefined();
  });

  test('gets no value of the candidate when it creates an application by candidate id', async () => {
    for (const token of [writer, creator]) {
      const body = { opportunity_id: (await make.vacancy()).id, user_id: candidate.id };
      const answer = expectStatus(201, await api.post('/applications', body, { token }));
      expect(Object.keys(answer.json as object)).toEqual(IDENTITY);
      expect(answer.text).not.toMatch(SECRETS);
    }
  });

  test('gets the same answer for a known address and for a new one, when it asks to use the stored person', async () => {
    const apply = async (email: string): Promise<readonly unknown[]> => {
      const { status, json } = await api.post(
        '/applications',
        {
          opportunity_id: (await make.vacancy()).id,
          on_existing_candidate: 'use',
          candidate: { firstname: 'A', lastname: 'B', email },
        },
        { token: creator },
      );
      return [status, Object.keys(json as object)];
    };
    expect(await apply(PERSON.email)).toEqual(await apply('new@quellwasser.example'));
  });

  test('gets no link to the person in the violation of a known address', async () => {
    const body = { opportunity_id: (await make.vacancy()).id, candidate: PERSON };
    const answer = expectStatus(422, await api.post('/applications', body, { token: creator }));
    expect(answer.violations).toEqual(['already_exists /candidate/email']);
    expect(answer.text).not.toContain('existing');
  });
});
