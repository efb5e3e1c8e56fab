// @ts-check
// Runs before anything is installed, on whatever Node the machine has: only `node:` imports here.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { install } from './install.mjs';
import { PlainError, root } from './workspace.mjs';

const bin = join(root, 'node_modules/.bin');

/**
 * Installs what is missing, then makes sure that the rest runs on the Node version the workspace brings along (where
 * there is one for this platform) by starting the same script again.
 * @returns {Promise<boolean>} true in the process that should do the work
 */
export async function isReadyToRun() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19))
    throw new PlainError(`Node ${process.versions.node} is too old: 20.19 or later is needed.`);
  await install();
  if (process.env.PATH?.split(delimiter)[0] !== bin) process.env.PATH = `${bin}${delimiter}${process.env.PATH ?? ''}`;
  const node = join(bin, 'node');
  if (!existsSync(node) || realpathSync(node) === realpathSync(process.execPath)) {
    // Should the process that started us be killed, we end as on Ctrl-C instead of running on unseen.
    process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
    process.channel?.unref(); // listening alone must not keep us alive
    return true;
  }
  if (spawnSync(node, ['--version']).status !== 0) return true; // made for another kind of system
  await runAgain(node);
  return false;
}

/** @param {string} node */
async function runAgain(node) {
  const child = spawn(node, process.argv.slice(1), { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] });
  // Ctrl-C reaches the child by itself; a signal sent to this process alone is passed on. It copes with both.
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']))
    process.on(signal, () => child.kill(signal));
  const [code, signal] = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (...result) => resolve(result));
  });
  process.exitCode = code ?? (signal ? 1 : 0);
  child.disconnect?.();
}

/**
 * Runs a tool: installed and on the right Node, and with mistakes told in a line.
 * @param {() => Promise<unknown>} main
 */
export async function runTool(main) {
  try {
    if (await isReadyToRun()) await main();
  } catch (error) {
    console.error(error instanceof PlainError ? error.message : error);
    process.exitCode = 1;
  }
}
