// @ts-check
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { makeDataDir } from '../workspace.mjs';
import { canInstallPackages, installPackages } from '../services/debian-package.mjs';

/** Returns the major version of `pg_dump` on the PATH, or 0 when there is no `pg_dump`. */
function installedMajor() {
  const { status, stdout } = spawnSync('pg_dump', ['--version'], { encoding: 'utf8' });
  return status === 0 ? Number(/\) (\d+)/.exec(stdout)?.[1] ?? 0) : 0;
}

/**
 * Finds `pg_dump` and `pg_restore`, or installs them where `canInstallPackages` allows it.
 * @param {number} server major version of the server. An older `pg_dump` cannot dump this server.
 * @returns {Promise<string | undefined>} the reason why the two programs are unavailable; undefined when they are found
 */
export async function lacksDumpTools(server) {
  if (installedMajor() >= server) return undefined;
  const name = 'postgresql-client';
  const otherwise = `Install ${name} ${server} or newer.`;
  if (!canInstallPackages()) return `pg_dump ${server} or newer is not on the PATH. ${otherwise}`;
  await installPackages({
    names: [name],
    logFile: join(makeDataDir(), 'logs/install.log'),
    say: console.error,
    isThere: () => installedMajor() >= server,
    otherwise,
  });
  return installedMajor() >= server
    ? undefined
    : `pg_dump of the distribution is version ${installedMajor()}. ${otherwise}`;
}
