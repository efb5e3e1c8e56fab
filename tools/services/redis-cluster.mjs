// @ts-check
import { sleep } from './processes.mjs';
import { startRedis } from './redis.mjs';

const SLOTS = 16_384;
const FORMED_WITHIN_MS = 30_000;

/** With these settings a replica replaces its master within a few seconds. */
const nodeSettings = {
  'cluster-enabled': 'yes',
  'cluster-config-file': 'nodes.conf',
  'cluster-node-timeout': '1500',
  // A replica with old data may replace its master, because each master has only one replica.
  'cluster-replica-validity-factor': '0',
  'repl-diskless-sync-delay': '0',
};

/**
 * Starts a node. With a new directory the node is in no cluster yet. With the directory of a former node it is a member
 * of the same cluster again.
 * @param {Parameters<typeof startRedis>[0]} options all nodes of a cluster have the same password
 */
export const startClusterNode = (options) =>
  startRedis({ ...options, settings: { ...nodeSettings, masterauth: options.password, ...options.settings } });

/**
 * Forms a cluster of running nodes. Slots and replicas are distributed evenly over the masters. Uses only commands of
 * Redis 6.2.
 * @param {{ masters: readonly number[], replicas?: readonly number[], password: string }} options `masters` and
 *   `replicas` are ports on 127.0.0.1
 */
export async function formCluster({ masters, replicas = [], password }) {
  const { Redis } = await import('ioredis');
  const nodes = [...masters, ...replicas].map(
    (port) => new Redis({ host: '127.0.0.1', port, password, lazyConnect: true }),
  );
  try {
    await Promise.all(nodes.map((node) => node.connect()));
    await Promise.all(masters.map((_, index) => nodes[index].cluster('ADDSLOTS', ...slotsOf(index, masters.length))));
    await Promise.all(nodes.map((node, index) => node.cluster('SET-CONFIG-EPOCH', index + 1)));
    for (const port of [...masters, ...replicas].slice(1)) await nodes[0].cluster('MEET', '127.0.0.1', port);
    await untilAll(nodes, async (node) => {
      const info = String(await node.cluster('INFO'));
      return info.includes(`cluster_known_nodes:${nodes.length}`) && info.includes('cluster_state:ok');
    });
    for (const [index, node] of nodes.slice(masters.length).entries()) {
      await node.cluster('REPLICATE', String(await nodes[index % masters.length].cluster('MYID')));
    }
    await untilAll(nodes.slice(masters.length), async (node) =>
      (await node.info('replication')).includes('master_link_status:up'),
    );
  } finally {
    for (const node of nodes) node.disconnect();
  }
}

/**
 * Returns the slots of one of several masters.
 * @param {number} index @param {number} count
 */
function slotsOf(index, count) {
  const [from, to] = [index, index + 1].map((part) => Math.floor((part * SLOTS) / count));
  return Array.from({ length: to - from }, (_, slot) => from + slot);
}

/**
 * Waits until a condition holds for all nodes. Throws when that takes too long.
 * @param {readonly import('ioredis').Redis[]} nodes
 * @param {(node: import('ioredis').Redis) => Promise<boolean>} isSo
 */
async function untilAll(nodes, isSo) {
  const deadline = Date.now() + FORMED_WITHIN_MS;
  while (!(await Promise.all(nodes.map(isSo))).every(Boolean)) {
    if (Date.now() > deadline) throw new Error('the Redis nodes of the test did not form a cluster in time');
    await sleep(25);
  }
}
