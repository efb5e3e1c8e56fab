// @ts-check
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, lstatSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { cloneName, makeDataDir, PlainError } from '../workspace.mjs';

/** @typedef {{ uid: number, gid: number }} Account */

/**
 * The account that runs PostgreSQL and Redis: PostgreSQL refuses to run as root. An account that every system has is
 * taken instead of adding one.
 * @returns {Account | undefined} undefined when we are not root and the servers simply run as ourselves
 */
export function serviceAccount() {
  if (process.getuid?.() !== 0) return undefined;
  for (const name of ['postgres', 'nobody']) {
    try {
      const id = (/** @type {string} */ flag) =>
        Number(execFileSync('id', [flag, name], { stdio: ['ignore', 'pipe', 'ignore'] }));
      return { uid: id('-u'), gid: id('-g') };
    } catch {
      // Not on this system: the next one.
    }
  }
  throw new PlainError(
    'PostgreSQL does not run as root, and this system has neither an account "postgres" nor "nobody": run as another user.',
  );
}

/**
 * Whether the account can reach a directory. Tried rather than computed from modes, so that it also holds with access
 * lists, read-only mounts and the like.
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
 * Where servers keep their data: `.data`, unless we are root in a place that the unprivileged account cannot reach
 * (a clone under `mktemp -d`, say). No mode above the workspace is touched: a directory under /var/tmp is used then.
 * @param {Account | undefined} account
 */
export function serviceHome(account) {
  const dir = makeDataDir();
  if (canReach(account, dir)) return dir;
  return rootOwnedDir(join('/var/tmp', cloneName));
}

/**
 * A directory in a place where anybody may create names: refused unless it is ours.
 * @param {string} dir
 */
export function rootOwnedDir(dir) {
  mkdirSync(dir, { recursive: true });
  const found = lstatSync(dir);
  if (!found.isDirectory() || found.uid !== process.getuid?.())
    throw new PlainError(`${dir} belongs to somebody else: remove it.`);
  chmodSync(dir, 0o755);
  return dir;
}

/**
 * A directory that belongs to the account alone.
 * @param {string} dir
 * @param {Account | undefined} account
 */
export function privateDir(dir, account) {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  if (account) chownSync(dir, account.uid, account.gid);
  return dir;
}

/**
 * Data that exists is served by whoever owns it, whatever accounts the system has gained since.
 * @param {string} dir
 * @param {Account | undefined} account
 */
export function ownerOf(dir, account) {
  if (!account || !existsSync(dir)) return account;
  const { uid, gid } = statSync(dir);
  return uid === 0 ? account : { uid, gid };
}
