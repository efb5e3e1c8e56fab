// @ts-check
import { execFileSync, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { guard, unguard } from './guard.mjs';

/**
 * @typedef {object} Running
 * @property {string} name
 * @property {number} pid
 * @property {boolean} hasExited
 * @property {Promise<{ code: number | null, signal: NodeJS.Signals | null }>} exited
 * @property {() => Promise<void>} stop sends `stopSignal`, waits, and kills the process after `stopTimeoutMs`
 */

/**
 * Starts a child in a process group of its own. Ctrl-C in the terminal then reaches only this process, which decides
 * the order of stopping. When this process is killed, the guard ends the child.
 * @param {object} options
 * @param {string} options.name
 * @param {string} options.command
 * @param {readonly string[]} [options.args]
 * @param {NodeJS.ProcessEnv} [options.env]
 * @param {string} [options.cwd]
 * @param {{ uid: number, gid: number }} [options.account]
 * @param {string} [options.input] written to the child's standard input
 * @param {string} [options.logFile] receives the output; ignored with `onLine`
 * @param {(line: string) => void} [options.onLine] called for each line of the child's output
 * @param {NodeJS.Signals} [options.stopSignal]
 * @param {number} [options.stopTimeoutMs] time from the signal to SIGKILL
 * @param {boolean} [options.stopGroup] true to send the signal to the child's own children, too
 * @returns {Promise<Running>}
 */
export async function startProcess(options) {
  const {
    name,
    command,
    args = [],
    env,
    cwd,
    account,
    input,
    logFile,
    onLine,
    stopSignal = 'SIGTERM',
    stopTimeoutMs = 30_000,
    stopGroup = false,
  } = options;
  const log = logFile && !onLine ? openSync(logFile, 'a', 0o600) : undefined;
  const output = onLine ? 'pipe' : (log ?? 'inherit');
  const child = spawn(command, args, {
    env,
    cwd,
    ...account,
    detached: true,
    stdio: [input === undefined ? 'ignore' : 'pipe', output, output],
  });
  if (log !== undefined) closeSync(log);
  await new Promise((resolve, reject) => {
    child.once('spawn', () => resolve(undefined));
    child.once('error', (error) => reject(new Error(`the process ${name} could not be started: ${error.message}`)));
  });
  const pid = /** @type {number} */ (child.pid);
  guard({ pid, stopSignal, stopTimeoutMs });
  if (input !== undefined) child.stdin?.end(input);
  for (const stream of [child.stdout, child.stderr])
    if (stream && onLine) createInterface({ input: stream }).on('line', onLine);

  /** @type {Running} */
  const running = {
    name,
    pid,
    hasExited: false,
    exited: new Promise((resolve) => {
      child.once('exit', (code, signal) => {
        running.hasExited = true;
        unguard(pid);
        resolve({ code, signal });
      });
    }),
    async stop() {
      if (running.hasExited) return;
      kill(stopGroup ? -pid : pid, stopSignal);
      const timer = setTimeout(() => kill(-pid, 'SIGKILL'), stopTimeoutMs);
      await running.exited;
      clearTimeout(timer);
    },
  };
  return running;
}

/**
 * Sends a signal. Does nothing when the process has ended.
 * @param {number} pid negative for a group
 * @param {NodeJS.Signals} signal
 */
export function kill(pid, signal) {
  try {
    process.kill(pid, signal);
  } catch {
    // The signal cannot be sent, because the process has ended.
  }
}

/**
 * True when the process runs.
 * @param {number} pid
 */
export function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM';
  }
}

/**
 * Returns the command line of a process, which shows when another program has reused the process id.
 * @param {number} pid
 */
export function commandLine(pid) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
  } catch {
    if (process.platform === 'linux') return '';
  }
  try {
    return execFileSync('ps', ['-o', 'args=', '-p', String(pid)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return '';
  }
}

/**
 * Resolves after a time in ms.
 * @param {number} ms
 */
export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
