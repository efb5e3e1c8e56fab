// @ts-check
// This module runs before packages are installed, on any Node version: import only Node's own modules here.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { install } from './install.mjs';
import { PlainError, root } from './workspace.mjs';

const bin = join(root, 'node_modules/.bin');

/**
 * Installs missing packages. Then starts the same script again on the Node of the workspace, when the workspace has one
 * for this platform.
 * @returns {Promise<boolean>} true in the process that must do the work; false when another process has done it
 */
export async function isReadyToRun() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19))
    throw new PlainError(`Node ${process.versions.node} is too old: 20.19 or later is needed.`);
  await install();
  if (process.env.PATH?.split(delimiter)[0] !== bin) process.env.PATH = `${bin}${delimiter}${process.env.PATH ?? ''}`;
  const node = join(bin, 'node');
  if (!existsSync(node) || realpathSync(node) === realpathSync(process.execPath)) {
    // When the parent process is killed, this process ends as after SIGTERM and does not run on in the background.
    process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
    process.channel?.unref(); // The channel to the parent must not keep this process alive.
    return true;
  }
  if (spawnSync(node, ['--version']).status !== 0) return true; // The installed Node was built for another system.
  await runAgain(node);
  return false;
}

/**
 * Runs the same script on another Node, and takes over its exit code.
 * @param {string} node
 */
async function runAgain(node) {
  const child = spawn(node, process.argv.slice(1), { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] });
  // Forwards signals that reach only this process. Ctrl-C reaches the child twice, directly and forwarded, which it can
  // handle.
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
 * Runs a tool once the packages are installed, on the right version of Node. Prints a PlainError as one line.
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
