// @ts-check
import { appendFileSync, readFileSync } from 'node:fs';
import { startProcess } from './processes.mjs';

/**
 * Runs a command until it ends, and writes its output to a file.
 * @param {object} options
 * @param {string} options.command
 * @param {readonly string[]} options.args
 * @param {NodeJS.ProcessEnv} [options.env]
 * @param {string} [options.cwd]
 * @param {{ uid: number, gid: number }} [options.account]
 * @param {string} options.logFile
 * @param {number} [options.timeoutMs] time after which the command is stopped
 * @param {(running: import('./processes.mjs').Running) => void} [options.onStart]
 * @returns {Promise<{ ok: boolean, isTooLate: boolean, tail: string }>} `isTooLate` after a timeout; `tail` has the
 *   last lines of the output of a failed command
 */
export async function runLogged({ command, args, env, cwd, account, logFile, timeoutMs, onStart }) {
  const running = await startProcess({
    name: command,
    command,
    args,
    env,
    cwd,
    account,
    logFile,
    stopGroup: true,
    stopTimeoutMs: 10_000,
  });
  onStart?.(running);
  let isTooLate = false;
  const timer =
    timeoutMs &&
    setTimeout(() => {
      isTooLate = true;
      appendFileSync(logFile, `\nended after ${timeoutMs / 1000} s\n`);
      void running.stop();
    }, timeoutMs);
  const { code } = await running.exited;
  if (timer) clearTimeout(timer);
  return {
    ok: code === 0 && !isTooLate,
    isTooLate,
    tail: code === 0 ? '' : readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-25).join('\n'),
  };
}
