// @ts-check
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { makeDataDir } from '../workspace.mjs';

/**
 * Jest calls this before the end-to-end tests. All processes write their output to one folder, which stays until the
 * next run for inspection. Tests write their secrets to the same folder, even when a test is aborted. The folder is in
 * `.data`, because the system may clean its temporary folder during a run.
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

/**
 * True when the process runs.
 * @param {number} pid
 */
function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM';
  }
}
