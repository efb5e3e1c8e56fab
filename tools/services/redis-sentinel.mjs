// @ts-check
import { chownSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startProcess } from './processes.mjs';
import { accountFor, untilAnswers } from './redis.mjs';
import { privateDir } from './user.mjs';

/** The name under which the sentinels of tests watch their servers. */
export const MASTER_NAME = 'ats';

/**
 * Starts one of the sentinels that watch a server and, by two votes, put its replica in its place within some seconds.
 * @param {object} options
 * @param {string} options.command Redis itself
 * @param {string} options.dir where it keeps what it has learned
 * @param {number} options.port
 * @param {number} options.masterPort of the server, on 127.0.0.1
 * @param {string} options.password the server's, the replica's and the sentinels'
 * @param {string} options.logFile
 */
export async function startSentinel({ command, dir, port, masterPort, password, logFile }) {
  const account = accountFor(command, dir);
  privateDir(dir, account);
  const file = join(dir, 'sentinel.conf'); // it writes there, so that it cannot come by standard input
  const lines = [
    'bind 127.0.0.1',
    `port ${port}`,
    `requirepass ${password}`,
    `sentinel sentinel-pass ${password}`,
    `dir ${JSON.stringify(dir)}`,
    `sentinel monitor ${MASTER_NAME} 127.0.0.1 ${masterPort} 2`,
    `sentinel auth-pass ${MASTER_NAME} ${password}`,
    `sentinel down-after-milliseconds ${MASTER_NAME} 1000`,
    `sentinel failover-timeout ${MASTER_NAME} 5000`,
  ];
  if (!existsSync(file)) writeFileSync(file, lines.join('\n') + '\n', { mode: 0o600 });
  if (account) chownSync(file, account.uid, account.gid);
  const server = await startProcess({
    name: 'Redis Sentinel',
    command,
    args: [file, '--sentinel'],
    cwd: dir,
    account,
    logFile,
  });
  await untilAnswers(server, { port, password, logFile });
  return { server };
}
