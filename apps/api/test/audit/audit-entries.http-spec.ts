// @group sample: npm test runs a quarter of its tests
import { beforeAll, describe, expect, test } from '@jest/globals';
import { createApp } from '../../src/create-app.js';
import { VERSIONS } from '../../src/versions/versions.js';
import { type Item } from '../support/answer.js';
import { type RequestOptions } from '../support/api-harness.js';
import { eventually } from '../support/eventually.js';
import { expectStatus } from '../support/factories.js';
import { useApi } from '../support/use-api.js';

/**
 * Time in ms within which equal refusals are one entry. It is long enough for many requests, even on a busy machine.
 */
const REFUSAL_WINDOW_MS = 2_000;
const { api, make } = useApi({}, (environment, logger) =>
  createApp(environment, logger, { refusalWindowMs: REFUSAL_WINDOW_MS }),
);
let candidates: readonly Item[];
let reader: Item & { readonly token: string };

beforeAll(async () => {
  candidates = [await make.candidate(), await make.candidate(), await make.candidate()];
  reader = await make.credential({ scopes: ['candidates:read', 'vacancies:read'] });
});

let requests = 0;
/** Returns the options of a request by the reader. Each request has its own request id. */
const read = (): RequestOptions & { readonly requestId: string } => {
  const requestId = `audited-${++requests}`;
  return { token: reader.token, remoteAddress: '198.51.100.7', headers: { 'x-request-id': requestId }, requestId };
};
const list = async (query: string): Promise<readonly Item[]> =>
  expectStatus(200, await api.get(`/audit_entries?${query}`)).items;
/** Waits until `count` entries exist, and returns them, oldest first. */
const entriesOf = (requestId: string, count = 1): Promise<readonly Item[]> =>
  eventually(async () => {
    const entries = await list(`search=/request_id=${requestId}&search=/action=personal_data_read&sort=id!asc`);
    expect(entries).toHaveLength(count);
    return entries;
  });
/** Sends another read and waits until it has an entry. Entries of earlier reads then exist, too. */
async function laterReads(): Promise<void> {
  const options = read();
  await api.get('/candidates?per_page=1', options);
  await entriesOf(options.requestId);
}
const ids = (items: readonly Item[]): readonly number[] => items.map(({ id }) => id);

describe('a read of personal data', () => {
  test('has an entry with the client, the collection and the ids in their order', async () => {
    const options = read();
    const page = expectStatus(200, await api.get('/candidates?sort=id!desc', options)).items;
    const [entry] = await entriesOf(options.requestId);
    expect(entry).toMatchObject({
      action: 'personal_data_read',
      outcome: 'done',
      occurrences: 1,
      credential: { id: reader.id, url: expect.stringContaining(`/credentials/${reader.id}`) },
      recruiter: { id: expect.any(Number) },
      address: '198.51.100.7',
      collection: 'candidates',
      item_ids: [...ids(candidates)].reverse(),
      item_count: page.length,
      scope: null,
      changed: [],
    });
  });

  test('has an entry for a single item, for its history, and for the answer to a write', async () => {
    const id = candidates[0]?.id ?? 0;
    for (const path of [`/candidates/${id}`, `/candidates/${id}/history`]) {
      const options = { ...read(), token: api.adminToken };
      expectStatus(200, await api.get(path, options));
      expect((await entriesOf(options.requestId))[0]).toMatchObject({ collection: 'candidates', item_ids: [id] });
    }
    const options = { ...read(), token: api.adminToken };
    const body = { firstname: 'Ada', lastname: 'Byron', email: 'audited@example.com' };
    const created = expectStatus(201, await api.post('/candidates', body, options)).item;
    expect((await entriesOf(options.requestId))[0]).toMatchObject({ item_ids: [created.id] });
    await api.delete(`/candidates/${created.id}`);
  });

  test('has no entry when the answer is limited, refused, or without personal data', async () => {
    const token = await make.token('candidates:write', 'vacancies:read');
    const vacancy = await make.vacancy();
    const options = { ...read(), token };
    const body = { firstname: 'Ada', lastname: 'Byron', email: 'limited@example.com' };
    const limited = expectStatus(201, await api.post('/candidates', body, options)).item;
    expect(limited['lastname']).toBeUndefined();
    expectStatus(200, await api.get(`/vacancies/${vacancy.id}`, options));
    expectStatus(403, await api.get('/candidates', options));
    expectStatus(404, await api.get('/candidates/999999', read()));
    await laterReads();
    await entriesOf(options.requestId, 0);
    await api.delete(`/candidates/${limited.id}`);
  });

  test('through a layout of a collection without personal data has an entry', async () => {
    for (const [datapath, count] of [
      ['credential.recruiter.lastname', 1],
      ['credential.name', 0],
    ] as const) {
      const { id } = await make.layout({ resource: 'credentials', columns: [{ title: 'Column', datapath }] });
      for (const path of [`/credentials/${reader.id}`, '/credentials']) {
        const options = { ...read(), token: api.adminToken };
        expectStatus(200, await api.get(`${path}?layout=${id}`, options));
        await laterReads();
        for (const entry of await entriesOf(options.requestId, count)) expect(entry['item_ids']).toContain(reader.id);
      }
    }
  });

  test('has an entry for a preview, also when the stored answer is sent again', async () => {
    const application = await make.application();
    expectStatus(200, await api.put(`/applications/${application.id}/process_state`, { state: 'in_review' }));
    const body = { type: 'STATE_CHANGE_APPLICATION', expression: 'application.user.email =~ "@"', limit: 1 };
    for (const replayed of [undefined, 'true']) {
      const options = { ...read(), token: api.adminToken };
      const headers = { ...options.headers, 'idempotency-key': 'preview' };
      const answer = expectStatus(200, await api.post('/notification_topics/preview', body, { ...options, headers }));
      expect(answer.headers['idempotency-replayed']).toBe(replayed);
      expect(answer.text).toContain('@example.com');
      expect((await entriesOf(options.requestId))[0]).toMatchObject({ collection: 'candidates', item_count: 1 });
    }
  });

  test('can be found by the id of a candidate', async () => {
    const [first, second] = ids(candidates);
    const options = read();
    await api.get(`/candidates/${second ?? 0}`, options);
    await entriesOf(options.requestId);
    const found = await list(`search=/item_ids=${second ?? 0}&search=/collection=candidates&per_page=100`);
    expect(found.map((entry) => entry['request_id'])).toContain(options.requestId);
    const others = await list(`search=/item_ids=${first ?? 0}&search=/collection=candidates&per_page=100`);
    expect(others.map((entry) => entry['request_id'])).not.toContain(options.requestId);
  });

  test('has a digest of its conditions, the same on every page, and never the conditions themselves', async () => {
    const digests = [];
    for (const query of ['search=/lastname=Byron', 'per_page=2&search=/lastname=Byron', 'search=/lastname=B', '']) {
      const options = read();
      expectStatus(200, await api.get(`/candidates?${query}`, options));
      digests.push((await entriesOf(options.requestId))[0]?.['query_digest']);
    }
    const [first, again, other, none] = digests;
    expect(first).toEqual(expect.any(String));
    expect([again, none]).toEqual([first, null]);
    expect(other).not.toBe(first);
    expect(JSON.stringify(await api.database.query('SELECT * FROM audit_entries'))).not.toContain('Byron');
  });

  test.each(VERSIONS.versions)('has the same entry in version %s', async (version) => {
    const options = read();
    const headers = { ...options.headers, 'api-version': version };
    expectStatus(200, await api.get('/candidates?per_page=3', { ...options, headers }));
    expect((await entriesOf(options.requestId))[0]).toMatchObject({ item_ids: ids(candidates) });
    expectStatus(200, await api.get('/audit_entries', { headers: { 'api-version': version } }));
  });
});

describe('refused requests in the audit log', () => {
  const refusals = (query: string, occurrences: number): Promise<readonly Item[]> =>
    eventually(async () => {
      const entries = await list(`${query}&per_page=100`);
      const counted = entries.reduce((sum, entry) => sum + Number(entry['occurrences']), 0);
      expect(counted).toBe(occurrences);
      return entries;
    });

  test('without a valid credential have few entries, each with an IP address and a number of refusals', async () => {
    const flood = Array.from({ length: 60 }, (_, index) =>
      api.get('/candidates', { token: `ats_unknown${index}`, remoteAddress: `203.0.113.${index % 3}` }),
    );
    expect(new Set((await Promise.all(flood)).map(({ status }) => status))).toEqual(new Set([401]));
    const entries = await refusals('action=sign_in_refused&search=/address=~203.0.113', 60);
    expect(entries.length).toBeLessThan(30);
    expect(new Set(entries.map((entry) => entry['address'])).size).toBe(3);
    expect(entries[0]).toMatchObject({ outcome: 'refused', credential: null, item_ids: [], item_count: null });
  });

  test('for a missing scope have one entry with the credential, the scope and the collection', async () => {
    for (let call = 0; call < 5; call++) await api.get('/communications', read());
    const [entry] = await refusals('action=scope_refused&search=/collection=communications', 5);
    expect(entry).toMatchObject({
      outcome: 'refused',
      credential: { id: reader.id },
      scope: 'communications:read',
      collection: 'communications',
    });
  });
});

describe('a change in the audit log', () => {
  const newest = async (action: string): Promise<Item | undefined> => (await list(`action=${action}`))[0];

  test('of a credential has its entry at once: created, first used, revoked', async () => {
    const { id, token } = await make.credential({ scopes: ['candidates:read'] });
    const expected = { collection: 'credentials', item_ids: [id], outcome: 'done' };
    expect(await newest('credential_created')).toMatchObject(expected);
    for (let call = 0; call < 2; call++) await api.get('/me', { token });
    expect(await newest('credential_first_used')).toMatchObject({ ...expected, credential: { id } });
    expect(await list(`action=credential_first_used&search=/item_ids=${id}`)).toHaveLength(1);
    await api.delete(`/credentials/${id}`);
    expect(await newest('credential_revoked')).toMatchObject(expected);
  });

  test('of settings names the changed settings, and a dry run or an equal value adds no entry', async () => {
    const patch = (body: unknown) => api.request('PATCH', '/api/v1/systems/1', { body });
    expectStatus(200, await patch({ timezone: 'Europe/Berlin', name: 'Recruitment' }));
    expectStatus(200, await patch({ timezone: 'Europe/Berlin' }));
    const entries = await list('action=settings_changed');
    expect(entries.map((entry) => entry['changed'])).toEqual([['timezone']]);
  });

  test('that anonymises a candidate has an entry', async () => {
    const { id } = await make.candidate();
    expectStatus(200, await api.post(`/candidates/${id}/anonymise`));
    expect(await newest('anonymised')).toMatchObject({ collection: 'candidates', item_ids: [id] });
  });
});

test('the audit log needs the scope audit:read, and no client can write it', async () => {
  const token = await make.token('audit:read');
  const { id } = expectStatus(200, await api.get('/audit_entries', { token })).items[0] ?? { id: 0 };
  expectStatus(403, await api.get('/audit_entries', { token: reader.token }));
  for (const method of ['PUT', 'PATCH', 'DELETE'] as const)
    expectStatus(405, await api.request(method, `/api/v1/audit_entries/${id}`, { body: {} }));
  expectStatus(405, await api.post('/audit_entries', {}));
});

test('audit entries can be members of selections', async () => {
  const entry = await make.auditEntry();
  const { id } = await make.selection({ resource: 'audit_entries', members: [entry] });
  expect(ids(await list(`selection=${id}`))).toEqual([entry.id]);
});

test('waiting audit entries are written when the process ends', async () => {
  const other = await api.beside({});
  const options = read();
  expectStatus(200, await other.get('/candidates?per_page=2', options));
  expectStatus(401, await other.get('/candidates', { token: 'ats_wrong', remoteAddress: '192.0.2.1' }));
  await other.app.close();
  const rows = await api.database.query<{ action: string }>(
    `SELECT action FROM audit_entries WHERE request_id = $1 OR address = '192.0.2.1' ORDER BY action`,
    [options.requestId],
  );
  expect(rows.map(({ action }) => action)).toEqual(['personal_data_read', 'sign_in_refused']);
});

test('the metrics count the audit entries', async () => {
  const { text } = await api.request('GET', '/metrics', { token: null });
  expect(Number(/api_audit_entries_total\{result="written"\} (\d+)/.exec(text)?.[1])).toBeGreaterThan(0);
  expect(text).toContain('api_audit_entries_total{result="dropped"} 0');
  expect(text).toContain('api_audit_buffer_entries');
  expect(text).toContain('api_audit_buffer_age_seconds');
});
