import { connect } from 'node:net';
import { parseToken } from '@ats/domain';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Redis } from 'ioredis';
import { type Answer } from '../support/answer.js';
import { Api } from '../support/api-harness.js';
import { Factories } from '../support/factories.js';
import { rateLimitOf, startLimited } from './limited-api.js';
import { until, waitForBoards, withLockedBoards } from './locked-boards.js';
import { rawRequest } from '../support/raw-request.js';
import { retryIfSlow } from '../support/retry-if-slow.js';
import { TcpRelay } from '@ats/postgres/testing';

const LIMITS = { RATE_LIMIT: 1_000, RATE_LIMIT_WINDOW: 3_600, CONCURRENCY_LIMIT: 2 };

let unlimited: Api;
let make: Factories;
let apis: readonly [Api, Api];
let port: number;

beforeAll(async () => {
  unlimited = await Api.start();
  make = new Factories(unlimited);
  apis = [await startLimited(unlimited, LIMITS), await startLimited(unlimited, LIMITS)];
  port = await apis[0].listen();
});
afterAll(async () => {
  await Promise.all(apis.map(({ app }) => app.close()));
  await unlimited.close();
});

const whileBoardsAreLocked = (work: () => Promise<void>): Promise<void> => withLockedBoards(unlimited, work);
const waitingForBoards = (count: number): Promise<void> => waitForBoards(unlimited, count);

const boards = (api: Api, token: string): Promise<Answer> => api.get('/job_boards', { token });
const me = (api: Api, token: string): Promise<Answer> => api.get('/me', { token });

/** Sends requests on one connection, and closes it before the first answer. */
async function sendAndDisconnect({ app }: Api, to: number, text: string, requests: number): Promise<void> {
  const server = app.getHttpServer();
  let received = 0;
  const count = (): void => void (received += 1);
  server.on('request', count);
  const socket = connect(to, '127.0.0.1').on('error', () => undefined);
  socket.write(text);
  await until(() => Promise.resolve(received === requests));
  // The connection is reset. After an orderly close, the server would still answer.
  socket.resetAndDestroy();
  server.off('request', count);
  await until(
    () => new Promise((resolve) => server.getConnections((_error, connections) => resolve(connections === 0))),
  );
}

describe('the concurrency limit', () => {
  test('counts the requests of all processes, and frees a slot with each answer', () =>
    // The page waits for ten seconds and is then cancelled.
    retryIfSlow(9_000, async () => {
      const { token } = await make.credential();
      const other = (await make.credential()).token;
      let running: readonly Promise<Answer>[] = [];
      const locked = whileBoardsAreLocked(async () => {
        running = apis.map((api) => boards(api, token));
        await waitingForBoards(2);
        for (const api of apis) {
          const refused = await me(api, token);
          expect(refused.status).toBe(429);
          expect(refused.headers['retry-after']).toBe('1');
          expect(refused.problem.message).toBe(
            'Too many concurrent requests: the limit is 2, try again when one of them is answered',
          );
          expect(rateLimitOf(refused)?.remaining).toBeGreaterThan(0);
        }
        expect((await me(apis[0], other)).status).toBe(200);
      });
      await Promise.allSettled([locked]);
      await Promise.all(running);
      await locked;
      expect((await Promise.all(running)).map(({ status }) => status)).toEqual([200, 200]);
      // The API frees the slot of a request before the client gets the answer. The next requests can therefore follow
      // at once.
      for (let count = 0; count < 10; count++) expect((await me(apis[0], token)).status).toBe(200);
    }));

  test('frees the slot of a client that disconnected, although its request still runs', async () => {
    const { token } = await make.credential();
    await whileBoardsAreLocked(async () => {
      const sockets = [0, 1].map(() => connect(port, '127.0.0.1').on('error', () => undefined));
      for (const socket of sockets)
        socket.write(rawRequest('GET /api/v1/job_boards HTTP/1.1', 'Host: a', `Authorization: Bearer ${token}`));
      await waitingForBoards(2);
      expect((await me(apis[1], token)).status).toBe(429);
      for (const socket of sockets) socket.destroy();
      await until(async () => (await me(apis[1], token)).status === 200);
    });
  });

  test('frees the slots of clients that disconnect while Redis checks the limits', async () => {
    const url = process.env['TEST_REDIS_URL'] ?? '';
    const relay = await TcpRelay.before(url);
    const slow = await startLimited(unlimited, { ...LIMITS, CONCURRENCY_LIMIT: 20, REDIS_URL: relay.urlFor(url) });
    const redis = new Redis(url);
    try {
      const slowPort = await slow.listen();
      const { token } = await make.credential();
      const keys = `ats:limits:{${parseToken(token)?.keyId}}`;
      await until(
        async () => (await me(slow, token)).status === 200 && (await redis.hget(`${keys}:window`, 'used')) !== null,
      );
      const used = Number(await redis.hget(`${keys}:window`, 'used'));
      relay.setSilent(true);
      const who = ['Host: a', `Authorization: Bearer ${token}`];
      const get = ['GET /api/v1/me HTTP/1.1', ...who, '', ''].join('\r\n');
      await sendAndDisconnect(
        slow,
        slowPort,
        rawRequest('POST /api/v1/job_boards HTTP/1.1', ...who, 'Content-Type: application/json', 'Content-Length: 100'),
        1,
      );
      await sendAndDisconnect(slow, slowPort, get.repeat(3), 3);
      relay.setSilent(false);
      await until(async () => Number(await redis.hget(`${keys}:window`, 'used')) === used + 4);
      await until(async () => (await redis.zcard(`${keys}:leases`)) === 0);
      // The request that reads the metrics counts as in flight itself.
      await until(async () => /^api_http_requests_in_flight 1$/m.test((await slow.request('GET', '/metrics')).text));
    } finally {
      relay.setSilent(false);
      await slow.app.close();
      await relay.close();
      await redis.quit();
    }
  });

  test('frees the slot of a request that fails', async () => {
    const { token } = await make.credential();
    const paths = [
      '/api/v1/nothing',
      '/api/v1/%E0%A4%A',
      '/api/v1/job_boards?serach=1',
      '/api/v1/me',
      '/api/v1/candidates/1',
    ];
    for (const path of [...paths, ...paths])
      for (const api of apis) expect((await api.request('GET', path, { token })).status).not.toBe(429);
  });
});
