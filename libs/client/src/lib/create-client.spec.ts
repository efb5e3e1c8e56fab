import { describe, expect, test } from '@jest/globals';
import { API_VERSION } from '../generated/version.gen.js';
import { clientCredentials } from './credentials.js';
import { createClient, type CreateClientOptions } from './create-client.js';
import { ApiError, ConnectionError } from './errors.js';

type Answer = Response | Error;
const ok = (): Response => Response.json({ id: 1 });
const busy = (status = 503, seconds = '0'): Response =>
  Response.json({ message: 'busy' }, { status, headers: { 'retry-after': seconds } });

/**
 * Creates a client whose connection gives the answers in order, and a list of the requests that the connection gets.
 */
function connect(answers: readonly Answer[], options: Partial<CreateClientOptions> = {}) {
  const requests: Request[] = [];
  const bodies: string[] = [];
  const client = createClient({
    baseUrl: 'http://ats.test/api/v1/',
    token: 'ats_key_secret',
    ...options,
    fetch: async (request) => {
      const answer = answers[requests.length];
      requests.push(request);
      bodies.push(await request.text());
      if (answer === undefined) throw new Error('expected no further request');
      if (answer instanceof Error) throw answer;
      return answer;
    },
  });
  return { client, requests, bodies };
}

const url = '/api/v1/candidates';
const body = { lastname: 'Example' };
const thrownBy = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('a request', () => {
  test('sends the token and the version, to a base URL with or without /api/v1', async () => {
    const { client, requests } = connect([ok()]);
    const { data } = await client.get({ url });
    expect(data).toEqual({ id: 1 });
    expect(requests[0]?.url).toBe('http://ats.test/api/v1/candidates');
    expect(requests[0]?.headers.get('authorization')).toBe('Bearer ats_key_secret');
    expect(requests[0]?.headers.get('api-version')).toBe(API_VERSION);
    expect(requests[0]?.headers.has('idempotency-key')).toBe(false);
  });

  test('calls the token function again for each request', async () => {
    let count = 0;
    const { client, requests } = connect([ok(), ok()], { token: () => `token-${(count += 1)}` });
    await client.get({ url });
    await client.get({ url });
    expect(requests.map(({ headers }) => headers.get('authorization'))).toEqual(['Bearer token-1', 'Bearer token-2']);
  });
});

describe('an address that is not complete', () => {
  test.each(['', 'ats.example.com', 'localhost:3000', 'http://'])('%j is refused at once', (baseUrl) => {
    expect(() => createClient({ baseUrl })).toThrow('baseUrl must be an address such as https://ats.example.com');
  });

  test('can be relative on a web page', () => {
    Object.assign(globalThis, { location: {} });
    try {
      expect(createClient({ baseUrl: '' }).getConfig().baseUrl).toBe('');
    } finally {
      Reflect.deleteProperty(globalThis, 'location');
    }
  });
});

describe('the retries of the client', () => {
  test.each([429, 502, 503, 504, 409])('repeat a request after %i with Retry-After', async (status) => {
    const { client, requests } = connect([busy(status), ok()]);
    await client.patch({ url, body });
    expect(requests).toHaveLength(2);
  });

  test('send the same body and the same idempotency key again', async () => {
    const { client, requests, bodies } = connect([busy(), new TypeError('fetch failed'), ok()]);
    await client.post({ url, body });
    expect(bodies).toEqual(Array(3).fill(JSON.stringify(body)));
    const keys = requests.map(({ headers }) => headers.get('idempotency-key'));
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(new Set(keys).size).toBe(1);
  });

  test('keep the idempotency key of the caller', async () => {
    const { client, requests } = connect([ok()]);
    await client.post({ url, body, headers: { 'Idempotency-Key': 'mine' } });
    expect(requests[0]?.headers.get('idempotency-key')).toBe('mine');
  });

  test('end after the given number of repetitions and return the last answer', async () => {
    const { client, requests } = connect([busy(), busy(), busy()], { retries: 2 });
    expect(await thrownBy(client.get({ url }))).toMatchObject({ name: 'ApiError', status: 503 });
    expect(requests).toHaveLength(3);
  });

  test('wait for no longer than the caller allows', async () => {
    const { client, requests } = connect([busy(429, '61')]);
    expect(await thrownBy(client.get({ url }))).toMatchObject({ status: 429 });
    expect(requests).toHaveLength(1);
  });

  test('pause for no longer than the caller allows, however often they repeat', async () => {
    const broken = Array<Error>(20).fill(new TypeError('fetch failed'));
    const { client, requests } = connect([...broken, ok()], { retries: Infinity, maxWaitSeconds: 0 });
    await client.get({ url });
    expect(requests).toHaveLength(21);
  });

  test('compare a date in Retry-After with the clock of the server', async () => {
    const headers = { date: 'Sat, 28 Nov 2026 10:00:00 GMT', 'retry-after': 'Sat, 28 Nov 2026 10:00:00 GMT' };
    const { client, requests } = connect([new Response(null, { status: 503, headers }), ok()]);
    await client.get({ url });
    expect(requests).toHaveLength(2);
  });

  test.each([400, 401, 403, 404, 409, 412, 422, 500])('are not sent after the status %i', async (status) => {
    const { client, requests } = connect([Response.json({ message: 'no' }, { status })]);
    expect(await thrownBy(client.get({ url }))).toMatchObject({ status });
    expect(requests).toHaveLength(1);
  });

  test.each([undefined, 'text/plain'])(
    'are not sent after a 204 with an empty stream and the type %s',
    async (type) => {
      const headers = new Headers(type === undefined ? {} : { 'content-type': type });
      const answer = new Response(null, { status: 204, headers });
      // In some browsers, the body of a 204 answer is an empty stream instead of null.
      const { client, requests } = connect([Object.defineProperty(answer, 'body', { value: new Blob([]).stream() })]);
      const { response } = await client.delete({ url });
      expect([response.status, requests.length]).toEqual([204, 1]);
    },
  );

  test('end when the signal of the caller aborts, also during a pause', async () => {
    const { client, requests } = connect([busy(503, '50')]);
    const signal = AbortSignal.timeout(50);
    expect(await thrownBy(client.get({ url, signal }))).toBe(signal.reason);
    expect(requests).toHaveLength(1);
  });
});

describe('the errors of the client', () => {
  test('have the status, the code and the violations', async () => {
    const errors = [{ resource: 'candidates', path: '/email', code: 'missing', info: 'expected an address' }];
    const answer = Response.json({ message: 'Validation failed', errors, request_id: 'r1' }, { status: 422 });
    const error = await thrownBy(connect([answer]).client.post({ url, body }));
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status: 422, code: 'missing', violations: errors, requestId: 'r1' });
    expect(String(error)).toBe('ApiError: Validation failed\n/email: expected an address');
  });

  test('show the text of a proxy that answers without JSON', async () => {
    const answer = new Response('<h1>Bad request</h1>', { status: 400, headers: { 'x-request-id': 'r2' } });
    const error = await thrownBy(connect([answer]).client.get({ url }));
    expect(error).toMatchObject({
      status: 400,
      code: undefined,
      violations: [],
      body: '<h1>Bad request</h1>',
      requestId: 'r2',
    });
  });

  test('name no place when the whole body is wrong', async () => {
    const body = { message: 'Validation failed', errors: [{ path: '', code: 'invalid', info: 'expected an object' }] };
    const error = await thrownBy(connect([Response.json(body, { status: 422 })]).client.get({ url }));
    expect(error).toMatchObject({ message: 'Validation failed\nexpected an object' });
  });

  test('have the cause when no answer arrived', async () => {
    const cause = new TypeError('fetch failed');
    const error = await thrownBy(connect([cause], { retries: 0 }).client.get({ url }));
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ message: 'No answer from http://ats.test.', cause });
  });
});

describe('client credentials', () => {
  const signIn = clientCredentials({ keyId: 'key', token: 'secret', scopes: ['candidates:read', 'users:read'] });
  const token = (text: string, seconds = 3_600): Response => Response.json({ access_token: text, expires_in: seconds });

  test('get one access token for many requests', async () => {
    const { client, requests, bodies } = connect([token('a'), ok(), ok()], { signIn });
    await client.get({ url });
    await client.get({ url });
    expect(requests.map((request) => request.url.replace('http://ats.test', ''))).toEqual(['/oauth/token', url, url]);
    expect(requests[0]?.headers.get('authorization')).toBe(`Basic ${btoa('key:secret')}`);
    expect(bodies[0]).toBe('grant_type=client_credentials&scope=candidates%3Aread+users%3Aread');
    expect(requests[2]?.headers.get('authorization')).toBe('Bearer a');
  });

  test('get another access token shortly before the end of the first one', async () => {
    const { client, requests } = connect([token('a', 30), ok(), token('b'), ok()], { signIn });
    await client.get({ url });
    await client.get({ url });
    expect(requests[3]?.headers.get('authorization')).toBe('Bearer b');
  });

  test('get another access token after 401, and repeat the request once', async () => {
    const refused = (): Response => Response.json({ message: 'no' }, { status: 401 });
    const { client, requests, bodies } = connect([token('a'), refused(), token('b'), refused()], { signIn });
    expect(await thrownBy(client.post({ url, body }))).toMatchObject({ status: 401 });
    expect(requests[3]?.headers.get('authorization')).toBe('Bearer b');
    expect(bodies[3]).toBe(JSON.stringify(body));
  });

  test('report the refusal of the token endpoint', async () => {
    const refusal = Response.json({ message: 'Not a client', error: 'invalid_client' }, { status: 401 });
    const error = await thrownBy(connect([refusal], { signIn }).client.get({ url }));
    expect(error).toMatchObject({ name: 'ApiError', status: 401, code: 'invalid_client' });
  });

  describe('when the signal of a call aborts', () => {
    /**
     * Creates a client whose token endpoint answers only when `release` is called, and a list of the signals of its
     * requests.
     */
    function connectSlowly() {
      const signIns: AbortSignal[] = [];
      let release = (): void => undefined;
      const client = createClient({
        baseUrl: 'http://ats.test',
        signIn,
        fetch: (request) => {
          if (!request.url.endsWith('/oauth/token')) return Promise.resolve(ok());
          signIns.push(request.signal);
          return new Promise((resolve, reject) => {
            release = () => resolve(token('a'));
            request.signal.addEventListener('abort', () => reject(request.signal.reason as Error));
          });
        },
      });
      return { client, signIns, release: () => release() };
    }

    test('the call and its sign-in end', async () => {
      const { client, signIns } = connectSlowly();
      const signal = AbortSignal.timeout(20);
      expect(await thrownBy(client.get({ url, signal }))).toBe(signal.reason);
      expect(signIns.map(({ aborted }) => aborted)).toEqual([true]);
    });

    test('its sign-in goes on while another call waits for it', async () => {
      const { client, signIns, release } = connectSlowly();
      const signal = AbortSignal.timeout(20);
      const [aborted, other] = [thrownBy(client.get({ url, signal })), client.get({ url })];
      expect(await aborted).toBe(signal.reason);
      release();
      expect((await other).data).toEqual({ id: 1 });
      expect(signIns.map(({ aborted: isAborted }) => isAborted)).toEqual([false]);
    });

    test('the next call signs in anew', async () => {
      const { client, signIns, release } = connectSlowly();
      await thrownBy(client.get({ url, signal: AbortSignal.timeout(20) }));
      const next = client.get({ url });
      while (signIns.length < 2) await new Promise(setImmediate);
      release();
      expect((await next).data).toEqual({ id: 1 });
    });

    test('the call ends, even while a token function of the caller runs', async () => {
      const { client } = connect([], { token: () => new Promise(() => undefined) });
      const signal = AbortSignal.timeout(20);
      expect(await thrownBy(client.get({ url, signal }))).toBe(signal.reason);
    });
  });
});
