// @ts-check
import { randomBytes } from 'node:crypto';
import { accessSync, constants, mkdirSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { guardDir, unguardDir } from './guard.mjs';
import { freePort } from './ports.mjs';
import { durableSettings, startPostgres, throwAwaySettings } from './postgres.mjs';
import { durableRedis, findOrInstallRedis, startRedis, throwAwayRedis } from './redis.mjs';
import { rootOwnedDir, serviceAccount, serviceHome } from './user.mjs';
import { makeDataDir } from '../workspace.mjs';

/**
 * Starts PostgreSQL and Redis for one run of tests. The servers have ports and temporary data of their own, so that
 * several runs and `npm start` work in parallel.
 * @param {{ say: (line: string) => void, release?: '15', isDurable?: boolean, isInMemory?: boolean }} options
 *   `release` of PostgreSQL defaults to the newest. `isDurable` writes each commit to disk, as in production.
 *   `isInMemory` is for small data of tests, see `temporaryDir`
 * @returns {Promise<{
 *   env: { TEST_DATABASE_URL: string, TEST_REDIS_URL: string }, redisPid: number, restartPostgres: () => Promise<void>,
 *   stop: () => Promise<void>
 * }>}
 */
export async function startTestServices({ say, release, isDurable = false, isInMemory = false }) {
  const logs = join(makeDataDir(), 'logs');
  mkdirSync(logs, { recursive: true, mode: 0o700 });
  const command = await findOrInstallRedis({ logFile: join(logs, 'install.log'), say });
  const dir = temporaryDir({ isInMemory });
  guardDir(dir);
  const password = randomBytes(18).toString('base64url');
  // Waits for both servers even when one fails, so that the other one can be stopped.
  const postgresOptions = {
    dir: join(dir, 'postgres'),
    port: await freePort(),
    password,
    logFile: join(logs, 'test-postgres.log'),
    settings: isDurable ? durableSettings : throwAwaySettings,
    release,
  };
  const [postgres, redis] = await Promise.allSettled([
    startPostgres(postgresOptions),
    startRedis({
      command,
      dir: join(dir, 'redis'),
      port: await freePort(),
      password,
      logFile: join(logs, 'test-redis.log'),
      settings: isDurable ? durableRedis : throwAwayRedis,
    }),
  ]);
  const stop = async () => {
    await Promise.all(
      [postgres, redis].map((result) => (result.status === 'fulfilled' ? result.value.server.stop() : undefined)),
    );
    rmSync(dir, { recursive: true, force: true });
    unguardDir(dir);
  };
  if (postgres.status === 'rejected' || redis.status === 'rejected') {
    await stop();
    throw postgres.status === 'rejected' ? postgres.reason : /** @type {PromiseRejectedResult} */ (redis).reason;
  }
  const restartPostgres = async () => {
    await postgres.value.server.stop();
    postgres.value = await startPostgres(postgresOptions);
  };
  const env = { TEST_DATABASE_URL: postgres.value.url('postgres'), TEST_REDIS_URL: redis.value.url };
  return { env, redisPid: redis.value.server.pid, restartPostgres, stop };
}

/** Linux's file system in memory. On it, creating the database of a spec file takes a fifth of the time. */
const MEMORY = '/dev/shm';
const MIN_FREE_BYTES = 4 * 1024 ** 3;

/**
 * Creates a directory that the account of the servers can reach. The caller must remove it.
 * @param {{ isInMemory?: boolean }} [options] `isInMemory` puts the directory in memory when 4 GiB are free there, else
 *   on disk
 */
export function temporaryDir({ isInMemory = false } = {}) {
  const account = serviceAccount();
  const parent = isInMemory && hasMemory() ? MEMORY : serviceHome(account);
  const dir = mkdtempSync(join(parent, 'ats-test-'));
  return account ? rootOwnedDir(dir) : dir;
}

function hasMemory() {
  try {
    accessSync(MEMORY, constants.W_OK);
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= MIN_FREE_BYTES;
  } catch {
    return false; // no file system in memory exists, or this process may not write to it
  }
}
