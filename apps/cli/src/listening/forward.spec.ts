import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSigningKey, verify } from '@ats/webhook-signing';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { UsageError } from '../errors.js';
import { nextParcel, type Parcel } from './batch.js';
import { type Sender } from './endpoint.js';
import { forward } from './forward.js';

const message = { position: 1, type: 'CANDIDATE_CREATE', sequence: 1, message_id: 'm', body: '{}' };
const sender: Sender = { signing_key: createSigningKey(), next_signing_key: null, custom_headers: {}, batch: null };

let stop: AbortController;
let waits: string[];
const servers: Server[] = [];
beforeEach(() => {
  stop = new AbortController();
  waits = [];
});
afterEach(() => {
  stop.abort();
  for (const server of servers.splice(0)) server.close();
});

async function listen(server: Server, port = 0): Promise<number> {
  servers.push(server);
  server.listen(port);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

const sendParcel = (url: string, parcel: Parcel, { from = () => Promise.resolve(sender), timeoutMs = 30_000 } = {}) =>
  forward(parcel, from, { url, timeoutMs, signal: stop.signal, onWait: (reason) => void waits.push(reason) });
const send = async (url: string, options: Parameters<typeof sendParcel>[2] = {}): Promise<string> =>
  (await sendParcel(url, nextParcel([message], sender), options)).join();

/** Aborts the forwarding as soon as it waits. Returns the reasons for which it has waited. */
async function waitOf(sending: Promise<string>): Promise<readonly string[]> {
  const ended = expect(sending).rejects.toThrow('aborted');
  while (waits.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
  stop.abort();
  await ended;
  return waits;
}

/** Returns a server that never answers. Its connections are closed at the end of the test. */
const silent = (): Server =>
  createTcpServer((socket) => {
    socket.on('error', () => undefined).resume();
    stop.signal.addEventListener('abort', () => socket.destroy());
  });

describe('forwarding a message', () => {
  it('returns the status of the answer, and does not follow a redirect', async () => {
    const port = await listen(createServer((_, response) => response.writeHead(302, { location: '/' }).end('text')));
    expect(await send(`http://localhost:${port}`)).toBe('302');
    expect(waits).toEqual([]);
  });

  it('reads the keys for each attempt, so that the present key signs a message that waited', async () => {
    const keys = [createSigningKey(), createSigningKey()];
    const port = await listen(createTcpServer());
    servers.pop()?.close();
    let count = 0;
    let received: IncomingHttpHeaders = {};
    const server = createServer(({ headers }, response) => {
      received = headers;
      response.end();
    });
    const from = async () => {
      if (count === 1) await listen(server, port);
      return { ...sender, signing_key: keys[count++] ?? '' };
    };
    expect(await send(`http://localhost:${port}`, { from })).toBe('200');
    expect(waits).toEqual(['ECONNREFUSED']);
    expect(received['x-service-notify-attempt']).toBe('2');
    const options = { body: '{}', headers: received, keys, toleranceSeconds: 60, now: new Date() };
    expect(verify(options).keyIndex).toBe(1);
  });

  it('sends a batch as one signed array, and shows which messages the answer refuses', async () => {
    const messages = ['m1', 'm2', 'm3', 'm4', 'm5'].map((id, index) => ({
      ...message,
      message_id: id,
      sequence: index + 1,
      body: `{"message_id":"${id}","subscription":{"id":${index < 4 ? 1 : 2}}}`,
    }));
    const [first, ...others] = messages;
    if (!first) throw new Error('there is no message');
    const parcelOf = (max: number): Parcel => nextParcel([first, ...others], { batch: { max } });
    expect([parcelOf(100), parcelOf(2)].map((parcel) => parcel.messages.length)).toEqual([4, 2]);
    const received: { readonly body: string; readonly headers: IncomingHttpHeaders }[] = [];
    const server = createServer((request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
      request.on('end', () => {
        received.push({ body, headers: request.headers });
        response.end('{"failed": ["M2"]}');
      });
    });
    const url = `http://localhost:${await listen(server)}`;
    expect(await sendParcel(url, parcelOf(3))).toEqual(['200', 'rejected', '200']);
    expect(await sendParcel(url, parcelOf(1))).toEqual(['200']);
    expect(received.map(({ body }) => (JSON.parse(body) as object[]).length)).toEqual([3, 1]);
    expect(received[0]?.headers['x-service-notify-sequence']).toBe('1,2,3');
    expect(messages.map(({ message_id: id }) => id)).not.toContain(received[1]?.headers['webhook-id']);
    for (const { body, headers } of received)
      verify({ body, headers, keys: [sender.signing_key], toleranceSeconds: 60, now: new Date() });
  });

  it('sends to a port that fetch refuses', async () => {
    for (const port of [6_665, 6_666, 6_667, 6_668, 6_669, 6_000, 10_080]) {
      const server = createServer((_, response) => response.writeHead(204).end());
      const isFree = await listen(server, port).catch(() => servers.pop() && false);
      if (isFree) return expect(await send(`http://localhost:${port}`)).toBe('204');
    }
    throw new Error('No such port is free.');
  });

  it('does not repeat a message whose answer timed out', async () => {
    const port = await listen(silent());
    expect(await send(`http://localhost:${port}`, { timeoutMs: 100 })).toBe('no answer within 0.1 s');
  });

  it('repeats a message whose connection timed out', async () => {
    const port = await listen(silent());
    expect(await waitOf(send(`https://localhost:${port}`, { timeoutMs: 100 }))).toEqual(['no connection within 0.1 s']);
  });

  it('repeats a message when the server ends the connection during its set-up', async () => {
    const port = await listen(createTcpServer((socket) => socket.destroy()));
    expect(await waitOf(send(`https://localhost:${port}`))).toEqual(['ECONNRESET']);
  });

  it('gives a message up after the connection was lost three times', async () => {
    let count = 0;
    const server = createTcpServer((socket) => {
      count += 1;
      socket.on('error', () => undefined).once('data', () => socket.destroy());
    });
    expect(await send(`http://localhost:${await listen(server)}`)).toBe('ECONNRESET');
    expect({ count, waits }).toEqual({ count: 3, waits: ['ECONNRESET'] });
  });

  it('throws a usage error when the certificate is not trusted', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'ats-tls-'));
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
    const options = ['req', '-x509', ...curve, '-keyout', key, '-out', cert, '-subj', '/CN=localhost'];
    execFileSync('openssl', options, { stdio: 'ignore' });
    const server = createSecureServer({ key: readFileSync(key), cert: readFileSync(cert) });
    rmSync(folder, { recursive: true });
    const sending = send(`https://localhost:${await listen(server)}`);
    await expect(sending).rejects.toThrow(UsageError);
    await expect(sending).rejects.toThrow('DEPTH_ZERO_SELF_SIGNED_CERT');
  });

  it('throws a usage error when the server does not speak TLS', async () => {
    const port = await listen(createServer());
    await expect(send(`https://localhost:${port}`)).rejects.toThrow(UsageError);
  });

  it('throws the reason of the signal when the signal aborts', async () => {
    const port = await listen(silent());
    const sending = send(`http://localhost:${port}`);
    stop.abort(new Error('Ctrl-C'));
    await expect(sending).rejects.toThrow('Ctrl-C');
  });
});
