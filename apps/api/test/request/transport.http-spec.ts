// @group sample: npm test runs a quarter of its tests
import { once } from 'node:events';
import { type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { localise } from '@ats/domain';
import { message } from '@ats/message';
import { parseAnswer, rawRequest, type RawAnswer, sendRaw } from '../support/raw-request.js';
import { useApi } from '../support/use-api.js';

const { api, make } = useApi();
let port: number;

beforeAll(async () => {
  port = await api.listen();
});

const HOST = 'Host: localhost';
const authorization = (): string => `Authorization: Bearer ${api.adminToken}`;

/** Expects the form of an error of the API. Source: docs/reference/errors.md. */
function expectProblem({ status, headers, body }: RawAnswer, expected: number): void {
  expect([status, headers['content-type'], headers['api-version']]).toEqual([
    expected,
    'application/json; charset=utf-8',
    '1.7',
  ]);
  const text =
    headers['transfer-encoding'] === 'chunked' ? body.slice(body.indexOf('{'), body.lastIndexOf('}') + 1) : body;
  expect(JSON.parse(text)).toEqual({ message: expect.any(String), request_id: headers['x-request-id'] });
}

describe('on a real connection', () => {
  test.each([
    ['no HTTP at all', () => 'HELLO\r\n\r\n', 400],
    ['an empty line and noise', () => '\r\n\u0000\u0001\r\n\r\n', 400],
    ['an unknown method', () => rawRequest('FOO /api/v1/me HTTP/1.1', HOST), 400],
    ['a tunnel', () => rawRequest('CONNECT example.com:443 HTTP/1.1', HOST), 405],
    ['a blank in the path', () => rawRequest('GET /api/v1/ me HTTP/1.1', HOST), 400],
    ['an unknown version of HTTP', () => rawRequest('GET /api/v1/me HTTP/9.9', HOST), 400],
    ['a header without a colon', () => rawRequest('GET /api/v1/me HTTP/1.1', HOST, 'X'), 400],
    ['a length below zero', () => rawRequest('POST /api/v1/candidates HTTP/1.1', HOST, 'Content-Length: -1'), 400],
    [
      'two lengths',
      () => rawRequest('POST /api/v1/candidates HTTP/1.1', HOST, 'Content-Length: 1', 'Content-Length: 2'),
      400,
    ],
    [
      'a length beside chunks',
      () => rawRequest('POST /api/v1/candidates HTTP/1.1', HOST, 'Content-Length: 1', 'Transfer-Encoding: chunked'),
      400,
    ],
    ['no Host', () => rawRequest('GET /api/v1/me HTTP/1.1', authorization()), 400],
    [
      'a path that cannot be decoded',
      () => rawRequest('GET /api/v1/candidates/%ZZ HTTP/1.1', HOST, authorization()),
      400,
    ],
    [
      'an expectation that cannot be met',
      () => rawRequest('POST /api/v1/candidates HTTP/1.1', HOST, 'Expect: miracles'),
      417,
    ],
    ['headers above 16 KiB', () => rawRequest('GET /api/v1/me HTTP/1.1', HOST, `X: ${'x'.repeat(17_000)}`), 431],
  ])('answers %s in JSON', async (_, request, status) => {
    expectProblem(await sendRaw(port, request()), status);
  });

  test('answers an unknown Expect header in the language and version of the request', async () => {
    const answer = await sendRaw(
      port,
      rawRequest(
        'POST /api/v1/candidates HTTP/1.1',
        HOST,
        'Expect: miracles',
        'Accept-Language: de',
        'Api-Version: 1.9',
      ),
    );
    expect(answer).toMatchObject({
      headers: {
        'content-language': 'de',
        'api-version': '1.9',
        vary: 'Api-Version, Accept-Language, Accept-Encoding',
      },
    });
    expect(answer.body).toContain(
      localise(message`The only supported value of the header Expect is ${'100-continue'}`, 'de'),
    );
  });

  test.each(['PUT /api/v1/candidates/1', 'PUT /api/v1/job_boards', 'PUT /api/v1/unknown'])(
    'answers 411 to %s without a body and without Content-Length',
    async (line) => {
      expectProblem(await sendRaw(port, rawRequest(`${line} HTTP/1.1`, HOST, authorization())), 411);
    },
  );

  test('accepts Content-Length: 0 for a PUT without a body, and reports the missing body', async () => {
    const { id } = await make.candidate();
    const { status } = await sendRaw(
      port,
      rawRequest(`PUT /api/v1/candidates/${id} HTTP/1.1`, HOST, authorization(), 'Content-Length: 0'),
    );
    expect(status).toBe(400);
  });

  test('accepts a chunked body', async () => {
    const { id } = await make.jobBoard();
    const text = JSON.stringify({ name: 'In chunks', code: 'chunks' });
    const head = rawRequest(
      `PUT /api/v1/job_boards/${id} HTTP/1.1`,
      HOST,
      authorization(),
      'Content-Type: application/json',
      'Transfer-Encoding: chunked',
    );
    const { status } = await sendRaw(port, `${head}${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`);
    expect(status).toBe(200);
  });

  test.each([
    ['with its length', (body: Buffer) => ({ header: `Content-Length: ${body.length}`, body })],
    [
      'in chunks',
      (body: Buffer) => ({
        header: 'Transfer-Encoding: chunked',
        body: Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('\r\n0\r\n\r\n')]),
      }),
    ],
  ])('rejects a body that is not UTF-8, %s', async (_, frame) => {
    const { header, body } = frame(Buffer.from('{"name":"\xff\xfe","code":"latin"}', 'latin1'));
    const head = rawRequest(
      'POST /api/v1/job_boards HTTP/1.1',
      HOST,
      authorization(),
      'Content-Type: application/json',
      header,
    );
    expectProblem(await sendRaw(port, Buffer.concat([Buffer.from(head), body])), 400);
  });

  test('rejects a body above 1 MiB by its Content-Length alone', async () => {
    const head = rawRequest(
      'POST /api/v1/candidates HTTP/1.1',
      HOST,
      authorization(),
      'Content-Type: application/json',
      `Content-Length: ${1024 * 1024 + 1}`,
    );
    expectProblem(await sendRaw(port, head), 413);
  });

  test.each([
    ['headers', () => 'GET /api/v1/me HTTP/1.1\r\nHost: a\r\n'],
    [
      'a body',
      () =>
        rawRequest(
          'POST /api/v1/candidates HTTP/1.1',
          HOST,
          authorization(),
          'Content-Type: application/json',
          'Content-Length: 1000',
        ),
    ],
  ])('answers 408 and closes the connection when %s never end', async (_, request) => {
    const slow = await api.beside({});
    const server = slow.app.getHttpServer();
    expect(server.requestTimeout).toBe(60_000);
    Object.assign(server, { requestTimeout: 200, headersTimeout: 200, connectionsCheckingInterval: 50 });
    const slowPort = await slow.listen();
    // The client never closes the connection itself, so the server must close it.
    const socket = connect({ port: slowPort, host: '127.0.0.1', allowHalfOpen: true });
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', () => undefined);
    const isAnswered = new Promise((resolve) => socket.once('end', resolve).once('close', resolve));
    socket.write(request());
    await new Promise((resolve) =>
      server.once('connection', (connection: Socket) => connection.once('close', resolve)),
    );
    await isAnswered;
    expectProblem(parseAnswer(Buffer.concat(chunks).toString()), 408);
    expect(slow.log.filter((line) => line.includes('a required server is unavailable'))).toEqual([]);
    socket.destroy();
    await slow.app.close();
  });

  test('does not log a server error when a client aborts its body', async () => {
    const before = api.log.length;
    const socket = connect(port, '127.0.0.1');
    socket.write(
      `${rawRequest('POST /api/v1/job_boards HTTP/1.1', HOST, authorization(), 'Content-Type: application/json', 'Content-Length: 100')}{"n`,
    );
    const [request] = (await once(api.app.getHttpServer(), 'request')) as [IncomingMessage];
    // The client disconnects only after the API has begun to wait for the body.
    while (request.readableFlowing !== true) await nextTurn();
    socket.resetAndDestroy();
    const isAborted = (line: string): boolean => line.includes('request aborted by the client');
    for (const deadline = Date.now() + 60_000; Date.now() < deadline && !api.log.slice(before).some(isAborted); )
      await fetch(`http://127.0.0.1:${port}/health/live`);
    const lines = api.log
      .slice(before)
      .filter((line) => (JSON.parse(line) as { readonly level: string }).level !== 'debug');
    expect(lines).toEqual([expect.stringContaining('request aborted by the client')]);
  });

  test('answers 401 before it waits for the body', async () => {
    const head = rawRequest(
      'POST /api/v1/candidates HTTP/1.1',
      HOST,
      'Content-Type: application/json',
      'Content-Length: 1000',
    );
    expectProblem(await sendRaw(port, head), 401);
  });

  test('serves HTTP/1.0 requests without a Host header', async () => {
    const { status, body } = await sendRaw(port, rawRequest('GET /api/v1/me HTTP/1.0', authorization()));
    expect([status, JSON.parse(body)]).toEqual([200, expect.objectContaining({ name: 'Bootstrap' })]);
  });

  test('answers HEAD with the Content-Length of GET and without a body', async () => {
    const { status, headers, body } = await sendRaw(
      port,
      rawRequest('HEAD /api/v1/me HTTP/1.1', HOST, authorization()),
    );
    expect([status, body, Number(headers['content-length']) > 100]).toEqual([200, '', true]);
  });
});
