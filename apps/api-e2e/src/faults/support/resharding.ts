import { options } from './options.js';
import { queueMaster, QUEUE_KEY } from './failover.js';
import { type RedisServers } from './redis-servers.js';
import { type Stage } from './stage.js';

const KEYS_AT_ONCE = 10;

/**
 * Moves the hash slot of the queue and its keys to another master, as resharding does. During the move, Redis answers
 * clients with MOVED, ASK and TRYAGAIN.
 */
export async function moveQueue(stage: Stage): Promise<void> {
  const { redisServers } = stage.servers;
  const source = await queueMaster(stage);
  const masters = await mastersOf(redisServers);
  const target = masters.find((node) => node !== source);
  if (!target) throw new Error('the Redis Cluster has only one master, so its hash slots cannot be moved');
  const slot = await redisServers.ask(source, (redis) => redis.cluster('KEYSLOT', QUEUE_KEY));
  const [from, to] = await Promise.all(
    [source, target].map((node) => redisServers.ask(node, (redis) => redis.cluster('MYID').then(String))),
  );
  if (from === undefined || to === undefined) throw new Error('a node of the Redis Cluster has no id');
  await redisServers.ask(target, (redis) => redis.cluster('SETSLOT', slot, 'IMPORTING', from));
  await redisServers.ask(source, (redis) => redis.cluster('SETSLOT', slot, 'MIGRATING', to));
  for (;;) {
    const keys = await redisServers.ask<unknown>(source, (redis) => redis.cluster('GETKEYSINSLOT', slot, KEYS_AT_ONCE));
    if (!Array.isArray(keys) || keys.length === 0) break;
    await redisServers.ask(source, (redis) =>
      redis.call(
        'MIGRATE',
        '127.0.0.1',
        target.port,
        '',
        0,
        9_000,
        'REPLACE',
        'AUTH',
        options.password,
        'KEYS',
        ...keys.map(String),
      ),
    );
  }
  for (const node of [target, source, ...masters])
    await redisServers.ask(node, (redis) => redis.cluster('SETSLOT', slot, 'NODE', to));
}

/** Returns the Redis nodes that accept writes. */
export async function mastersOf(redisServers: RedisServers): Promise<RedisServers['nodes']> {
  const roles = await Promise.all(
    redisServers.nodes.map((node) => redisServers.ask(node, async (redis) => (await redis.role())[0])),
  );
  return redisServers.nodes.filter((_, index) => roles[index] === 'master');
}
