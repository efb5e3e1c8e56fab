import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { candidatesCreate, candidatesGet, candidatesList } from '../generated/sdk.gen.js';
import { changes } from './changes.js';
import { createClient, type CreateClientOptions } from './create-client.js';
import { ConnectionError } from './errors.js';
import { items } from './pages.js';

let server: Server;
afterEach(() => void server.close());

/** Starts a service that breaks the connection in the middle of its first answers, and a client for it. */
async function connect(breaks: number, answer: unknown, options: Partial<CreateClientOptions> = {}) {
  const requests: { url: string | undefined; key: unknown }[] = [];
  server = createServer((request, response) => {
    requests.push({ url: request.url, key: request.headers['idempotency-key'] });
    if (requests.length <= breaks) breakOff(response, 500);
    else response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const baseUrl = `http://127.0.0.1:${port}`;
  const client = createClient({ baseUrl, token: 't', maxWaitSeconds: 0, ...options });
  return { client, requests, baseUrl };
}

function breakOff(response: ServerResponse, length: number): void {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': length });
  response.write('[{"id": 1', () => response.destroy());
}

const thrownBy = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('a connection that breaks in the middle of an answer', () => {
  test('makes the client repeat a request', async () => {
    const { client, requests } = await connect(2, { id: 7 });
    const { data, response } = await candidatesGet({ client, path: { id: 7 } });
    expect(data).toEqual({ id: 7 });
    expect(response.url).toMatch(/\/candidates\/7$/);
    expect(requests).toHaveLength(3);
  });

  test('makes the client repeat a POST with the same idempotency key', async () => {
    const { client, requests } = await connect(1, { id: 7 });
    await candidatesCreate({ client, body: { firstname: 'A', lastname: 'B', email: 'a@example.com' } });
    expect(requests).toHaveLength(2);
    expect(requests[1]?.key).toBe(requests[0]?.key);
  });

  test('does not end an iteration over items', async () => {
    const { client } = await connect(1, [{ id: 1 }, { id: 2 }]);
    const found: unknown[] = [];
    for await (const { id } of items(candidatesList, { client })) found.push(id);
    expect(found).toEqual([1, 2]);
  });

  test('lets the changes continue from the last token', async () => {
    const { client, requests } = await connect(1, { items: [], next: 'b', has_more: false });
    for await (const { next } of changes({ client, since: 'a' })) {
      if (requests.length === 4) break;
      expect(next).toBe('b');
      if (requests.length === 2) breakNext();
    }
    expect(requests.map(({ url }) => /since=(\w)/.exec(url ?? '')?.[1])).toEqual(['a', 'a', 'b', 'b']);
    function breakNext(): void {
      const [answer] = server.listeners('request') as [(...parts: unknown[]) => void];
      server.removeAllListeners('request');
      server.once('request', (request, response) => {
        requests.push({ url: request.url, key: undefined });
        server.on('request', answer);
        breakOff(response, 500);
      });
    }
  });

  test('is a ConnectionError after the last retry', async () => {
    const { client, requests, baseUrl } = await connect(2, {}, { retries: 1 });
    const error = await thrownBy(candidatesGet({ client, path: { id: 7 } }));
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ message: `The answer of ${baseUrl} is incomplete.`, cause: expect.anything() });
    expect(requests).toHaveLength(2);
  });

  test('is a ConnectionError of a stream, which is never repeated', async () => {
    const { client, requests } = await connect(1, {});
    const { data, response } = await client.get<{ 200: ReadableStream<Uint8Array> }, unknown, true>({
      url: '/api/v1/candidates',
      parseAs: 'stream',
      throwOnError: true,
    });
    const reader = data.getReader();
    expect(new TextDecoder().decode((await reader.read()).value)).toBe('[{"id": 1');
    expect(await thrownBy(reader.read())).toBeInstanceOf(ConnectionError);
    expect(response.url).toMatch(/\/api\/v1\/candidates$/);
    expect(requests).toHaveLength(1);
  });
});

describe('half a JSON document', () => {
  test('is an incomplete answer, even when the connection ended in order', async () => {
    const answers = ['{"id": ', '{"id": 7}'];
    const fetch = () =>
      Promise.resolve(new Response(answers.shift(), { headers: { 'content-type': 'application/json' } }));
    const client = createClient({ baseUrl: 'http://ats.test', maxWaitSeconds: 0, fetch });
    server = createServer();
    expect((await candidatesGet({ client, path: { id: 7 } })).data).toEqual({ id: 7 });
    answers.push(...Array<string>(5).fill('{"id": '));
    expect(await thrownBy(candidatesGet({ client, path: { id: 7 } }))).toBeInstanceOf(ConnectionError);
  });
});

describe('a stream', () => {
  test('is passed on before its end, and ends when its signal is aborted', async () => {
    const { client, baseUrl } = await connect(0, {});
    server.removeAllListeners('request').on('request', (_request, response: ServerResponse) => {
      response.writeHead(200, { 'content-type': 'application/x-ndjson' }).write('1\n');
    });
    expect(baseUrl).toContain('127.0.0.1');
    const stop = new AbortController();
    const { data } = await client.get<{ 200: ReadableStream<Uint8Array> }, unknown, true>({
      url: '/api/v1/candidates',
      parseAs: 'stream',
      signal: stop.signal,
      throwOnError: true,
    });
    const reader = data.getReader();
    expect((await reader.read()).value).toHaveLength(2);
    stop.abort(new Error('stopped'));
    expect(String(await thrownBy(reader.read()))).toContain('stopped');
    server.closeAllConnections();
  });
});
