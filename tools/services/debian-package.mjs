// @ts-check
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { PlainError } from '../workspace.mjs';
import { sleep } from './processes.mjs';
import { runLogged } from './run.mjs';

/** Returns true for root on Debian or a derivative. Elsewhere no package is installed without the user's consent. */
export function canInstallPackages() {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get') || !existsSync('/etc/os-release')) return false;
  return /^ID(_LIKE)?=.*\b(debian|ubuntu)\b/m.test(readFileSync('/etc/os-release', 'utf8'));
}

/**
 * Installs packages without starting their services, which would take the usual ports.
 * @param {object} options
 * @param {readonly string[]} options.names
 * @param {string} options.logFile
 * @param {(line: string) => void} options.say
 * @param {() => boolean} options.isThere
 * @param {string} options.otherwise advice to print when the installation fails
 */
export async function installPackages({ names, logFile, say, isThere, otherwise }) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const apt = (/** @type {string[]} */ ...args) =>
    runLogged({
      command: 'apt-get',
      args: ['-o', 'DPkg::Lock::Timeout=120', '-o', 'Acquire::Retries=3', ...args],
      env,
      logFile,
    });
  say(`installing ${names.join(', ')}: apt-get update`);
  // apt does not wait for the lock on the package lists when another apt holds it.
  for (let tries = 0; !(await apt('update')).ok && tries < 3; tries++) await sleep(5000);
  if (isThere()) return;
  say(`installing ${names.join(', ')}: apt-get install`);
  const allowServices = forbidServices();
  try {
    const result = await apt('install', '-y', '--no-install-recommends', ...names);
    if (!result.ok) throw new PlainError(`${names.join(', ')} could not be installed:\n${result.tail}\n${otherwise}`);
  } finally {
    allowServices();
  }
}

/**
 * Makes Debian install packages without starting their services.
 * @returns {() => void} restores the former behaviour
 */
function forbidServices() {
  const file = '/usr/sbin/policy-rc.d';
  if (existsSync(file)) return () => {};
  writeFileSync(file, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  return () => rmSync(file, { force: true });
}
