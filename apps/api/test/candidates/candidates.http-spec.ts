// @group sample: npm test runs a quarter of its tests
import { describe, expect, test } from '@jest/globals';
import { identityOf } from '../support/answer.js';
import { BASE_URL } from '../support/api-harness.js';
import { expectStatus } from '../support/factories.js';
import { useApi } from '../support/use-api.js';

const { api, make } = useApi();

const person = { firstname: 'Ada', lastname: 'Byron' };
let lastNumber = 0;
const freshEmail = (): string => `candidate${++lastNumber}@example.org`;

const BLOCKS = {
  Email: [
    { Label: 'work', Address: 'ada@work.example.com' },
    { Label: 'primary', Address: 'ada@home.example.com' },
  ],
  Address: [
    { Label: 'home', AddressLine: 'Line 1', City: 'Köln', Region: null, PostalCode: '50667', CountryCode: 'DE' },
  ],
  Phone: [{ Label: 'mobile', Number: '+49 221 1' }],
  Url: [{ Label: 'linkedin', Address: 'https://example.com/ada' }],
};

describe('a candidate', () => {
  test('is read as it was written', async () => {
    const body = {
      ...person,
      email: freshEmail(),
      title: 'Dr',
      preferred_name: 'Countess',
      date_of_birth: '1815-12-10',
      ...BLOCKS,
      current_employer: 'Engine Works',
      current_title: 'Analyst',
      tags: ['maths', 'poetry'],
      source: 'fair',
    };
    const { item, headers } = expectStatus(201, await api.post('/candidates', body));
    expect(item).toEqual({
      ...identityOf(item, `${BASE_URL}/api/v1/candidates/${item.id}`),
      status: 'pending_activation',
      ...body,
    });
    expect(headers['location']).toBe(item.url);
    expect((await api.get(`/candidates/${item.id}`)).item).toEqual(item);
  });

  test('shows absent values as null, and absent lists as empty', async () => {
    const item = await make.candidate();
    expect(item).toMatchObject({
      title: null,
      preferred_name: null,
      date_of_birth: null,
      Email: [],
      Address: [],
      Phone: [],
      Url: [],
      tags: [],
      source: null,
    });
  });

  test.each([
    '𝕬𝖉𝖆 👩‍👩‍👧',
    'שלום עולם',
    'العربية',
    'a\u0301\u0323',
    '\u202eevil',
    "O'Hara; DROP TABLE users; --",
    '% _ \\ {{ x }}',
    '  padded  ',
  ])('keeps the name %s unchanged', async (firstname) => {
    const { id } = await make.candidate({ firstname });
    expect((await api.get(`/candidates/${id}`)).item['firstname']).toBe(firstname);
  });

  test('accepts a name of 255 characters and rejects 256', async () => {
    expect((await make.candidate({ firstname: 'é'.repeat(255) }))['firstname']).toBe('é'.repeat(255));
    expect(
      (await api.post('/candidates', { ...person, email: freshEmail(), firstname: 'é'.repeat(256) })).violations,
    ).toEqual(['invalid /firstname']);
  });
});

describe('writing a candidate', () => {
  test.each([
    ['nothing', {}, ['missing /firstname', 'missing /lastname', 'missing /email']],
    [
      'nulls',
      { firstname: null, lastname: null, email: null },
      ['missing /firstname', 'missing /lastname', 'missing /email'],
    ],
    [
      'blank names',
      { firstname: '', lastname: ' \t', email: 'a@example.com' },
      ['invalid /firstname', 'invalid /lastname'],
    ],
    [
      'read-only properties',
      { ...person, email: 'a@example.com', id: 1, status: 'active', url: 'x' },
      ['invalid /id', 'invalid /status', 'invalid /url'],
    ],
    ['a wrong date', { ...person, email: 'a@example.com', date_of_birth: '2023-02-29' }, ['invalid /date_of_birth']],
    ['the year 0', { ...person, email: 'a@example.com', date_of_birth: '0000-01-01' }, ['invalid /date_of_birth']],
    [
      'an unknown label',
      { ...person, email: 'a@example.com', Email: [{ Label: 'x', Address: 'a@example.com' }] },
      ['invalid /Email/0/Label'],
    ],
    [
      'a part without its label',
      { ...person, email: 'a@example.com', Phone: [{ Number: '1' }, {}] },
      ['missing /Phone/0/Label', 'missing /Phone/1/Label', 'missing /Phone/1/Number'],
    ],
    [
      'an unknown part',
      { ...person, email: 'a@example.com', Url: [{ Label: 'website', Address: 'x', Extra: 1 }] },
      ['invalid /Url/0/Extra'],
    ],
    [
      'too many parts',
      { ...person, email: 'a@example.com', Phone: Array.from({ length: 101 }, () => ({ Label: 'home', Number: '1' })) },
      ['invalid /Phone'],
    ],
    [
      'a value that is not a list',
      { ...person, email: 'a@example.com', tags: 'a', Email: {} },
      ['invalid /tags', 'invalid /Email'],
    ],
  ])('rejects a candidate with %s', async (_, body, violations) => {
    const { status, violations: found } = await api.post('/candidates', body);
    expect([status, [...found].sort()]).toEqual([422, [...violations].sort()]);
  });

  test.each([
    '',
    'a',
    'a@',
    '@b',
    'a b@example.com',
    'a@b',
    'a@b.',
    'a@.b',
    'a@b..c',
    'a@b@c',
    `${'x'.repeat(250)}@example.com`,
    'a@exa mple.com',
    'é@example.com\u0000',
  ])('rejects the e-mail address "%s"', async (email) => {
    expect(new Set((await api.post('/candidates', { ...person, email })).violations)).toEqual(
      new Set(['invalid /email']),
    );
  });

  test('accepts null for properties with a default', async () => {
    const item = await make.candidate({ tags: null, Email: null, title: null });
    expect(item).toMatchObject({ tags: [], Email: [], title: null });
  });

  test('requires a unique e-mail address, case-insensitively', async () => {
    const { id: ownerId, url, email } = await make.candidate();
    const { status, problem } = await api.post('/candidates', { ...person, email: String(email).toUpperCase() });
    expect([status, problem]).toEqual([
      422,
      {
        message: 'Validation failed',
        errors: [{ resource: 'candidates', path: '/email', code: 'already_exists', existing: { id: ownerId, url } }],
        request_id: expect.any(String),
      },
    ]);
    const { id } = await make.candidate();
    expect((await api.put(`/candidates/${id}`, { ...person, email })).violations).toEqual(['already_exists /email']);
  });

  test('replaces the whole candidate, including its lists of addresses and phone numbers', async () => {
    const { id, email } = await make.candidate({ title: 'Dr', ...BLOCKS });
    const { status, item } = await api.put(`/candidates/${id}`, {
      ...person,
      email,
      Phone: [{ Label: 'home', Number: '2' }],
    });
    expect(status).toBe(200);
    expect(item).toMatchObject({
      title: null,
      Email: [],
      Address: [],
      Phone: [{ Label: 'home', Number: '2' }],
      Url: [],
    });
  });

  test('changes nothing when the body equals the current values', async () => {
    const { id, email } = await make.candidate({ ...person, ...BLOCKS });
    const before = await api.get(`/candidates/${id}`);
    expect((await api.put(`/candidates/${id}`, { ...person, email, ...BLOCKS })).text).toBe(before.text);
  });
});

describe('deleting a candidate', () => {
  test('is rejected while an application is live, and deletes ended applications', async () => {
    const { id: applicationId, user } = await make.application();
    const { id } = user as { id: number };
    const refused = await api.delete(`/candidates/${id}`);
    expect([refused.status, refused.violations]).toEqual([422, ['in_use ']]);
    await api.put(`/applications/${applicationId}/process_state`, { state: 'withdrawn' });
    expectStatus(204, await api.delete(`/candidates/${id}`));
    for (const path of [`/candidates/${id}`, `/applications/${applicationId}`, `/candidates/${id}/history`])
      expect((await api.get(path)).status).toBe(404);
    // The tombstone of the application has no personal data.
    const left = `SELECT subject_type, type, comment, changes FROM history_entries
      WHERE subject_type = 'candidate' AND subject_id = $1 OR subject_type = 'application' AND subject_id = $2`;
    expect(await api.database.query(left, [id, applicationId])).toEqual([
      { subject_type: 'application', type: 'deleted', comment: null, changes: null },
    ]);
  });

  test('removes personal data from events and stored answers', async () => {
    const headers = { 'idempotency-key': 'made-and-deleted' };
    const { item } = expectStatus(
      201,
      await api.post('/candidates', { ...person, firstname: 'Brumhilde', email: freshEmail() }, { headers }),
    );
    const { id } = await make.application({ user_id: item.id });
    expectStatus(200, await api.put(`/applications/${id}/process_state`, { state: 'rejected' }));
    const left = (): Promise<readonly unknown[]> =>
      api.database.query(
        `SELECT id::text FROM domain_events WHERE facts::text LIKE '%Brumhilde%' UNION ALL SELECT key FROM idempotency_keys WHERE people @> ARRAY[$1::bigint]`,
        [item.id],
      );
    expect(await left()).toHaveLength(2);
    expectStatus(204, await api.delete(`/candidates/${item.id}`));
    expect(await left()).toEqual([]);
  });

  test('answers 404 for a user who is not a candidate', async () => {
    const [recruiter] = (await api.get('/recruiters')).items;
    expect((await api.delete(`/candidates/${recruiter?.id}`)).status).toBe(404);
    expect((await api.get(`/candidates/${recruiter?.id}`)).status).toBe(404);
  });
});

describe('an anonymised candidate', () => {
  test('cannot get new applications, and keeps existing ones unchanged', async () => {
    const [candidate, vacancy] = [await make.candidate(), await make.vacancy()];
    const application = await make.application({ user_id: candidate.id });
    expectStatus(200, await api.post(`/candidates/${candidate.id}/anonymise`));
    const ofCandidate = { user_id: candidate.id, tags: ['tall'] };
    const replaced = await api.put(`/applications/${application.id}`, {
      ...ofCandidate,
      opportunity_id: application['opportunity_id'],
    });
    for (const answer of [await api.post('/applications', { ...ofCandidate, opportunity_id: vacancy.id }), replaced]) {
      expect(expectStatus(422, answer).violations).toEqual(['invalid /user_id']);
    }
  });
});
