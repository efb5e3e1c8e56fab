import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { freePort } from '../../tools/services/ports.mjs';
import { sleep, startProcess } from '../../tools/services/processes.mjs';
import { root } from '../../tools/workspace.mjs';
import { Client } from './client.mjs';
import { processMeter } from '../cpu.mjs';
import { CONNECTIONS } from './duel.mjs';

/**
 * Number of connections of the limit server and of a peer to the database. The API has as many connections for pages
 * (docs/reference/database.md, "Connections").
 */
export const POOL_SIZE = 8;
/** The base URL of links in answers. No request is sent to it. */
export const PUBLIC_URL = 'https://ats.example';

/**
 * @typedef {object} Server a server in a process of its own
 * @property {string} name
 * @property {number} pid
 * @property {Client} client
 * @property {() => number} nodeMeter
 * @property {() => Promise<void>} stop
 */

/**
 * Starts the API as it is deployed. With `script`, starts the variant of the API that the script runs.
 * @param {{ url: string, redisUrl: string, tokens: { reader: string } }} database
 * @param {{ name?: string, script?: string, settings?: NodeJS.ProcessEnv }} [options] `settings` changes the environment
 * @returns {Promise<Server>}
 */
export async function startApi(
  { url, redisUrl, tokens },
  { name = 'api', script = join(root, 'apps/api/dist/main.js'), settings = {} } = {},
) {
  const environment = {
    DATABASE_URL: url,
    REDIS_URL: redisUrl,
    SECRET_KEY: randomBytes(32).toString('hex'),
    PUBLIC_BASE_URL: PUBLIC_URL,
    RATE_LIMIT: '0',
    LOG_LEVEL: 'warn',
    ...settings,
  };
  return start({ name, script, environment, token: tokens.reader, readyAt: '/api/v1/me' });
}

/**
 * Starts the limit server, see limit-server.mjs.
 * @returns {Promise<Server>}
 */
export async function startLimit({ url }) {
  const script = join(import.meta.dirname, 'limit-server.mjs');
  const environment = { DATABASE_URL: url, PUBLIC_BASE_URL: PUBLIC_URL, POOL_SIZE: String(POOL_SIZE) };
  return start({ name: 'limit', script, environment, readyAt: '/w1' });
}

/**
 * Starts a server that is compared with the API. The server is ready when it answers `readyAt`.
 * @param {{
 *   name: string, script: string, args?: string[], environment: NodeJS.ProcessEnv, token?: string, readyAt?: string
 * }} options
 * @returns {Promise<Server>}
 */
export const startServer = ({ readyAt = '/', environment, ...options }) =>
  start({ ...options, environment: { PUBLIC_BASE_URL: PUBLIC_URL, ...environment }, readyAt });

async function start({ name, script, args = [], environment, token, readyAt }) {
  const port = await freePort();
  const env = { PATH: process.env.PATH, PORT: String(port), ...environment };
  const running = await startProcess({
    name,
    command: process.execPath,
    args: [script, ...args],
    env,
    onLine: console.error,
  });
  const client = new Client(`http://127.0.0.1:${port}`, { token, connections: CONNECTIONS });
  try {
    await untilReady(client, readyAt, running);
  } catch (error) {
    await running.stop();
    throw error;
  }
  const stop = async () => {
    await client.close();
    await running.stop();
  };
  return { name, pid: running.pid, client, nodeMeter: processMeter(running.pid), stop };
}

async function untilReady(client, path, running) {
  let last;
  for (let tries = 0; tries < 200 && !running.hasExited; tries++) {
    try {
      return await client.get(path);
    } catch (error) {
      last = error;
      await sleep(100);
    }
  }
  throw new Error(`${running.name} was not ready within 20 s`, { cause: last });
}
