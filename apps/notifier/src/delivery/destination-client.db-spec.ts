import { afterEach, describe, expect, it } from '@jest/globals';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { type AttemptOutcome } from './attempt-outcome.js';
import { DestinationClient } from './destination-client.js';

const open: { readonly server: Server; readonly sockets: Set<Socket> }[] = [];
const clients: DestinationClient[] = [];

afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
  for (const { server, sockets } of open.splice(0)) {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  }
});

/** A destination that speaks bytes, so that it can misbehave. @returns its port */
async function listen(onRequest: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    // The body is the last that comes, in a packet of its own or not.
    socket.on('data', (chunk) => chunk.toString('latin1').endsWith('{}') && onRequest(socket));
  });
  open.push({ server, sockets });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

function createClient({ addresses = ['127.0.0.1'], allowPrivate = true }: { addresses?: readonly string[]; allowPrivate?: boolean } = {}): DestinationClient {
  const vetting = { allowHttp: true, allowPrivate, timeoutMs: 1_000, resolve: () => Promise.resolve(addresses) };
  const client = new DestinationClient({ vetting, headersTimeoutMs: 400, bodyTimeoutMs: 200 });
  clients.push(client);
  return client;
}

const post = (port: number, client = createClient()): Promise<AttemptOutcome> =>
  client.post({ url: `http://receiver.example.com:${port}/hook`, headers: { 'content-type': 'application/json' }, body: '{}' });
const answer = (...parts: readonly (string | Buffer)[]) => (socket: Socket): void => parts.forEach((part) => void socket.write(part));
const drip = (socket: Socket, text: string): void => {
  const timer = setInterval(() => (socket.destroyed ? clearInterval(timer) : void socket.write(text)), 20);
};

describe('a destination', () => {
  it('that never answers is given up', async () => {
    const outcome = await post(await listen(() => undefined));
    expect(outcome).toMatchObject({ error: 'timeout', answer: null });
    expect(outcome.durationMs).toBeLessThan(1_000);
  });

  it('that drips its headers is given up all the same', async () => {
    const port = await listen((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      drip(socket, 'x-more: 1\r\n');
    });
    const outcome = await post(port);
    expect(outcome).toMatchObject({ error: 'timeout', answer: null });
    expect(outcome.durationMs).toBeLessThan(1_000);
  });

  it('that drips its body has succeeded with its headers', async () => {
    const port = await listen((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n');
      drip(socket, '1\r\nx\r\n');
    });
    const outcome = await post(port);
    expect(outcome).toMatchObject({ error: null, answer: { statusCode: 200, isTruncated: true } });
    expect(outcome.durationMs).toBeLessThan(1_000);
  });

  it('that sends without end is read to 64 KiB and kept to 16', async () => {
    let written = 0;
    const port = await listen((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000000000\r\n\r\n');
      const chunk = Buffer.alloc(16_384, 'x');
      const more = (): void => {
        while (!socket.destroyed && socket.write(chunk)) written += chunk.length;
      };
      socket.on('drain', more);
      more();
    });
    const outcome = await post(port);
    expect(outcome.answer).toMatchObject({ statusCode: 200, isTruncated: true });
    expect(outcome.answer?.excerpt).toHaveLength(16_384);
    expect(written).toBeLessThan(50_000_000);
  });

  it('that sends something compressed is not unpacked', async () => {
    const bomb = gzipSync(Buffer.alloc(10_000_000));
    const port = await listen(answer(`HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`, bomb));
    expect((await post(port)).answer?.excerpt.length).toBeLessThanOrEqual(16_384);
  });

  it('that cuts its body short has succeeded with its headers', async () => {
    const port = await listen((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf'));
    expect(await post(port)).toMatchObject({ error: null, answer: { excerpt: 'half', isTruncated: true } });
  });

  it.each<[string, (socket: Socket) => void, string]>([
    ['sends too many headers', answer('HTTP/1.1 200 OK\r\n', `x-much: ${'x'.repeat(20_000)}\r\n\r\n`), 'bad_response'],
    ['speaks no HTTP', answer('SSH-2.0-OpenSSH_9.9\r\n'), 'bad_response'],
    ['hangs up', (socket) => void socket.destroy(), 'connection_lost'],
    ['resets the connection', (socket) => void socket.resetAndDestroy(), 'connection_lost'],
    ['redirects', answer('HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1/\r\ncontent-length: 0\r\n\r\n'), 'redirect'],
    ['answers 500', answer('HTTP/1.1 500 Internal Server Error\r\ncontent-length: 0\r\n\r\n'), 'status'],
  ])('that %s has failed', async (_, onRequest, error) => {
    expect(await post(await listen(onRequest))).toMatchObject({ error });
  });

  it('where nobody listens has failed', async () => {
    const port = await listen(() => undefined);
    const [{ server } = { server: undefined }] = open.splice(0);
    await new Promise((resolve) => server?.close(resolve));
    expect(await post(port)).toMatchObject({ error: 'connection_refused', remoteAddress: null });
  });

  it('is not spoken to when any of its addresses is forbidden', async () => {
    let connections = 0;
    const port = await listen(() => (connections += 1));
    expect(await post(port, createClient({ allowPrivate: false }))).toMatchObject({ error: 'blocked', answer: null });
    expect(await post(port, createClient({ addresses: ['127.0.0.1', '169.254.169.254'] }))).toMatchObject({ error: 'blocked' });
    const literal = createClient({ allowPrivate: false }).post({ url: `http://127.0.0.1:${port}/`, headers: {}, body: '{}' });
    expect(await literal).toMatchObject({ error: 'blocked' });
    expect(connections).toBe(0);
  });

  it('is reached at the address that was checked, under its own name', async () => {
    let request = '';
    const port = await listen(answer('HTTP/1.1 204 No Content\r\n\r\n'));
    open[0]?.server.on('connection', (socket: Socket) => socket.on('data', (chunk: Buffer) => (request += chunk.toString('latin1'))));
    expect(await post(port)).toMatchObject({ error: null, remoteAddress: '127.0.0.1' });
    expect(request).toContain(`host: receiver.example.com:${port}`);
  });

  it('is asked for a name that has no address', async () => {
    expect(await post(9_999, createClient({ addresses: [] }))).toMatchObject({ error: 'name_not_found', isOurFault: false });
  });

  it('is spoken to again over the same connections', async () => {
    const port = await listen(answer('HTTP/1.1 204 No Content\r\n\r\n'));
    let connections = 0;
    open[0]?.server.on('connection', () => (connections += 1));
    const client = createClient();
    for (let index = 0; index < 10; index++) expect(await post(port, client)).toMatchObject({ error: null });
    expect(connections).toBeLessThanOrEqual(2);
  });
});
