// @ts-check
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { guardDir, unguardDir } from './guard.mjs';
import { freePort } from './ports.mjs';
import { durableSettings, startPostgres, throwAwaySettings } from './postgres.mjs';
import { durableRedis, findOrInstallRedis, startRedis, throwAwayRedis } from './redis.mjs';
import { canReach, rootOwnedDir, serviceAccount } from './user.mjs';
import { cloneName, makeDataDir } from '../workspace.mjs';

/**
 * Starts PostgreSQL and Redis for one run of tests. They have their own ports and temporary data, so that several runs
 * and `npm start` work in parallel.
 * @param {{ say: (line: string) => void, release?: '15', isDurable?: boolean }} options `release` of PostgreSQL
 *   defaults to the newest. `isDurable` writes each commit to disk, as in production; benchmarks need this
 * @returns {Promise<{ env: { TEST_DATABASE_URL: string, TEST_REDIS_URL: string }, stop: () => Promise<void> }>}
 */
export async function startTestServices({ say, release, isDurable = false }) {
  const logs = join(makeDataDir(), 'logs');
  mkdirSync(logs, { recursive: true, mode: 0o700 });
  const command = await findOrInstallRedis({ logFile: join(logs, 'install.log'), say });
  const dir = temporaryDir();
  guardDir(dir);
  const password = randomBytes(18).toString('base64url');
  // Waits for both even when one fails, so that the other is stopped too.
  const [postgres, redis] = await Promise.allSettled([
    startPostgres({
      dir: join(dir, 'postgres'),
      port: await freePort(),
      password,
      logFile: join(logs, 'test-postgres.log'),
      settings: isDurable ? durableSettings : throwAwaySettings,
      release,
    }),
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
  return { env: { TEST_DATABASE_URL: postgres.value.url('postgres'), TEST_REDIS_URL: redis.value.url }, stop };
}

/** Creates a directory that the account of the servers can reach. The caller removes it. */
export function temporaryDir() {
  const account = serviceAccount();
  const inWorkspace = makeDataDir();
  const parent = canReach(account, inWorkspace) ? inWorkspace : rootOwnedDir(join('/var/tmp', cloneName));
  const dir = mkdtempSync(join(parent, 'test-'));
  return account ? rootOwnedDir(dir) : dir;
}
