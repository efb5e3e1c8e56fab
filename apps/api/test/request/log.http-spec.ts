// @group sample: npm test runs a quarter of its tests
import { connect } from 'node:net';
import { runStatement } from '@ats/postgres';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { expectStatus } from '../support/factories.js';
import { rawRequest, sendRaw } from '../support/raw-request.js';
import { useApi } from '../support/use-api.js';
import { person, PERSONAL, type Entry, linesOf, entriesOf, until, expectNone } from './log-entries.js';

const { api, make } = useApi();
let port: number;

beforeAll(async () => {
  port = await api.listen();
});
const HOST = 'Host: localhost';
const authorization = (): string => `Authorization: Bearer ${api.adminToken}`;

describe('the log of requests', () => {
  test('never holds a token, a signing key or personal data', async () => {
    const secrets: unknown[] = [api.adminToken, ...PERSONAL];
    const lines = await linesOf(api, async () => {
      const { id } = await make.candidate({
        ...person,
        date_of_birth: '1815-12-10',
        Address: [{ Label: 'home', AddressLine: 'Geheimstrasse 1' }],
      });
      const application = await make.application({ user_id: id });
      await api.put(`/applications/${application.id}/process_state`, { state: 'rejected', comment: person.lastname });
      await api.get(`/candidates/${id}/history`);
      const { token } = await make.credential({ name: person.lastname });
      const { topic, ...subscription } = await make.subscription();
      const path = `/notification_topics/${(topic as { id: number }).id}/subscriptions/${subscription.id}`;
      await api.get(path, { token });
      secrets.push(
        token,
        String(token).split('_').at(-1),
        subscription['signing_key'],
        subscription['standard_webhooks_secret'],
      );
      await api.post('/candidates', person);
      await api.post('/candidates', { ...person, email: `${person.email}@` });
      await api.get(`/candidates/${person.email}`);
      await api.get(`/${person.email}/x`);
      await api.get(`/candidates?filter=${person.email}`);
      await api.get('/me', { token: `${String(token)}x` });
      await api.get('/me', {
        token: null,
        headers: { authorization: `Basic ${Buffer.from(`${api.adminToken}:x`).toString('base64')}` },
      });
      await api.request('POST', '/api/v1/candidates', { payload: JSON.stringify(person).slice(0, -1) });
      await api.delete(`/candidates/${id}`);
    });
    expect(lines.length).toBeGreaterThan(15);
    expectNone(lines, secrets);
    expect(lines.join('')).not.toContain(Buffer.from(api.adminToken).toString('base64').slice(0, 40));
  });

  test.each([
    [
      'a body that is not JSON',
      () => api.request('POST', '/api/v1/candidates', { payload: `{"firstname": ${person.firstname}}` }),
    ],
    [
      'a body of another media type',
      () =>
        api.request('POST', '/api/v1/candidates', {
          payload: person.lastname,
          headers: { 'content-type': `text/${person.lastname}` },
        }),
    ],
    ['a null byte', () => api.post('/candidates', { ...person, firstname: `${person.firstname}\0` })],
    ['half a character', () => api.post('/candidates', { ...person, firstname: `${person.firstname}\ud800` })],
    ['an unknown property', () => api.post('/candidates', { ...person, [person.lastname]: person.email })],
    ['an unknown parameter', () => api.get(`/candidates?${person.lastname}=${person.firstname}`)],
    ['a search of an unknown key', () => api.get(`/candidates?search=/${person.lastname}=${person.firstname}`)],
    ['an invalid search', () => api.get(`/applications?search=${encodeURIComponent(`/user/email={${person.email}`)}`)],
    [
      'an invalid expression',
      () =>
        api.post('/notification_topics', {
          type: 'POSTING_CREATE',
          name: person.lastname,
          expression: `posting.title == "${person.email}`,
        }),
    ],
    [
      'an invalid template',
      () =>
        api.post('/message_templates', {
          name: person.lastname,
          subject: `{{ ${person.lastname} }}`,
          body: `{{ "${person.email}" }}`,
        }),
    ],
    ['a long id', () => api.get(`/candidates/${'9'.repeat(40)}${person.lastname}`)],
    [
      'headers',
      () =>
        api.get('/me', {
          headers: {
            'x-request-id': person.email,
            'user-agent': person.email,
            referer: `https://x/?q=${person.email}`,
            'accept-language': person.lastname,
            'api-version': person.lastname,
            'x-forwarded-for': person.lastname,
          },
        }),
    ],
    [
      'a path that cannot be decoded',
      () =>
        sendRaw(
          port,
          rawRequest(`GET /api/v1/candidates/${person.lastname}%ZZ?q=${person.email} HTTP/1.1`, HOST, authorization()),
        ),
    ],
    [
      'malformed HTTP',
      () => sendRaw(port, `${person.firstname} /${person.lastname} HTTP/1.1\r\n${person.email}\r\n\r\n`),
    ],
    [
      'an expectation that cannot be met',
      () => sendRaw(port, rawRequest(`POST /api/v1/${person.lastname} HTTP/1.1`, HOST, `Expect: ${person.lastname}`)),
    ],
  ] as const)('has a line about %s, and no part of the body', async (_, send) => {
    const lines = await linesOf(api, send);
    expect(
      entriesOf(lines).filter(({ status, request_id: id }) => Number(status) >= 400 && typeof id === 'string'),
    ).toHaveLength(1);
    expectNone(lines);
  });

  test.each([
    [
      'a value that breaks a rule',
      `RAISE check_violation USING MESSAGE = NEW.email, DETAIL = NEW.lastname, CONSTRAINT = 'ck_unforeseen'`,
      { code: '23514', constraint: 'ck_unforeseen' },
      500,
    ],
    [
      'a value that is taken',
      'INSERT INTO unforeseen VALUES (NEW.email), (NEW.email)',
      { code: '23505', constraint: 'unforeseen_pkey', table: 'unforeseen' },
      500,
    ],
    ['a value that cannot be read', 'PERFORM NEW.lastname::integer', { code: '22P02' }, 500],
    [
      'a statement that takes too long',
      'PERFORM pg_cancel_backend(pg_backend_pid()), pg_sleep(5)',
      { code: '57014' },
      503,
    ],
  ])('holds the cause of a failure, but no value of the failed statement: %s', async (_, statement, err, status) => {
    await api.database.query(
      'CREATE TABLE IF NOT EXISTS unforeseen (value text PRIMARY KEY); GRANT INSERT ON unforeseen TO PUBLIC',
    );
    await api.database.query(
      `CREATE OR REPLACE FUNCTION unforeseen() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${statement}; RETURN NEW; END $$`,
    );
    await api.database.query(
      'CREATE TRIGGER tr_unforeseen BEFORE INSERT ON users FOR EACH ROW EXECUTE FUNCTION unforeseen()',
    );
    const lines = await linesOf(api, () =>
      api
        .post('/candidates', { ...person, email: `other.${person.email}` })
        .then((answer) => expectStatus(status, answer)),
    );
    await api.database.query('DROP FUNCTION unforeseen CASCADE');
    const [violation, request, ...others] = entriesOf(lines).filter(
      ({ level }) => level === 'error' || level === 'warn',
    );
    expect(others).toEqual([]);
    expect(violation).toMatchObject({
      request_id: request?.['request_id'],
      err: { ...err, stack: expect.any(Array) as unknown as string[] },
    });
    expect(request).toMatchObject({ level: 'error', msg: 'request', route: '/api/v1/candidates', status });
    expectNone(lines);
  });

  test.each<readonly [string, (id: number) => Promise<unknown>, Entry]>([
    [
      'an answer',
      (id) => api.get(`/candidates/${id}`),
      {
        route: '/api/v1/candidates/:id',
        params: { id: expect.any(Number) },
        status: 200,
        response_bytes: expect.any(Number),
        credential_id: expect.any(Number),
        api_version: '1.7',
        language: 'en',
        remote_address: undefined,
      },
    ],
    [
      'a rejected write',
      () => api.post('/candidates', { firstname: 1 }),
      { method: 'POST', route: '/api/v1/candidates', params: undefined, status: 422 },
    ],
    [
      'a request without a credential',
      () => api.get('/me', { token: null }),
      { status: 401, remote_address: '127.0.0.1', credential_id: undefined },
    ],
    [
      'an unknown path',
      () => api.get(`/${person.email}/x?q=${person.lastname}`),
      { route: null, params: undefined, status: 404 },
    ],
    [
      'an invalid id',
      () => api.get(`/candidates/${person.lastname}`),
      { route: '/api/v1/candidates/:id', params: undefined, status: 404 },
    ],
    [
      'an unsupported language',
      (id) => api.get(`/candidates/${id}`, { headers: { 'accept-language': 'xx' } }),
      { status: 406 },
    ],
    [
      'HEAD',
      (id) => api.request('HEAD', `/api/v1/candidates/${id}`),
      { method: 'HEAD', status: 200, response_bytes: 0 },
    ],
  ])('has one line per request, with its route pattern: %s', async (_, ask, expected) => {
    const { id } = await make.candidate();
    const [line, ...others] = entriesOf(await linesOf(api, () => ask(id)));
    expect(others).toEqual([]);
    const looked = {
      level: 'info',
      msg: 'request',
      method: 'GET',
      duration_ms: expect.any(Number) as unknown,
      ...expected,
    };
    expect(Object.fromEntries(Object.keys(looked).map((name) => [name, line?.[name]]))).toEqual(looked);
  });

  test('has the request id of the client, or a generated id when the id of the client is unsafe', async () => {
    const chosen = 'order-7:retry/2';
    const lines = await linesOf(api, async () => {
      for (const id of [chosen, 'x level=fatal', 'x"}', 'x'.repeat(129)])
        await api.get('/me', { headers: { 'x-request-id': id } });
    });
    const own: unknown = expect.stringMatching(/^[0-9a-f-]{36}$/);
    expect(entriesOf(lines).map((entry) => entry['request_id'])).toEqual([chosen, own, own, own]);
  });

  test.each([
    ['/health/live', 'debug'],
    ['/docs', 'info'],
  ])('has requests to %s at the level %s', async (path, level) => {
    const lines = await linesOf(api, () => api.request('GET', path));
    expect(entriesOf(lines)).toMatchObject([{ level, route: path, status: 200 }]);
  });

  test('reports a client that disconnected before its answer', async () => {
    const { id } = await make.candidate();
    const lines = await linesOf(api, () =>
      api.database.transaction(async (transaction) => {
        await runStatement(transaction, 'SELECT 1 FROM users WHERE id = $1 FOR UPDATE', [id]);
        const socket = connect(port, '127.0.0.1', () =>
          socket.write(
            rawRequest(`DELETE /api/v1/candidates/${id} HTTP/1.1`, HOST, authorization(), 'X-Request-Id: gone'),
          ),
        );
        await until('the request waits', async () => (await api.database.query(WAITING)).length > 0);
        socket.destroy();
        await until('the line is written', () => api.log.some((line) => line.includes('"gone"')));
      }),
    );
    const line = entriesOf(lines).filter((entry) => entry['request_id'] === 'gone');
    expect(line).toEqual([
      expect.objectContaining({
        level: 'info',
        msg: 'request aborted by the client',
        status: null,
        route: '/api/v1/candidates/:id',
        params: { id },
      }),
    ]);
  });
});

const WAITING = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'ats-api' AND wait_event_type = 'Lock'`;
