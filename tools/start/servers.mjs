// @ts-check
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../services/ports.mjs';
import { createDatabase, discardData, startPostgres } from '../services/postgres.mjs';
import { findOrInstallRedis, startRedis } from '../services/redis.mjs';
import { serviceAccount, serviceHome } from '../services/user.mjs';
import { dataDir, PlainError } from '../workspace.mjs';
import { logs, say, shown } from './say.mjs';
import { hasSettings, readSettings, writeSettings } from './settings.mjs';

/** The SQLSTATE of a failed password authentication. */
const wrongPassword = '28P01';

/** @typedef {import('./stack.mjs').Stack} Stack */
/** @typedef {import('./settings.mjs').Settings} Settings */

/**
 * Starts PostgreSQL and Redis, except a server whose URL is in the environment. On a database of its own, the API
 * connects with a role of its own, which cannot change the schema.
 * @param {Stack} stack
 * @returns {Promise<{ DATABASE_URL: string, API_DATABASE_URL?: string, REDIS_URL: string }>}
 */
export async function startServers(stack) {
  const { DATABASE_URL, REDIS_URL } = process.env;
  if (DATABASE_URL && REDIS_URL) return { DATABASE_URL, REDIS_URL };
  const isFirstStart = !hasSettings();
  const settings = readSettings();
  const home = serviceHome(serviceAccount());
  if (home !== dataDir) {
    // On a first start, existing data is from an earlier clone or a deleted .data, and unusable without its secrets.
    if (isFirstStart) await Promise.all(['postgres', 'redis'].map((name) => discardData(join(home, name))));
    noteHome(home);
  }
  // Searches for Redis before PostgreSQL is started, so that no server is started when Redis is missing.
  const redis = REDIS_URL ? undefined : await findOrInstallRedis({ logFile: join(logs, 'install.log'), say });
  stack.check();
  const databaseUrl = DATABASE_URL || (await startDatabase(stack, settings, home));
  return {
    DATABASE_URL: databaseUrl,
    ...(!DATABASE_URL && { API_DATABASE_URL: asApiRole(databaseUrl, settings.apiDatabasePassword) }),
    REDIS_URL:
      redis === undefined
        ? (REDIS_URL ?? '')
        : await startQueue(stack, settings, { command: redis, dir: join(home, 'redis') }),
  };
}

/**
 * Returns the URL of the database for the role of the API.
 * @param {string} url @param {string} password
 */
const asApiRole = (url, password) => Object.assign(new URL(url), { username: 'ats_api', password }).href;

/**
 * Tells the user where the data is when it is outside this workspace.
 * @param {string} home
 */
function noteHome(home) {
  writeFileSync(join(dataDir, 'WHERE-THE-DATA-IS'), `${home}\n`);
  say(`data       in ${home}, because PostgreSQL does not run as root and other accounts cannot reach this directory`);
}

/**
 * Starts PostgreSQL. Returns the URLs of the database.
 * @param {Stack} stack
 * @param {Settings} settings
 * @param {string} home
 */
async function startDatabase(stack, settings, home) {
  const dir = join(home, 'postgres');
  const isNew = !existsSync(dir);
  const port = await freePort(settings.databasePort);
  writeSettings(Object.assign(settings, { databasePort: port }));
  const { server, url } = await startPostgres({
    dir,
    port,
    password: settings.databasePassword,
    logFile: join(logs, 'postgres.log'),
  });
  stack.add(server);
  try {
    await createDatabase(url('postgres'), 'ats');
  } catch (error) {
    if (/** @type {{ code?: string }} */ (error).code !== wrongPassword) throw error;
    throw new PlainError(
      `The data in ${shown(dir)} belongs to another .data/dev.json. ` +
        'Restore that file, or delete the data to start over.',
    );
  }
  say(`PostgreSQL 127.0.0.1:${port}, ${isNew ? 'new' : 'kept'} data in ${shown(dir)}`);
  return url('ats');
}

/**
 * Starts Redis. Returns its URL.
 * @param {Stack} stack
 * @param {Settings} settings
 * @param {{ command: string, dir: string }} redis
 */
async function startQueue(stack, settings, { command, dir }) {
  const port = await freePort(settings.redisPort);
  writeSettings(Object.assign(settings, { redisPort: port }));
  const { server, url } = await startRedis({
    command,
    dir,
    port,
    password: settings.redisPassword,
    logFile: join(logs, 'redis.log'),
  });
  stack.add(server);
  say(`Redis      127.0.0.1:${port}`);
  return url;
}
