// @ts-check
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, lstatSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { cloneName, makeDataDir, PlainError } from '../workspace.mjs';

/** @typedef {{ uid: number, gid: number }} Account */

/**
 * Finds an account that runs PostgreSQL and Redis in place of root, because PostgreSQL refuses to run as root. Takes
 * `postgres`, else `nobody`, which nearly every system has.
 * @returns {Account | undefined} undefined when this process is not root: the servers then run as the same user
 */
export function serviceAccount() {
  if (process.getuid?.() !== 0) return undefined;
  for (const name of ['postgres', 'nobody']) {
    try {
      const id = (/** @type {string} */ flag) =>
        Number(execFileSync('id', [flag, name], { stdio: ['ignore', 'pipe', 'ignore'] }));
      return { uid: id('-u'), gid: id('-g') };
    } catch {
      // The operating system has no account with this name. The loop tries the next name.
    }
  }
  throw new PlainError(
    'PostgreSQL does not run as root, and this system has neither an account "postgres" nor "nobody": ' +
      'run the command as another user.',
  );
}

/**
 * Tries to enter a directory as the account, and returns true when that succeeds. Reading file modes would not be
 * enough, because of access lists and mount options.
 * @param {Account | undefined} account
 * @param {string} dir
 */
export function canReach(account, dir) {
  return (
    account === undefined ||
    spawnSync('/bin/sh', ['-c', 'cd "$0"', dir], { ...account, cwd: '/', stdio: 'ignore' }).status === 0
  );
}

/**
 * Returns the directory for the data of servers. Defaults to `.data`. When this process is root and the servers'
 * account cannot reach the workspace (a clone below `mktemp -d`, for example), the directory is below /var/tmp. So the
 * modes of directories above the workspace need not change.
 * @param {Account | undefined} account
 */
export function serviceHome(account) {
  const dir = makeDataDir();
  if (canReach(account, dir)) return dir;
  return rootOwnedDir(join('/var/tmp', cloneName));
}

/**
 * Creates a directory that this user owns and all users may read. Refuses an existing directory of another user.
 * @param {string} dir
 */
export function rootOwnedDir(dir) {
  mkdirSync(dir, { recursive: true });
  const found = lstatSync(dir);
  if (!found.isDirectory() || found.uid !== process.getuid?.())
    throw new PlainError(`${dir} belongs to another user: remove it.`);
  chmodSync(dir, 0o755);
  return dir;
}

/**
 * Creates a directory that only the account can read.
 * @param {string} dir
 * @param {Account | undefined} account
 */
export function privateDir(dir, account) {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  if (account) chownSync(dir, account.uid, account.gid);
  return dir;
}

/**
 * Returns the account for existing data: its owner, even when the system has gained other accounts since.
 * @param {string} dir
 * @param {Account | undefined} account
 */
export function ownerOf(dir, account) {
  if (!account || !existsSync(dir)) return account;
  const { uid, gid } = statSync(dir);
  return uid === 0 ? account : { uid, gid };
}
