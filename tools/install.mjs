// @ts-check
// This module runs before packages are installed, on any Node version: import only Node's own modules here.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, openSync, closeSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeDataDir, PlainError, root } from './workspace.mjs';

/**
 * Returns true when the installed packages are those of the lock file. Compares the contents of the lock files and not
 * their dates, because a checkout changes dates.
 */
export function isInstalled() {
  const hidden = join(root, 'node_modules/.package-lock.json');
  if (!existsSync(hidden)) return false;
  const wanted = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
  const there = JSON.parse(readFileSync(hidden, 'utf8')).packages;
  return Object.entries(wanted).every(([path, { version, optional, peer }]) => {
    if (!path.includes('node_modules/')) return true; // a project of this workspace, not a package
    const found = there[path];
    return found ? found.version === version : optional || peer;
  });
}

/** Runs `npm ci` unless the packages are installed. Prints the end of npm's log when npm fails. */
export async function install() {
  if (isInstalled()) return;
  const logs = join(makeDataDir(), 'logs');
  mkdirSync(logs, { recursive: true, mode: 0o700 });
  const unlock = await waitForLock(join(makeDataDir(), 'install.lock'));
  try {
    if (isInstalled()) return; // Another run has installed the packages meanwhile.
    console.log('installing packages (npm ci), which takes about half a minute');
    const logFile = join(logs, 'npm.log');
    const code = await npmCi(logFile);
    if (code === 0) return;
    console.error(readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-30).join('\n'));
    throw new PlainError(`npm ci failed, see ${logFile}`);
  } finally {
    unlock();
  }
}

/**
 * Runs `npm ci`. Resolves to its exit code.
 * @param {string} logFile
 * @returns {Promise<number | null>}
 */
function npmCi(logFile) {
  const log = openSync(logFile, 'w', 0o600);
  const npmFile = process.env.npm_execpath;
  const [command, args] = npmFile?.endsWith('npm-cli.js') ? [process.execPath, [npmFile]] : ['npm', []];
  return new Promise((resolve, reject) => {
    const child = spawn(command, [...args, 'ci', '--loglevel=error', '--no-audit', '--no-fund'], {
      cwd: root,
      stdio: ['ignore', log, log],
    });
    closeSync(log);
    child.once('error', reject);
    child.once('exit', resolve);
  });
}

/**
 * Waits until no other process installs packages. A lock file contains the id of the process that installs.
 * @param {string} file
 * @returns {Promise<() => void>}
 */
async function waitForLock(file) {
  for (;;) {
    try {
      writeFileSync(file, String(process.pid), { flag: 'wx' });
      return () => rmSync(file, { force: true });
    } catch (error) {
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error;
    }
    try {
      process.kill(Number(readFileSync(file, 'utf8')) || 0x7fffffff, 0);
    } catch {
      rmSync(file, { force: true }); // A run that was killed has left this lock file.
      continue;
    }
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}
