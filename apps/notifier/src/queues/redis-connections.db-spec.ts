import { parseRedisUrl, RedisConnections } from '@ats/redis-connection';
import { expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../../test/eventually.js';
import { TcpRelay } from '@ats/postgres/testing';
import { queueOptions } from './queues.js';

it('the notifier reconnects to Redis after its address accepted and closed connections', async () => {
  const relay = await TcpRelay.before(process.env['TEST_REDIS_URL'] ?? '');
  const connections = new RedisConnections(parseRedisUrl(relay.url));
  const producer = connections.create({ retries: 1, commandTimeoutMs: 2_000 }).on('error', () => undefined);
  const waiting = connections.create({ retries: 'endless' }).on('error', () => undefined);
  try {
    for (const connection of [producer, waiting])
      await eventually(async () => expect(await connection.ping()).toBe('PONG'));
    await relay.turnAway();
    await sleep(1_500);
    await relay.close();
    await relay.open();
    for (const connection of [producer, waiting])
      await eventually(async () => expect(await connection.ping()).toBe('PONG'));
  } finally {
    connections.close();
    await relay.close();
  }
});

it('a second connect is ignored for the blocking client of a queue, and reported for other clients', async () => {
  const connections = new RedisConnections(parseRedisUrl(process.env['TEST_REDIS_URL'] ?? ''));
  const options = queueOptions('hot', connections);
  try {
    await expect(options.createClient?.('bclient').connect()).resolves.toBeUndefined();
    await expect(options.createClient?.('subscriber').connect()).rejects.toThrow('already connecting');
  } finally {
    connections.close();
  }
});
