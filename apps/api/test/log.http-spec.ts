import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Api } from './api-harness.js';
import { expectStatus, Factories } from './factories.js';

let api: Api;
let make: Factories;

beforeAll(async () => {
  api = await Api.start();
  make = new Factories(api);
});
afterAll(() => api.close());

const person = { firstname: 'Wilhelmina', lastname: 'Quartermaine', email: 'wilhelmina.quartermaine@example.com' };
const PERSONAL = [...Object.values(person), 'wilhelmina', 'quartermaine', '1815-12-10', 'Geheimstrasse'];

/** The lines that the work has logged. */
async function linesOf(work: () => Promise<unknown>): Promise<readonly string[]> {
  const before = api.log.length;
  await work();
  return api.log.slice(before);
}

describe('the log', () => {
  test('holds no token, no signing key and nothing about a person, whatever is done', async () => {
    const secrets: unknown[] = [api.adminToken, ...PERSONAL];
    const lines = await linesOf(async () => {
      const { id } = await make.candidate({ ...person, date_of_birth: '1815-12-10', Address: [{ Label: 'home', AddressLine: 'Geheimstrasse 1' }] });
      const application = await make.application({ user_id: id });
      await api.put(`/applications/${application.id}/process_state`, { state: 'rejected', comment: person.lastname });
      await api.get(`/candidates/${id}/history`);
      const { token } = await make.credential({ name: person.lastname });
      const { topic, ...subscription } = await make.subscription();
      const path = `/notification_topics/${(topic as { id: number }).id}/subscriptions/${subscription.id}`;
      await api.get(path, { token });
      secrets.push(token, subscription['signing_key'], subscription['standard_webhooks_secret']);
      await api.post('/candidates', person);
      await api.post('/candidates', { ...person, email: `${person.email}@` });
      await api.get(`/candidates/${person.email}`);
      await api.get(`/${person.email}/x`);
      await api.get(`/candidates?filter=${person.email}`);
      await api.get('/me', { token: `${String(token)}x` });
      await api.get('/me', { token: null, headers: { authorization: `Basic ${Buffer.from(`${api.adminToken}:x`).toString('base64')}` } });
      await api.request('POST', '/api/v1/candidates', { payload: JSON.stringify(person).slice(0, -1) });
      await api.delete(`/candidates/${id}`);
    });
    expect(lines.length).toBeGreaterThan(15);
    for (const secret of secrets) expect(lines.filter((line) => line.includes(String(secret)))).toEqual([]);
    expect(lines.join('')).not.toContain(Buffer.from(api.adminToken).toString('base64').slice(0, 40));
  });

  test('holds the cause of an unexpected fault, but no value of the statement that failed', async () => {
    await api.database.query(`ALTER TABLE users ADD CONSTRAINT ck_users_unforeseen CHECK (email NOT LIKE 'taken%')`);
    const lines = await linesOf(async () => {
      expectStatus(500, await api.post('/candidates', { ...person, email: 'taken.quartermaine@example.com' }));
    });
    await api.database.query('ALTER TABLE users DROP CONSTRAINT ck_users_unforeseen');
    const errors = lines.filter((line) => (JSON.parse(line) as { level: number }).level >= 50);
    expect(errors).toHaveLength(1);
    expect(JSON.parse(errors[0] ?? '')).toMatchObject({ context: 'errors', err: { code: '23514', constraint: 'ck_users_unforeseen', stack: expect.stringContaining(' at ') } });
    for (const secret of PERSONAL) expect(lines.join('')).not.toContain(secret);
  });

  test('has one line for each request, by the pattern of its route, with who asked', async () => {
    const [{ id }, { token, key_id }] = [await make.candidate(), await make.credential()];
    const lines = await linesOf(() => api.get(`/candidates/${id}`, { token, headers: { 'x-request-id': 'trace-1' } }));
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      expect.objectContaining({ msg: 'request', reqId: 'trace-1', method: 'GET', route: '/api/v1/candidates/:id', status: 200, durationMs: expect.any(Number), credential: key_id }),
    ]);
  });
});
