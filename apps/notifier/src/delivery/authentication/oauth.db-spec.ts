// @group sample: npm test runs a quarter of its tests
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { AUTHENTICATION_PURPOSE, destinationGuard, replaceAuthentication, SecretBox } from '@ats/domain';
import { eventually } from '../../../test/eventually.js';
import { readDeliveries, recordEvent, SECRET_KEY, secretBox, subscribe } from '../../../test/fixtures.js';
import { useReceiver } from '../../../test/receiver.js';
import { useStage } from '../../../test/running-notifier.js';
import { requestToken, TokenClient } from './token-request.js';

const stage = useStage();
const receiver = useReceiver();
const ofAuthentication = new SecretBox(SECRET_KEY, AUTHENTICATION_PURPOSE);
const SECRET = 'a secret: ~ % and more';

interface TokenRequest {
  readonly authorization: string;
  readonly body: string;
}

const json =
  (status: number, body: object | string) =>
  (response: ServerResponse): void =>
    void response
      .writeHead(status, { 'content-type': 'application/json' })
      .end(typeof body === 'string' ? body : JSON.stringify(body));
const granted = (response: ServerResponse): void =>
  json(200, { access_token: `token-${tokens.requests.length}`, token_type: 'Bearer', expires_in: 3_600 })(response);

const tokens = {
  requests: [] as TokenRequest[],
  answer: granted,
};
const server = createServer((request, response) => void serve(request, response));

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  tokens.requests.push({ authorization: request.headers.authorization ?? '', body });
  tokens.answer(response);
}

beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
beforeEach(() => {
  tokens.requests.length = 0;
  tokens.answer = granted;
});
afterEach(async () => {
  await stage.stopNotifiers();
  await stage.reset();
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const client = (more: object = {}) => ({
  token_url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/token?tenant=7`,
  client_id: 'ats',
  client_secret: SECRET,
  scope: 'hooks:write',
  ...more,
});

async function subscribeWithOAuth(): Promise<void> {
  const { subscription } = await subscribe(stage.database, { url: receiver.url });
  const [row] = await stage.database.query<{ id: number }>(
    'SELECT endpoint_id AS id FROM notification_subscriptions WHERE id = $1',
    [subscription.id],
  );
  await stage.database.transaction((transaction) =>
    replaceAuthentication(transaction, row?.id ?? 0, client(), {
      ofSecret: ofAuthentication,
      ofSigningKeys: secretBox,
      keepsSecret: false,
    }),
  );
}

const statuses = async (): Promise<readonly string[]> =>
  (await readDeliveries(stage.database)).map(({ status }) => status);
const addEvents = async (count: number): Promise<void> => {
  for (let subjectId = 1; subjectId <= count; subjectId++) await recordEvent(stage.database, { subjectId });
  await stage.wake();
};
const logged = (): Promise<{ error: string | null; text: string }[]> =>
  stage.database.query('SELECT error, a::text AS text FROM notification_attempts a ORDER BY id');

describe('an endpoint with OAuth 2 client credentials', () => {
  it('gets its messages with a token, which is requested once and is in no log', async () => {
    await subscribeWithOAuth();
    await stage.start();
    await addEvents(8);
    await eventually(async () => expect(await statuses()).toEqual(Array.from({ length: 8 }, () => 'delivered')));
    expect(receiver.requests.map(({ headers }) => headers['authorization'])).toEqual(
      Array.from({ length: 8 }, () => 'Bearer token-1'),
    );
    const basic = Buffer.from(`ats:a+secret%3A+%7E+%25+and+more`).toString('base64');
    expect(tokens.requests).toEqual([
      { authorization: `Basic ${basic}`, body: 'scope=hooks%3Awrite&grant_type=client_credentials' },
    ]);
    for (const { text } of await logged()) for (const part of ['token-1', SECRET]) expect(text).not.toContain(part);
  });

  it('gets a message again with a new token after an answer 401, in the same attempt', async () => {
    await subscribeWithOAuth();
    receiver.respond = ({ headers }, response) =>
      void response.writeHead(headers['authorization'] === 'Bearer token-1' ? 401 : 204).end();
    await stage.start();
    await addEvents(1);
    await eventually(async () => expect(await statuses()).toEqual(['delivered']));
    expect(await logged()).toHaveLength(1);
    expect(receiver.requests.map(({ headers }) => headers['authorization'])).toContain('Bearer token-2');
  });

  it('gets no message without a token: the attempt fails with an error code for this case, and is repeated', async () => {
    await subscribeWithOAuth();
    tokens.answer = json(401, { error: 'invalid_client', error_description: 'do not log this' });
    await stage.start({ DELIVERY_SCHEDULE: [6, 6, 6, 6, 6] });
    await addEvents(1);
    await eventually(async () => expect((await logged()).map(({ error }) => error)).toContain('token_refused'));
    expect(receiver.requests).toEqual([]);
    for (const { text } of await logged()) expect(text).not.toContain('do not log this');
    tokens.answer = granted;
    await eventually(async () => expect(await statuses()).toEqual(['delivered']));
  });
});

describe('requestToken', () => {
  const environment = { ALLOW_HTTP_DESTINATIONS: true, ALLOW_PRIVATE_DESTINATIONS: true };
  const request = async (more: object = {}, allowed: object = environment): Promise<unknown> => {
    const http = new TokenClient(destinationGuard({ ...stage.environment(), ...allowed }));
    try {
      return await requestToken(http, client(more));
    } finally {
      http.close();
    }
  };
  const REFUSED = { error: 'token_refused', isOwnError: false };
  const UNAVAILABLE = { error: 'token_unavailable', isOwnError: false };
  const TOKEN = { access_token: 'a', token_type: 'bearer' };

  it('accepts a bearer token with and without a lifetime', async () => {
    tokens.answer = json(200, TOKEN);
    expect(await request()).toEqual({ token: 'a', expiresIn: null });
    tokens.answer = json(200, { ...TOKEN, expires_in: 60 });
    expect(await request({ scope: null })).toEqual({ token: 'a', expiresIn: 60 });
    expect(tokens.requests.at(-1)?.body).toBe('grant_type=client_credentials');
  });

  it('treats a status 4xx, a redirect, and every answer without a usable token as refused', async () => {
    const answers = [
      json(400, { error: 'invalid_scope' }),
      json(403, 'no'),
      (response: ServerResponse) => void response.writeHead(302, { location: receiver.url }).end(),
      json(200, 'no JSON'),
      json(200, {}),
      json(200, { ...TOKEN, access_token: 'a\r\nx-other: b' }),
      json(200, { ...TOKEN, access_token: 'ä' }),
      json(200, { ...TOKEN, access_token: 'x'.repeat(8_193) }),
      json(200, { ...TOKEN, access_token: 'x'.repeat(100_000) }),
      json(200, { ...TOKEN, token_type: 'mac' }),
      json(204, ''),
    ];
    for (const [index, answer] of answers.entries()) {
      tokens.answer = answer;
      expect([index, await request()]).toEqual([index, REFUSED]);
    }
    expect(receiver.requests).toEqual([]);
  });

  it('treats the token server as unavailable when there is no answer, and for the status 429 or 5xx', async () => {
    for (const answer of [
      json(500, ''),
      json(503, TOKEN),
      json(429, { error: 'slow_down' }),
      (response: ServerResponse) => void response.destroy(),
    ]) {
      tokens.answer = answer;
      expect(await request()).toEqual(UNAVAILABLE);
    }
  });

  it('calls no private address and no URL without TLS, unless the operator allows it', async () => {
    expect(await request({}, { ALLOW_PRIVATE_DESTINATIONS: false })).toEqual(REFUSED);
    expect(await request({}, { ALLOW_HTTP_DESTINATIONS: false })).toEqual(REFUSED);
    expect(tokens.requests).toEqual([]);
  });
});
