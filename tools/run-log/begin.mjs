// @ts-check
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { makeDataDir } from '../workspace.mjs';

/**
 * Before a run of end-to-end tests: from here on all processes leave what they print in one folder, which stays until another run
 * begins: for whoever looks at what has happened, and since what a test that was given up goes on with still notes its secrets.
 * Not in the folder of the system, where anybody tidies up. Called by Jest.
 */
export default function begin() {
  const logs = join(makeDataDir(), 'logs');
  mkdirSync(logs, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(logs)) {
    const [, pid] = /^e2e-(\d+)$/.exec(name) ?? [];
    if (pid && !isRunning(Number(pid))) rmSync(join(logs, name), { recursive: true, force: true });
  }
  const folder = join(logs, `e2e-${process.pid}`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { mode: 0o700 });
  process.env['RUN_LOG_FOLDER'] = folder;
}

/** @param {number} pid */
function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM';
  }
}
