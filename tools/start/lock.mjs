// @ts-check
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandLine, isAlive, kill, sleep } from '../services/processes.mjs';
import { makeDataDir, PlainError } from '../workspace.mjs';

/** @typedef {{ pid: number, url?: string, guard?: number, children: { pid: number, command: string }[] }} Content */

const file = () => join(makeDataDir(), 'start.lock');

/**
 * Takes the lock of this clone. Only one `npm start` may run per clone, because two would share the data.
 * @returns {Promise<{ write: (content: Omit<Content, 'pid'>) => void, release: () => void }>}
 */
export async function takeLock() {
  while (!tryToTake()) {
    const other = read();
    if (other && isAlive(other.pid) && commandLine(other.pid).includes('start.mjs'))
      throw new PlainError(
        `npm start already runs in this clone${other.url ? ` at ${other.url}` : ''}: ` +
          `press Ctrl-C in its terminal, or run: kill ${other.pid}`,
      );
    if (other) await endLeftovers(other);
    rmSync(file(), { force: true });
  }
  return {
    write(content) {
      writeFileSync(`${file()}.new`, JSON.stringify({ pid: process.pid, ...content }), { mode: 0o600 });
      renameSync(`${file()}.new`, file());
    },
    release: () => rmSync(file(), { force: true }),
  };
}

function tryToTake() {
  const mine = `${file()}.${process.pid}`;
  writeFileSync(mine, JSON.stringify({ pid: process.pid, children: [] }), { mode: 0o600 });
  try {
    linkSync(mine, file()); // Creating the lock is atomic: it fails when the file exists.
    return true;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(mine);
  }
}

/**
 * Reads the lock. Undefined when there is none.
 * @returns {Content | undefined}
 */
function read() {
  try {
    return JSON.parse(readFileSync(file(), 'utf8'));
  } catch {
    return undefined;
  }
}

/**
 * Cleans up after an `npm start` that was killed. Waits while its guard ends the children. Then ends children that are
 * left over, in reverse order of their start.
 * @param {Content} other
 */
async function endLeftovers(other) {
  const isGuarding = () =>
    other.guard !== undefined && isAlive(other.guard) && commandLine(other.guard).includes('guard.mjs');
  if (isGuarding()) console.log('waiting until the processes of the last run, which was killed, have ended');
  while (isGuarding()) await sleep(100);
  for (const { pid, command } of other.children.toReversed()) {
    const isRunning = () => isAlive(pid) && commandLine(pid).includes(command);
    if (!isRunning()) continue;
    console.log(`ending process ${pid} of the last run, which was killed`);
    kill(pid, command.endsWith('postgres') ? 'SIGINT' : 'SIGTERM');
    const deadline = Date.now() + 10_000;
    while (isRunning() && Date.now() < deadline) await sleep(50);
    if (isRunning()) kill(-pid, 'SIGKILL');
  }
}
