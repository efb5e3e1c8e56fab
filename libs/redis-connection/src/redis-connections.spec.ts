import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { RedisConnections, type RedisPatience } from './redis-connections.js';
import { parseRedisUrl } from './redis-url.js';

const sockets = new Set<Socket>();
let server: Server;
let host: string;
const made: RedisConnections[] = [];

/** Starts a server that accepts connections and never answers. */
beforeEach(async () => {
  server = createServer((socket) => {
    sockets.add(socket);
    socket
      .on('error', () => undefined)
      .on('close', () => sockets.delete(socket))
      .resume();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  for (const connections of made.splice(0)) connections.close();
  for (const socket of sockets) socket.destroy();
  await new Promise((resolve) => server.close(resolve));
});

function connect(form: string, patience: RedisPatience): ReturnType<RedisConnections['create']> {
  const connections = new RedisConnections(parseRedisUrl(form.replace('HOST', host)));
  made.push(connections);
  return connections.create(patience).on('error', () => undefined);
}
const TICK_MS = 10;

/**
 * Expects that a command fails in time. The time is counted in ticks of this process, which also runs the server. So it
 * does not include the time in which a busy machine runs other processes.
 */
async function failsWithin(ms: number, command: () => Promise<unknown>): Promise<void> {
  let ticks = 0;
  const timer = setInterval(() => (ticks += 1), TICK_MS);
  await expect(command())
    .rejects.toThrow(Error)
    .finally(() => clearInterval(timer));
  expect(ticks * TICK_MS).toBeLessThan(ms);
}

const FORMS = ['redis://HOST', 'redis://HOST?mode=cluster', 'redis://HOST?mode=sentinel&master=primary'];

describe('a client', () => {
  it.each(FORMS)('without retries rejects commands at once while it has no connection: %s', async (form) => {
    const client = connect(form, { retries: 0 });
    await failsWithin(1_000, () => client.get('key'));
  });

  it.each(FORMS)(
    'with one retry rejects commands in bounded time when the server does not answer: %s',
    async (form) => {
      const client = connect(form, { retries: 1, commandTimeoutMs: 200 });
      await failsWithin(1_000, () => client.get('key'));
    },
  );

  it('rejects a command whose answer does not come in time', async () => {
    const client = connect('redis://HOST', { retries: 0, commandTimeoutMs: 50 });
    if (client.status !== 'ready') await once(client, 'ready');
    await failsWithin(1_000, () => client.get('key'));
  });

  it.each(FORMS)('rejects its waiting commands when it is closed, and does not reconnect: %s', async (form) => {
    const client = connect(form, { retries: 'endless' });
    const command = client.get('key').catch((error: unknown) => error);
    while (sockets.size === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    made[0]?.close();
    for (const socket of sockets) socket.destroy();
    let opened = 0;
    const count = (): void => void (opened += 1);
    subscribe('net.client.socket', count);
    try {
      expect(await command).toBeInstanceOf(Error);
      await new Promise((resolve) => setTimeout(resolve, 300));
    } finally {
      unsubscribe('net.client.socket', count);
    }
    expect(opened).toBe(0);
  });
});
