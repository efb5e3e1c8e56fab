import { beforeEach, describe, expect, test } from '@jest/globals';
import { BASE_URL } from '../support/api-harness.js';
import { type Item } from '../support/answer.js';
import { expectStatus } from '../support/factories.js';
import { useApi } from '../support/use-api.js';

const { api, make } = useApi();

interface Anonymised {
  readonly status?: string;
  readonly remaining: readonly { resource: string; id: number; url: string; property: string }[];
  readonly too_many_in: readonly string[];
}

let last = 0;
const unique = (): string => `X${++last}`;
let person: Item;
let email: string;
let topic: Item;
let selection: Item;
let application: Item;

beforeEach(async () => {
  // The name has no digits. The search for mentions of a person reads a value with digits as a phone number, not as a
  // name.
  const name = `Quillonia${unique()
    .replace('-', '')
    .replaceAll(/\d/g, (digit) => 'abcdefghij'[Number(digit)] ?? '')}`;
  email = `${name.toLowerCase()}@example.com`;
  person = await make.candidate({ firstname: name, lastname: 'Vexworth', email, source: `met ${name}` });
  application = await make.application({ user_id: person.id, source: `referred by ${name}` });
  topic = await make.topic({
    name: `Moves of ${email}`,
    description: `Watches ${name} Vexworth`,
    expression: `application.user.email == "${email}" AND application.id > 0`,
  });
  selection = await make.selection({ name: `Shortlist ${name}` });
});

const anonymise = (query = '', options = {}) => api.post(`/candidates/${person.id}/anonymise${query}`, {}, options);
const reference = (item: Item, resource: string, property: string) => ({
  resource,
  id: item.id,
  url: `${BASE_URL}/api/v1/${resource}/${item.id}`,
  property,
});

describe('POST /candidates/<id>/anonymise', () => {
  test('clears the property source of the candidate and of his or her applications', async () => {
    expectStatus(200, await anonymise());
    expect((await api.get(`/candidates/${person.id}`)).json).toMatchObject({ source: null, status: 'anonymised' });
    expect((await api.get(`/applications/${application.id}`)).json).toMatchObject({ source: null });
  });

  test('lists texts of others that mention the person, and leaves them alone', async () => {
    const answer = expectStatus(200, await anonymise());
    const { remaining, status } = answer.json as Anonymised;
    expect(status).toBe('anonymised');
    expect(remaining).toEqual(
      expect.arrayContaining([
        reference(topic, 'notification_topics', '/name'),
        reference(topic, 'notification_topics', '/description'),
        reference(topic, 'notification_topics', '/expression'),
        reference(selection, 'selections', '/name'),
      ]),
    );
    expect(answer.text.toLowerCase()).not.toContain(email);
    expect((await api.get(`/notification_topics/${topic.id}`)).json).toMatchObject({ name: `Moves of ${email}` });
  });

  test('clears texts of others with everywhere=true, at once or in a later request', async () => {
    const first = (expectStatus(200, await anonymise()).json as Anonymised).remaining;
    const later = (expectStatus(200, await anonymise('?everywhere=true')).json as Anonymised).remaining;
    expect([first.length > 0, later]).toEqual([true, []]);
    expect((await api.get(`/notification_topics/${topic.id}`)).json).toMatchObject({
      name: 'Moves of [anonymised]',
      description: 'Watches [anonymised]',
      expression: 'application.user.email == "[anonymised]" AND application.id > 0',
    });
    expect((await api.get(`/selections/${selection.id}`)).json).toMatchObject({ name: 'Shortlist [anonymised]' });
    expect((expectStatus(200, await anonymise('?everywhere=true')).json as Anonymised).remaining).toEqual([]);
  });

  test('does not clear a text that was changed after it was listed', async () => {
    expectStatus(200, await anonymise());
    expectStatus(200, await api.put(`/selections/${selection.id}`, { name: 'Shortlist', resource: 'candidates' }));
    const { remaining } = expectStatus(200, await anonymise()).json as Anonymised;
    expect(remaining.map(({ resource }) => resource)).not.toContain('selections');
  });

  test('reports with dry_run what it would clear, and changes nothing', async () => {
    const report = expectStatus(200, await anonymise('?everywhere=true&dry_run=true')).json as {
      readonly removed: readonly { readonly kind: string }[];
      readonly remaining: readonly unknown[];
    };
    expect(report.removed.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['candidates', 'notification_topics', 'selections']),
    );
    expect(report.remaining).toEqual([]);
    expect((await api.get(`/candidates/${person.id}`)).json).toMatchObject({ email });
    for (const query of ['?everywhere=yes', '?everywhere=true&everywhere=true', '?more=true'])
      expectStatus(400, await anonymise(query));
  });

  test('lists only texts that the credential may read', async () => {
    const token = await make.token('candidates:write', 'selections:read');
    for (const query of ['?dry_run=true', '']) {
      const { remaining } = expectStatus(200, await anonymise(query, { token })).json as Anonymised;
      expect(remaining).toEqual([reference(selection, 'selections', '/name')]);
    }
  });

  test('clears texts of others only with their write scopes, whether or not a text mentions the person', async () => {
    const stranger = await make.candidate({ firstname: 'Yolvane', lastname: 'Prindt' });
    const token = await make.token('candidates:write', 'candidates:read', 'notifications:write', 'selections:write');
    for (const { id } of [person, stranger])
      for (const query of ['?everywhere=true', '?everywhere=true&dry_run=true']) {
        const refused = await api.post(`/candidates/${id}/anonymise${query}`, {}, { token });
        expect(expectStatus(403, refused).json).toMatchObject({
          message: expect.stringMatching(/^The credential lacks the scope \w+:write, which everywhere needs$/),
        });
      }
    expect((await api.get(`/candidates/${person.id}`)).json).toMatchObject({ email });
    const everything = await make.token('*:write');
    expectStatus(200, await api.post(`/candidates/${person.id}/anonymise?everywhere=true`, {}, { token: everything }));
    expect((await api.get(`/selections/${selection.id}`)).json).toMatchObject({ name: 'Shortlist [anonymised]' });
  });

  test('does not count a name that another user has too', async () => {
    await make.candidate({ firstname: String(person['firstname']), lastname: 'Other' });
    const { remaining } = expectStatus(200, await anonymise()).json as Anonymised;
    expect(remaining.map(({ resource }) => resource)).not.toContain('selections');
    expect(remaining).toContainEqual(reference(topic, 'notification_topics', '/name'));
  });
});

describe('a name in more than 1,000 texts', () => {
  const LISTED = ['/name', '/description', '/expression', '/revisions/1/expression'];

  beforeEach(async () => {
    await api.database.query(
      `INSERT INTO selections (name, resource) SELECT n || ' for ' || $1, 'candidates' FROM generate_series(1, 1001) n`,
      [person['firstname']],
    );
  });

  test('is not cleared, and the answer names the resources that the credential may read', async () => {
    const token = await make.token('candidates:write', 'selections:read');
    const report = expectStatus(200, await anonymise('?dry_run=true', { token })).json as Anonymised;
    expect([report.remaining, report.too_many_in]).toEqual([[], ['selections']]);
    for (const query of ['?dry_run=true', '', '']) {
      const { remaining, too_many_in } = expectStatus(200, await anonymise(query)).json as Anonymised;
      expect(too_many_in).toEqual(['notification_topics', 'selections']);
      expect(remaining.map(({ property }) => property)).toEqual(LISTED);
    }
    const { remaining, too_many_in } = expectStatus(200, await anonymise('?everywhere=true')).json as Anonymised;
    expect([remaining, too_many_in]).toEqual([[], ['notification_topics', 'selections']]);
    expect((await api.get(`/selections/${selection.id}`)).json).toMatchObject({ name: selection['name'] });
    expect((await api.get(`/notification_topics/${topic.id}`)).json).toMatchObject({ name: 'Moves of [anonymised]' });
  });
});

describe('POST /recruiters/<id>/anonymise', () => {
  test('blanks the recruiter, stops the credentials, and lists and clears texts of others', async () => {
    const name = `Zorbina${unique()}`;
    const recruiter = await make.recruiter({ firstname: name, lastname: 'Plimworth', job_title: 'Head of Zorb' });
    const vacancy = await make.vacancy({ owner_id: recruiter.id, title: `Assistant of ${name}` });
    const path = `/recruiters/${recruiter.id}`;
    const { remaining, too_many_in, ...item } = expectStatus(200, await api.post(`${path}/anonymise`, {}))
      .json as Anonymised & Item;
    expect(item).toMatchObject({
      firstname: 'Anonymised',
      lastname: 'Recruiter',
      email: `recruiter-${recruiter.id}@anonymised.invalid`,
      job_title: null,
      is_active: false,
    });
    expect([remaining, too_many_in]).toEqual([[reference(vacancy, 'vacancies', '/title')], []]);
    expect((await api.get(`/users/${recruiter.id}`)).json).toMatchObject({ status: 'anonymised' });
    const body = { firstname: 'A', lastname: 'B', email: `${name}@example.com`, is_active: true };
    expect(expectStatus(422, await api.put(path, body)).json).toMatchObject({ errors: [{ code: 'anonymised' }] });
    const again = expectStatus(200, await api.post(`${path}/anonymise?everywhere=true`, {})).json as Anonymised;
    expect(again.remaining).toEqual([]);
    expect((await api.get(`/vacancies/${vacancy.id}`)).json).toMatchObject({
      title: 'Assistant of [anonymised]',
      owner: { id: recruiter.id },
    });
  });

  test('needs recruiters:write', async () => {
    const recruiter = await make.recruiter();
    const token = await make.token('recruiters:read', 'recruiters:create', 'candidates:write');
    expectStatus(403, await api.post(`/recruiters/${recruiter.id}/anonymise`, {}, { token }));
  });
});
