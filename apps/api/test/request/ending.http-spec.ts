// @group sample: npm test runs a quarter of its tests
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Draining } from '../../src/request/draining.js';
import { Api } from '../support/api-harness.js';
import { rawRequest } from '../support/raw-request.js';

let main: Api;
beforeAll(async () => {
  main = await Api.start();
});
afterAll(() => main.close());

const LIMITS = { unfinishedMs: 300, runningMs: 60_000, wholeMs: 60_000 };

/** Starts another API with these time limits for shutting down. */
async function another(limits: Partial<typeof LIMITS>): Promise<{ readonly api: Api; readonly port: number }> {
  const api = await main.beside({});
  Object.assign(api.app.get(Draining), { limits: { ...LIMITS, ...limits } });
  return { api, port: await api.listen() };
}

interface Client {
  readonly socket: Socket;
  /** Resolves with all text that the client has received, when the connection is closed. */
  readonly got: Promise<string>;
}

async function send(port: number, text: string): Promise<Client> {
  const chunks: Buffer[] = [];
  const socket = connect(port, '127.0.0.1')
    .on('error', () => undefined)
    .on('data', (chunk: Buffer) => chunks.push(chunk));
  const got = new Promise<string>((resolve) => socket.once('close', () => resolve(Buffer.concat(chunks).toString())));
  await new Promise((resolve) => socket.once('connect', resolve));
  if (text) await new Promise((resolve) => socket.write(text, resolve));
  return { socket, got };
}

const head = (line: string, ...more: readonly string[]): string =>
  rawRequest(`${line} HTTP/1.1`, 'Host: a', `Authorization: Bearer ${main.adminToken}`, ...more);
const POST = (length: number): string =>
  head('POST /api/v1/job_boards', 'Content-Type: application/json', `Content-Length: ${length}`);

/** Locks the table of job boards while `work` runs. Requests that read job boards then do not finish. */
const whileBoardsAreLocked = (work: () => Promise<void>): Promise<void> =>
  main.database.transaction(async (transaction) => {
    await transaction.query('LOCK TABLE job_boards IN ACCESS EXCLUSIVE MODE');
    await work();
  });

async function waitForReader(): Promise<void> {
  for (const deadline = Date.now() + 60_000; ; ) {
    const [row] = await main.database.query<{ waiting: number }>(
      `SELECT count(*)::integer AS waiting FROM pg_locks WHERE NOT granted AND relation = 'job_boards'::regclass
         AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    );
    if (row?.waiting === 1) return;
    if (Date.now() > deadline) throw new Error('no statement waits for the table');
  }
}

describe('a process that shuts down', () => {
  test.each([
    ['has sent nothing', () => ''],
    ['has sent half of its headers', () => 'GET /api/v1/me HTTP/1.1\r\nHost: a\r\n'],
    ['has sent half of a body', () => `${POST(100)}{"name":`],
    [
      'has sent half of a body in chunks',
      () =>
        `${head('POST /api/v1/job_boards', 'Content-Type: application/json', 'Transfer-Encoding: chunked')}5\r\n{"n`,
    ],
    [
      'was rejected and keeps sending',
      () =>
        'POST /api/v1/job_boards HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
    ],
  ])('does not wait for a client that %s', async (_, text) => {
    const { api, port } = await another({});
    const { got } = await send(port, text());
    // The API accepts connections in order. When it answers this request, it has also accepted the earlier connection.
    expect((await fetch(`http://127.0.0.1:${port}/health/live`)).status).toBe(200);
    await api.app.close();
    await got;
  });

  test('accepts a body that arrives in time, and answers complete requests', async () => {
    const { api, port } = await another({ unfinishedMs: 3_000 });
    const body = JSON.stringify({ name: 'In time', code: 'in_time' });
    const slow = await send(port, POST(body.length) + body.slice(0, 5));
    const silent = await send(port, 'GET /');
    let ended: Promise<unknown> | undefined;
    await whileBoardsAreLocked(async () => {
      const whole = await send(port, head('GET /api/v1/job_boards'));
      await waitForReader();
      ended = Promise.all([whole.got, slow.got, api.app.close()]);
      slow.socket.write(body.slice(5));
      await silent.got;
    });
    expect(await ended).toEqual([
      expect.stringMatching(/^HTTP\/1\.1 200 /),
      expect.stringMatching(/^HTTP\/1\.1 201 /),
      undefined,
    ]);
  });

  test('aborts requests that are still running at the deadline, and logs their number', async () => {
    const { api, port } = await another({ runningMs: 500 });
    let ended: Promise<void> | undefined;
    await whileBoardsAreLocked(async () => {
      const { got } = await send(port, head('GET /api/v1/job_boards'));
      await waitForReader();
      ended = api.app.close();
      expect(await got).toBe('');
    });
    await ended;
    expect(
      api.log.some((line) =>
        line.includes('requests aborted, because they were still running at the shutdown deadline: 1'),
      ),
    ).toBe(true);
  });
});
