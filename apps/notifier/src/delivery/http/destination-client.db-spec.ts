// @group sample: npm test runs a quarter of its tests
import { describe, expect, it } from '@jest/globals';
import { type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { freePort } from '@ats/postgres/testing';
import { NO_CONTENT, SHORT_MS, useRawDestinations } from '../../../test/raw-destinations.js';

/**
 * An attempt that takes less time than this was ended by the limit that the test has shortened: all other limits are
 * longer.
 */
const IN_TIME_MS = 60_000;

const destinations = useRawDestinations();

const answer =
  (...parts: readonly (string | Buffer)[]) =>
  (socket: Socket): void =>
    parts.forEach((part) => void socket.write(part));
const drip = (socket: Socket, text: string, everyMs = 20): void => {
  const timer = setInterval(() => (socket.destroyed ? clearInterval(timer) : void socket.write(text)), everyMs);
};

describe('a destination', () => {
  it('fails with a timeout when it never answers', async () => {
    const outcome = await destinations.post(
      await destinations.listen(() => undefined),
      destinations.createClient({ limits: { headersTimeoutMs: SHORT_MS } }),
    );
    expect(outcome).toMatchObject({ error: 'timeout', answer: null });
    expect(outcome.durationMs).toBeLessThan(IN_TIME_MS);
  });

  it('fails with a timeout when it sends its headers byte by byte', async () => {
    const port = await destinations.listen((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      drip(socket, 'x-more: 1\r\n');
    });
    const outcome = await destinations.post(
      port,
      destinations.createClient({ limits: { headersTimeoutMs: SHORT_MS } }),
    );
    expect(outcome).toMatchObject({ error: 'timeout', answer: null });
    expect(outcome.durationMs).toBeLessThan(IN_TIME_MS);
  });

  it('succeeds once its headers arrived, even when it sends its body byte by byte', async () => {
    const port = await destinations.listen((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n');
      drip(socket, '1\r\nx\r\n');
    });
    const outcome = await destinations.post(port, destinations.createClient({ limits: { bodyTimeoutMs: SHORT_MS } }));
    expect(outcome).toMatchObject({ error: null, answer: { statusCode: 200, isTruncated: true } });
    expect(outcome.durationMs).toBeLessThan(IN_TIME_MS);
  });

  it('may send an endless body, of which 64 KiB are read and 16 KiB stored', async () => {
    const port = await destinations.listen((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      const chunk = Buffer.alloc(16_384, 'x');
      const more = (): void => {
        while (!socket.destroyed && socket.write(chunk));
      };
      socket.on('drain', more);
      more();
    });
    const outcome = await destinations.post(port);
    expect(outcome.answer).toMatchObject({ statusCode: 200, isTruncated: true });
    expect(outcome.answer?.excerpt).toHaveLength(16_384);
    expect(outcome.durationMs).toBeLessThan(IN_TIME_MS);
  });

  it('may send a compressed body, which is stored without decompression', async () => {
    const bomb = gzipSync(Buffer.alloc(10_000_000));
    const port = await destinations.listen(
      answer(`HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`, bomb),
    );
    expect((await destinations.post(port)).answer?.excerpt.length).toBeLessThanOrEqual(16_384);
  });

  it('succeeds once its headers arrived, even when its body is incomplete', async () => {
    const port = await destinations.listen((socket) =>
      socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf'),
    );
    expect(await destinations.post(port)).toMatchObject({
      error: null,
      answer: { excerpt: 'half', isTruncated: true },
    });
  });

  it.each<[string, (socket: Socket) => void, string]>([
    [
      'it sends a header that is too long',
      answer('HTTP/1.1 200 OK\r\n', `x-much: ${'x'.repeat(100_000)}\r\n\r\n`),
      'bad_response',
    ],
    [
      'it sends too many headers',
      answer('HTTP/1.1 200 OK\r\n', 'x-more: 1\r\n'.repeat(10_000), '\r\n'),
      'bad_response',
    ],
    ['its answer is not HTTP', answer('SSH-2.0-OpenSSH_9.9\r\n'), 'bad_response'],
    ['its status is invalid', answer('HTTP/1.1 OK 200\r\n\r\n'), 'bad_response'],
    ['it answers with HTTP/2', answer(Buffer.from('000012040000000000000300000064', 'hex')), 'bad_response'],
    [
      'it sends two lengths',
      answer('HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nxx'),
      'bad_response',
    ],
    [
      'it switches to another protocol',
      answer('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n'),
      'bad_response',
    ],
    ['it sends endless interim answers', (socket) => drip(socket, 'HTTP/1.1 100 Continue\r\n\r\n', 5), 'bad_response'],
    [
      'it sends too many interim answers at once',
      answer('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(1_000)),
      'bad_response',
    ],
    [
      'it resets the connection during its headers',
      (socket) => socket.write('HTTP/1.1 200 OK\r\nx-more', () => socket.resetAndDestroy()),
      'connection_lost',
    ],
    ['it closes the connection', (socket) => void socket.destroy(), 'connection_lost'],
    ['it resets the connection', (socket) => void socket.resetAndDestroy(), 'connection_lost'],
    [
      'it redirects',
      answer('HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1/\r\ncontent-length: 0\r\n\r\n'),
      'redirect',
    ],
    ['it answers 500', answer('HTTP/1.1 500 Internal Server Error\r\ncontent-length: 0\r\n\r\n'), 'status'],
  ])('fails when %s', async (_, onRequest, error) => {
    expect(await destinations.post(await destinations.listen(onRequest))).toMatchObject({ error });
  });

  it.each([
    ['100 Continue', 'HTTP/1.1 100 Continue\r\n\r\n'],
    [
      'several interim answers',
      'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n',
    ],
  ])('succeeds with its final answer after %s', async (_, interim) => {
    const port = await destinations.listen(answer(interim, NO_CONTENT));
    const client = destinations.createClient();
    for (let count = 0; count < 2; count++)
      expect(await destinations.post(port, client)).toMatchObject({ error: null, answer: { statusCode: 204 } });
  });

  it('may answer before it has read the whole message', async () => {
    const port = await destinations.listen(() => undefined);
    destinations.open[0]?.server.on('connection', (socket: Socket) =>
      socket.end('HTTP/1.1 413 Content Too Large\r\nconnection: close\r\ncontent-length: 0\r\n\r\n'),
    );
    expect(await destinations.post(port, destinations.createClient(), 'x'.repeat(5_000_000))).toMatchObject({
      error: 'status',
      answer: { statusCode: 413 },
    });
  });

  it('succeeds once its headers arrived, even when it resets the connection during its body', async () => {
    const port = await destinations.listen((socket) =>
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf', () =>
        setTimeout(() => socket.resetAndDestroy(), 20),
      ),
    );
    expect(await destinations.post(port)).toMatchObject({
      error: null,
      answer: { statusCode: 200, isTruncated: true },
    });
  });

  it('fails with a timeout when its whole answer takes too long', async () => {
    const port = await destinations.listen((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n');
      drip(socket, '', 20);
    });
    const outcome = await destinations.post(
      port,
      destinations.createClient({ resolveMs: SHORT_MS, limits: { totalTimeoutMs: 5_000 } }),
    );
    expect(outcome).toMatchObject({ error: null, answer: { isTruncated: true } });
    expect(outcome.durationMs).toBeLessThan(IN_TIME_MS);
  });

  it('fails when its port is closed', async () => {
    expect(await destinations.post(await freePort())).toMatchObject({
      error: 'connection_refused',
      remoteAddress: null,
    });
  });

  it('is not called when one of its addresses is forbidden', async () => {
    let connections = 0;
    const port = await destinations.listen(() => (connections += 1));
    expect(await destinations.post(port, destinations.createClient({ allowPrivate: false }))).toMatchObject({
      error: 'blocked',
      answer: null,
    });
    expect(
      await destinations.post(port, destinations.createClient({ addresses: ['127.0.0.1', '169.254.169.254'] })),
    ).toMatchObject({
      error: 'blocked',
    });
    const literal = destinations.createClient({ allowPrivate: false }).post({
      url: `http://127.0.0.1:${port}/`,
      headers: {},
      body: '{}',
    });
    expect(await literal).toMatchObject({ error: 'blocked' });
    expect(connections).toBe(0);
  });

  it('is called at the checked address with its own host name', async () => {
    let request = '';
    const port = await destinations.listen(answer(NO_CONTENT));
    destinations.open[0]?.server.on('connection', (socket: Socket) =>
      socket.on('data', (chunk: Buffer) => (request += chunk.toString('latin1'))),
    );
    expect(await destinations.post(port)).toMatchObject({ error: null, remoteAddress: '127.0.0.1' });
    expect(request).toContain(`\r\nhost: receiver.example.com:${port}\r\n`);
  });

  it('fails with name_not_found when its name has no address', async () => {
    expect(await destinations.post(9_999, destinations.createClient({ addresses: [] }))).toMatchObject({
      error: 'name_not_found',
      isOwnError: false,
    });
  });

  it('is called again over connections that were kept open', async () => {
    const port = await destinations.listen(answer(NO_CONTENT));
    let connections = 0;
    destinations.open[0]?.server.on('connection', () => (connections += 1));
    const client = destinations.createClient();
    for (let index = 0; index < 10; index++)
      expect(await destinations.post(port, client)).toMatchObject({ error: null });
    expect(connections).toBeLessThanOrEqual(2);
  });

  it('is called over IPv6 too', async () => {
    const port = await destinations.listen(answer(NO_CONTENT), '::1');
    expect(await destinations.post(port, destinations.createClient({ addresses: ['::1'] }))).toMatchObject({
      error: null,
      remoteAddress: '::1',
    });
    const literal = destinations.createClient().post({ url: `http://[::1]:${port}/`, headers: {}, body: '{}' });
    expect(await literal).toMatchObject({ error: null, remoteAddress: '::1' });
  });

  it('is called at another address when one refuses the connection', async () => {
    const port = await destinations.listen(answer(NO_CONTENT));
    expect(await destinations.post(port, destinations.createClient({ addresses: ['::1', '127.0.0.1'] }))).toMatchObject(
      {
        error: null,
        remoteAddress: '127.0.0.1',
      },
    );
  });
});
