// @ts-check
import { accessSync, constants, existsSync } from 'node:fs';
import { connect } from 'node:net';
import { delimiter, dirname, join } from 'node:path';
import { PlainError } from '../workspace.mjs';
import { canInstallPackages, installPackages } from './debian-package.mjs';
import { runLogged } from './run.mjs';
import { sleep, startProcess } from './processes.mjs';
import { canReach, ownerOf, privateDir, serviceAccount } from './user.mjs';

/** Settings for data that may be lost. */
export const throwAwayRedis = { appendonly: 'no' };

/** Settings with which a crash loses at most the last second. */
export const durableRedis = { appendonly: 'yes', appendfsync: 'everysec' };

const missing = `Redis is needed and was not found. Do one of these:
  1. REDIS_URL=redis://host:6379 npm start       to use your own Redis
  2. put redis-server or valkey-server on PATH   (brew install redis, dnf install valkey, apk add redis, ...)
  3. sudo apt-get install redis-server           on Debian and Ubuntu (the tools do this when they run as root)`;

function findServer() {
  for (const name of ['redis-server', 'valkey-server']) {
    for (const dir of (process.env.PATH ?? '').split(delimiter).filter(Boolean)) {
      const file = join(dir, name);
      try {
        accessSync(file, constants.X_OK);
        return file;
      } catch {
        // The loop goes on, because this directory does not have the program.
      }
    }
  }
  return undefined;
}

/**
 * Finds the Redis server, or installs it where `canInstallPackages` allows it.
 * @param {{ logFile: string, say: (line: string) => void }} options
 * @returns {Promise<string>} path of the server
 */
export async function findOrInstallRedis({ logFile, say }) {
  const found = findServer();
  if (found) return found;
  if (!canInstallPackages()) throw new PlainError(missing);
  const otherwise = 'Set REDIS_URL to your own Redis, or put redis-server on PATH.';
  await installPackages({
    names: ['redis-server'],
    logFile,
    say,
    isThere: () => findServer() !== undefined,
    otherwise,
  });
  if (existsSync('/run/systemd/system'))
    await runLogged({ command: 'systemctl', args: ['disable', 'redis-server'], logFile });
  const installed = findServer();
  if (!installed) throw new PlainError(missing);
  return installed;
}

/**
 * Starts a Redis server, and waits until it answers.
 * @param {object} options
 * @param {string} options.command path of the server
 * @param {string} options.dir data directory
 * @param {number} options.port
 * @param {string} options.password
 * @param {string} options.logFile
 * @param {Record<string, string>} [options.settings]
 */
export async function startRedis({ command, dir, port, password, logFile, settings = {} }) {
  const account = accountFor(command, dir);
  privateDir(dir, account);
  const all = {
    bind: '127.0.0.1',
    port: String(port),
    requirepass: password,
    dir: JSON.stringify(dir),
    daemonize: 'no',
    save: '""',
    appendonly: 'yes',
    appendfsync: 'everysec',
    'maxmemory-policy': 'noeviction', // Redis must not evict jobs when its memory is full.
    ...settings,
  };
  const server = await startProcess({
    name: 'Redis',
    command,
    args: ['-'],
    input: Object.entries(all)
      .map(([name, value]) => `${name} ${value}\n`)
      .join(''), // settings are not passed as arguments, because `ps` would show the password
    cwd: dir,
    account,
    logFile,
  });
  await untilAnswers(server, { port, password, logFile });
  return { server, url: `redis://default:${password}@127.0.0.1:${port}` };
}

/**
 * Returns the account that runs the server; undefined for the present user.
 * @param {string} command
 * @param {string} dir
 */
export function accountFor(command, dir) {
  const account = ownerOf(dir, serviceAccount());
  // The present user runs the server when this account cannot reach the program.
  return canReach(account, dirname(command)) ? account : undefined;
}

/**
 * Waits until a server answers. Throws when it does not start.
 * @param {import('./processes.mjs').Running} server
 * @param {{ port: number, password: string, logFile: string }} options
 */
export async function untilAnswers(server, { port, password, logFile }) {
  const deadline = Date.now() + 60_000;
  while (!(await answers(port, password))) {
    if (server.hasExited || Date.now() > deadline) {
      await server.stop();
      throw new Error(`${server.name} did not start, see ${logFile}`);
    }
    await sleep(25);
  }
}

/**
 * Returns true when the server answers commands. While it loads its data, it refuses them.
 * @param {number} port
 * @param {string} password
 * @returns {Promise<boolean>}
 */
function answers(port, password) {
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(`AUTH ${password}\r\nPING\r\nQUIT\r\n`));
    socket.setTimeout(1000, () => socket.destroy());
    socket.on('data', (data) => (text += data.toString()));
    socket.on('error', () => {});
    socket.on('close', () => resolve(text.includes('+PONG')));
  });
}
