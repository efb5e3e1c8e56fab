// @ts-check
import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/**
 * The guard is a small process that ends the children of a tool when the tool is killed. It outlives the tool. The tool
 * holds the guard's standard input open, so the guard notices the end of the tool by the end of its input.
 *
 * @typedef {{ pid: number, stopSignal: NodeJS.Signals, stopTimeoutMs: number }} Guarded
 * @typedef {{ add: Guarded } | { drop: number } | { remove: string } | { keep: string }} Message
 */

/** @type {import('node:child_process').ChildProcess | undefined} */
let guardian;

/**
 * Sends a message to the guard. Starts the guard before the first message.
 * @param {Message} message
 */
function tell(message) {
  if (!guardian) {
    guardian = spawn(process.execPath, [fileURLToPath(import.meta.url)], {
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    guardian.stdin?.on('error', () => {}); // The guard was killed, so it can do nothing.
    guardian.unref();
    /** @type {any} */ (guardian.stdin)?.unref?.();
  }
  guardian.stdin?.write(JSON.stringify(message) + '\n');
}

/** Returns the process id of the guard; undefined before the guard is started. */
export const guardPid = () => guardian?.pid;
/**
 * Lets the guard end a child when this process is killed.
 * @param {Guarded} child
 */
export const guard = (child) => tell({ add: child });
/**
 * Tells the guard that a child has ended.
 * @param {number} pid
 */
export const unguard = (pid) => tell({ drop: pid });
/**
 * Lets the guard remove a directory when this process is killed.
 * @param {string} dir a directory that the guard removes after it has ended all children
 */
export const guardDir = (dir) => tell({ remove: dir });
/**
 * Tells the guard to keep a directory.
 * @param {string} dir
 */
export const unguardDir = (dir) => tell({ keep: dir });

/**
 * Ends a child and its process group: first with its signal, then with SIGKILL.
 * @param {Guarded} child
 */
async function end({ pid, stopSignal, stopTimeoutMs }) {
  const send = (/** @type {number} */ to, /** @type {NodeJS.Signals | 0} */ signal) => {
    try {
      return process.kill(to, signal);
    } catch {
      return false;
    }
  };
  send(pid, stopSignal);
  const deadline = Date.now() + stopTimeoutMs;
  while (send(pid, 0) && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 50));
  send(-pid, 'SIGKILL');
}

async function main() {
  /** @type {Map<number, Guarded>} */
  const children = new Map();
  const dirs = new Set();
  for await (const line of createInterface({ input: process.stdin })) {
    const message = /** @type {Message} */ (JSON.parse(line));
    if ('add' in message) children.set(message.add.pid, message.add);
    else if ('drop' in message) children.delete(message.drop);
    else if ('remove' in message) dirs.add(message.remove);
    else dirs.delete(message.keep);
  }
  // Ends the children in reverse order of their start, so that apps end before the servers that they use.
  for (const child of [...children.values()].reverse()) await end(child);
  for (const dir of dirs) rmSync(dir, { recursive: true, force: true });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
