// @group sample: npm test runs a quarter of its tests
// @group split: npm test runs a few of the random pairs of scopes
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { allows, allScopes, type Scope } from '../../src/vocabulary/scopes.js';
import { type Api } from '../support/api-harness.js';
import { eventually } from '../support/eventually.js';
import { expectStatus } from '../support/factories.js';
import { startLimited } from '../limits/limited-api.js';
import { isLong } from '../support/long-part.js';
import { ownMsOf } from '../support/own-time.js';
import { useApi } from '../support/use-api.js';
import { accessTokenOf, type Client, newClient, requestToken } from './token-requests.js';

const OTHER_KEY = 'the next secret key for the tests of the API';
const FAILURES = 3;
const RUNS = isLong ? 200 : 5;

const { api, make } = useApi();
/** A second process on the same database. */
let other: Api;

beforeAll(async () => {
  other = await api.beside({});
});
afterAll(() => other.app.close());

const statusOf = async (server: Api, token: string, path = '/me'): Promise<number> =>
  (await server.get(path, { token })).status;
const set = (client: Client, assignment: string, value: unknown): Promise<unknown> =>
  api.database.query(`UPDATE credentials SET ${assignment} WHERE id = $1`, [client.id, value]);

describe('an access token', () => {
  test('works in every process, and every process refuses it within a second of a revocation', async () => {
    const client = await newClient(make, ['layouts:read']);
    const token = await accessTokenOf(api, client);
    expect([await statusOf(api, token), await statusOf(other, token)]).toEqual([200, 200]);
    expectStatus(204, await api.delete(`/credentials/${client.id}`));
    expect(await statusOf(api, token)).toBe(401);
    const ms = await ownMsOf(() => eventually(async () => expect(await statusOf(other, token)).toBe(401)));
    expect(ms).toBeLessThan(2_000);
    expect((await requestToken(other, { grant_type: 'client_credentials' })).status).toBe(401);
  });

  test('is refused when its credential is expired, of an inactive recruiter or limited to other networks', async () => {
    const recruiter = await make.recruiter();
    const expiring = await newClient(make, ['layouts:read']);
    const owned = await newClient(make, ['layouts:read'], { recruiter_id: recruiter.id });
    const bound = await newClient(make, ['layouts:read']);
    const tokens = await Promise.all([expiring, owned, bound].map((client) => accessTokenOf(api, client)));
    for (const token of tokens) expect(await statusOf(other, token)).toBe(200);
    await set(expiring, 'expires_dt = $2', new Date(Date.now() - 1));
    await api.database.query('UPDATE users SET is_active = false WHERE id = $1', [recruiter.id]);
    await set(bound, 'allowed_cidrs = $2', ['203.0.113.0/24']);
    for (const token of tokens) await eventually(async () => expect(await statusOf(other, token)).toBe(401));
    expect((await other.get('/me', { token: tokens[2] ?? '', remoteAddress: '203.0.113.7' })).status).toBe(200);
  });

  test('never allows more than it names, or than its credential has now', async () => {
    const scopes = fc.uniqueArray(fc.constantFrom(...allScopes()), { minLength: 1, maxLength: 5 });
    const client = await newClient(make, ['*:read', '*:write']);
    await fc.assert(
      fc.asyncProperty(scopes, scopes, async (named, now) => {
        await set(client, 'scopes = $2', named);
        await clearCaches();
        const token = await accessTokenOf(api, client);
        await set(client, 'scopes = $2', now);
        await clearCaches();
        const shown = (await api.get('/me', { token })).item['scopes'] as readonly Scope[];
        const both = (scope: Scope): boolean => allows(new Set(named), scope) && allows(new Set(now), scope);
        expect(shown.filter((scope) => !both(scope))).toEqual([]);
        expect(await statusOf(api, token, '/layouts')).toBe(both('layouts:read') ? 200 : 403);
      }),
      { numRuns: RUNS },
    );
  });

  test('shows its scopes and its expiry at /me, also with If-None-Match', async () => {
    const client = await newClient(make, ['layouts:write', '*:read']);
    const token = await accessTokenOf(api, client, 'layouts:read layouts:create');
    const { item, headers } = await api.get('/me', { token });
    expect(item).toMatchObject({ id: client.id, key_id: client.key_id, scopes: ['layouts:read', 'layouts:create'] });
    expect(Date.parse(String(item['expires_dt'])) - Date.now()).toBeLessThanOrEqual(3_600_000);
    expect((await api.get('/me', { token, headers: { 'if-none-match': headers['etag'] ?? '' } })).status).toBe(304);
    expect((await api.get('/me', { token: client.token })).item).toMatchObject({
      scopes: ['layouts:write', '*:read'],
      expires_dt: null,
    });
  });

  test('is audited under its credential, whose first use is recorded once', async () => {
    const client = await newClient(make, ['layouts:read']);
    await api.get('/me', { token: await accessTokenOf(api, client) });
    const entries = await api.database.query(
      `SELECT action FROM audit_entries WHERE credential_id = $1 AND action = 'credential_first_used'`,
      [client.id],
    );
    expect(entries).toHaveLength(1);
  });

  test('makes no credential with a scope that it lacks, and revokes none', async () => {
    const client = await newClient(make, ['credentials:write', 'vacancies:write', 'layouts:read', 'layouts:write']);
    const token = await accessTokenOf(api, client, 'credentials:write layouts:read');
    const body = { name: 'Child', scopes: ['layouts:read'] };
    const { item: child } = expectStatus(201, await api.post('/credentials', body, { token }));
    for (const scope of ['layouts:write', 'vacancies:create', '*:read'])
      expectStatus(422, await api.post('/credentials', { ...body, scopes: [scope] }, { token }));
    const wide = await newClient(make, ['vacancies:write']);
    expectStatus(403, await api.delete(`/credentials/${wide.id}`, { token }));
    expectStatus(204, await api.delete(`/credentials/${client.id}`));
    expect(await statusOf(api, String(child['token']))).toBe(401);
  });

  test('works in the processes of a rotation of SECRET_KEY, and in no process without its key', async () => {
    const client = await newClient(make, ['layouts:read']);
    const former = await accessTokenOf(api, client);
    const rotating = await api.beside({
      SECRET_KEY: OTHER_KEY,
      SECRET_KEY_PREVIOUS: 'a secret key for the tests of the API',
    });
    const after = await api.beside({ SECRET_KEY: OTHER_KEY });
    try {
      const current = await accessTokenOf(rotating, client);
      expect([await statusOf(rotating, former), await statusOf(rotating, current)]).toEqual([200, 200]);
      expect([await statusOf(after, former), await statusOf(after, current)]).toEqual([401, 200]);
      expect(await statusOf(api, current)).toBe(401);
    } finally {
      await rotating.app.close();
      await after.app.close();
    }
  });

  test('gets the same answer as any other wrong token when its signature or form is wrong', async () => {
    const client = await newClient(make, ['layouts:read']);
    const token = await accessTokenOf(api, client);
    const [header = '', payload = '', signature = ''] = token.split('.');
    const none = Buffer.from('{"alg":"none","typ":"at+jwt"}').toString('base64url');
    const answers = await Promise.all(
      [
        `${none}.${payload}.`,
        `${none}.${payload}.${signature}`,
        `${header}.${payload}.${'A'.repeat(43)}`,
        'a.b.c',
        'ats',
      ].map((wrong) => api.get('/me', { token: wrong })),
    );
    for (const { status, problem, headers } of answers)
      expect([status, problem.message, headers['www-authenticate']]).toEqual([
        401,
        'The credentials are missing or invalid',
        'Bearer realm="api", Basic realm="api", charset="UTF-8"',
      ]);
  });
});

describe('the limits of a credential', () => {
  test('count token requests and access tokens for the credential', async () => {
    const limited = await startLimited(api, { RATE_LIMIT: 4, RATE_LIMIT_WINDOW: 3_600 });
    try {
      const client = await newClient(make, ['layouts:read']);
      const token = await accessTokenOf(limited, client);
      const left = [token, client.token, token, token].map(
        async (one) => (await limited.get('/me', { token: one })).status,
      );
      expect((await Promise.all(left)).sort()).toEqual([200, 200, 200, 429]);
      const refused = await requestToken(limited, {
        grant_type: 'client_credentials',
        client_id: client.key_id,
        client_secret: client.token,
      });
      expect([refused.status, refused.json]).toMatchObject([429, { error: 'temporarily_unavailable', limit: 'rate' }]);
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    } finally {
      await limited.app.close();
    }
  });

  test('count wrong clients as failed authentications, and never refuse valid ones', async () => {
    const limited = await startLimited(api, { RATE_LIMIT: 0, AUTH_FAILURE_LIMIT: FAILURES });
    try {
      const client = await newClient(make, ['layouts:read']);
      const remoteAddress = '192.0.2.77';
      const ask = (secret: string | undefined) =>
        requestToken(
          limited,
          { grant_type: 'client_credentials', ...(secret && { client_id: client.key_id, client_secret: secret }) },
          { remoteAddress },
        );
      const statuses = [];
      for (const secret of [undefined, 'wrong', `${client.token.slice(0, -4)}AAAA`, undefined, 'wrong'])
        statuses.push((await ask(secret)).status);
      expect(statuses).toEqual([401, 401, 401, 429, 429]);
      expect((await ask(client.token)).status).toBe(200);
    } finally {
      await limited.app.close();
    }
  });
});

/** Makes the process look up every credential again. Any write does this. */
const clearCaches = async (): Promise<void> => void (await make.layout());
