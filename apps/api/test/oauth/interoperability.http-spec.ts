import { freePort } from '@ats/domain/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import * as oauth from 'oauth4webapi';
import { type Api, BASE_URL } from '../support/api-harness.js';
import { useApi } from '../support/use-api.js';
import { type Client, newClient } from './token-requests.js';

const { api, make } = useApi();
/** An API that listens at its public base URL. */
let reachable: Api;
let issuer: URL;
let client: Client;

beforeAll(async () => {
  // Tries another port when another process has taken the port before the API listens.
  for (let isListening = false; !isListening; ) {
    const port = await freePort();
    issuer = new URL(`http://127.0.0.1:${port}`);
    reachable = await api.beside({ PUBLIC_BASE_URL: issuer.origin });
    isListening = await listens(port);
    if (!isListening) await reachable.app.close();
  }
  client = await newClient(make, ['vacancies:read', 'applications:write']);
});
afterAll(() => reachable.app.close());

/**
 * Starts the API on a port.
 * @returns false when the port is taken
 */
async function listens(port: number): Promise<boolean> {
  try {
    await reachable.app.listen(port, '127.0.0.1');
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return false;
    throw error;
  }
}

const INSECURE = { [oauth.allowInsecureRequests]: true };

async function discover(): Promise<oauth.AuthorizationServer> {
  const answer = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...INSECURE });
  return oauth.processDiscoveryResponse(issuer, answer);
}

test.each([
  ['client_secret_basic', oauth.ClientSecretBasic],
  ['client_secret_post', oauth.ClientSecretPost],
])(
  'an OAuth client library discovers the token endpoint, gets a token with %s, and uses it',
  async (_, authenticate) => {
    const server = await discover();
    const me = { client_id: client.key_id };
    const parameters = new URLSearchParams({ scope: 'vacancies:read' });
    const grant = await oauth.clientCredentialsGrantRequest(
      server,
      me,
      authenticate(client.token),
      parameters,
      INSECURE,
    );
    const { access_token: token, scope } = await oauth.processClientCredentialsResponse(server, me, grant);
    expect(scope).toBe('vacancies:read');
    const answer = await oauth.protectedResourceRequest(
      token,
      'GET',
      new URL('/api/v1/vacancies', issuer),
      undefined,
      null,
      INSECURE,
    );
    expect(answer.status).toBe(200);
  },
);

test('an OAuth client library understands the errors of the token endpoint', async () => {
  const server = await discover();
  const ask = async (secret: string, scope: string): Promise<unknown> => {
    const me = { client_id: client.key_id };
    const parameters = new URLSearchParams({ scope });
    const answer = await oauth.clientCredentialsGrantRequest(
      server,
      me,
      oauth.ClientSecretPost(secret),
      parameters,
      INSECURE,
    );
    return oauth.processClientCredentialsResponse(server, me, answer).catch((error: unknown) => error);
  };
  expect(await ask(client.token, 'candidates:read')).toMatchObject({ error: 'invalid_scope', status: 400 });
  const refused = await ask('wrong', 'vacancies:read');
  expect(refused).toBeInstanceOf(oauth.WWWAuthenticateChallengeError);
});

test('the OAuth metadata names everything that a client needs, and needs no credential', async () => {
  const { status, json, headers } = await api.request('GET', '/.well-known/oauth-authorization-server', {
    token: null,
  });
  expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
  expect(json).toEqual({
    issuer: BASE_URL,
    token_endpoint: `${BASE_URL}/oauth/token`,
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    grant_types_supported: ['client_credentials'],
    response_types_supported: [],
    scopes_supported: expect.arrayContaining(['*:read', 'vacancies:read', 'credentials:admin']),
    service_documentation: `${BASE_URL}/docs`,
  });
});
