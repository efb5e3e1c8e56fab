import { expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../../test/eventually.js';
import { TcpProxy } from '../../test/tcp-proxy.js';
import { RedisConnections } from './redis-connections.js';

it('comes back to a Redis whose address accepted connections and hung up meanwhile', async () => {
  const proxy = new TcpProxy(new URL(process.env['TEST_REDIS_URL'] ?? ''));
  await proxy.open();
  const connections = new RedisConnections(proxy.url);
  const producer = connections.createProducer().on('error', () => undefined);
  const waiting = connections.createWaiting().on('error', () => undefined);
  try {
    for (const connection of [producer, waiting]) expect(await connection.ping()).toBe('PONG');
    await proxy.turnAway();
    await sleep(1_500);
    await proxy.cut();
    await proxy.open();
    for (const connection of [producer, waiting]) await eventually(async () => expect(await connection.ping()).toBe('PONG'));
  } finally {
    connections.close();
    await proxy.cut();
  }
});
