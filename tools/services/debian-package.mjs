// @ts-check
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { PlainError } from '../workspace.mjs';
import { sleep } from './processes.mjs';
import { runLogged } from './run.mjs';

/** Whether packages of the distribution can be installed without asking anybody: we are root on Debian or one of its kin. */
export function canInstallPackages() {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get') || !existsSync('/etc/os-release')) return false;
  return /^ID(_LIKE)?=.*\b(debian|ubuntu)\b/m.test(readFileSync('/etc/os-release', 'utf8'));
}

/**
 * Installs a package without starting its service, which would take the usual port for a server nobody asked for.
 * @param {{ name: string, logFile: string, say: (line: string) => void, isThere: () => boolean, otherwise: string }} options `otherwise`: what
 * somebody can do when this fails
 */
export async function installPackage({ name, logFile, say, isThere, otherwise }) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const apt = (/** @type {string[]} */ ...args) =>
    runLogged({
      command: 'apt-get',
      args: ['-o', 'DPkg::Lock::Timeout=120', '-o', 'Acquire::Retries=3', ...args],
      env,
      logFile,
    });
  say(`installing ${name}: apt-get update`);
  // Another apt may hold the lock on the package lists, which apt does not wait for by itself.
  for (let tries = 0; !(await apt('update')).ok && tries < 3; tries++) await sleep(5000);
  if (isThere()) return;
  say(`installing ${name}: apt-get install`);
  const allowServices = forbidServices();
  try {
    const result = await apt('install', '-y', '--no-install-recommends', name);
    if (!result.ok) throw new PlainError(`${name} could not be installed:\n${result.tail}\n${otherwise}`);
  } finally {
    allowServices();
  }
}

/**
 * The distribution's own switch for "install, but start nothing".
 * @returns {() => void} puts back what was there
 */
function forbidServices() {
  const file = '/usr/sbin/policy-rc.d';
  if (existsSync(file)) return () => {};
  writeFileSync(file, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  return () => rmSync(file, { force: true });
}
