// @ts-check
import { chownSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startProcess } from './processes.mjs';
import { accountFor, untilAnswers } from './redis.mjs';
import { privateDir } from './user.mjs';

/** The name of the master in the configuration of sentinels. */
export const MASTER_NAME = 'ats';

/**
 * Starts a sentinel. Two sentinels that agree replace a failed master by its replica within a few seconds.
 * @param {object} options
 * @param {string} options.command path of redis-server
 * @param {string} options.dir directory for the state of the sentinel
 * @param {number} options.port
 * @param {number} options.masterPort port of the master on 127.0.0.1
 * @param {string} options.password password of server, replica and sentinels
 * @param {string} options.logFile
 */
export async function startSentinel({ command, dir, port, masterPort, password, logFile }) {
  const account = accountFor(command, dir);
  privateDir(dir, account);
  const file = join(dir, 'sentinel.conf'); // sentinels write to their configuration, so it must be a file
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
