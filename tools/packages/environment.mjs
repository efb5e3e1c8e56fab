// @ts-check
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { root } from '../workspace.mjs';

/**
 * The Node programs that must run the libraries: the one of this process, and the oldest supported one where npm has it
 * for this platform.
 * @param {string} tools the folder with the installed tools of the rehearsal
 * @returns {Map<string, string>} version to path
 */
export function nodesOf(tools) {
  const oldest = join(tools, 'node_modules/node-20/bin/node');
  const programs = [process.execPath, ...(existsSync(oldest) ? [oldest] : [])];
  return new Map(
    programs.map((program) => [execFileSync(program, ['--version'], { encoding: 'utf8' }).trim().slice(1), program]),
  );
}

/**
 * A folder with the types of Node only. TypeScript also finds imported packages in type roots, so `node_modules/@types`
 * of this workspace would hide that a library lacks a dependency.
 * @param {string} home
 */
export function makeTypeRoot(home) {
  const typeRoot = join(home, 'types');
  mkdirSync(typeRoot);
  symlinkSync(join(root, 'node_modules/@types/node'), join(typeRoot, 'node'));
  return typeRoot;
}

/**
 * The environment of npm, nx and git in the rehearsal. Variables that npm sets for scripts would make npm work on this
 * workspace. The user's own npm settings stay in force, because they may name another registry for packages of third
 * parties.
 * @param {string} home @param {string} npmrc
 * @returns {NodeJS.ProcessEnv}
 */
export function npmEnvironment(home, npmrc) {
  const own = Object.entries(process.env).filter(
    ([name]) => !/^(npm|nx|git)_/i.test(name) || name.toLowerCase() === 'npm_config_registry',
  );
  const users = process.env['npm_config_userconfig'] ?? join(homedir(), '.npmrc');
  const userconfig = join(home, 'npmrc');
  writeFileSync(userconfig, `${existsSync(users) ? readFileSync(users, 'utf8') : ''}\n${npmrc}`);
  const person = Object.fromEntries(
    ['AUTHOR', 'COMMITTER'].flatMap((role) => [
      [`GIT_${role}_NAME`, 'Rehearsal'],
      [`GIT_${role}_EMAIL`, 'rehearsal@example.invalid'],
    ]),
  );
  return { ...Object.fromEntries(own), ...person, npm_config_userconfig: userconfig };
}

/**
 * Runs an action for each item, two at a time, because each action is a chain of processes. @template T @param
 * {readonly T[]} items @param {(item: T) => Promise<void>} action
 */
export async function inParallel(items, action) {
  const waiting = [...items];
  const work = async () => {
    for (let item = waiting.shift(); item; item = waiting.shift()) await action(item);
  };
  await Promise.all([work(), work()]);
}

/**
 * Runs an action. Returns an empty list, or a list with the error of the action.
 * @param {string} what @param {() => unknown} action @returns {Promise<string[]>}
 */
export async function attempt(what, action) {
  try {
    await action();
    return [];
  } catch (error) {
    const { stdout = '', stderr = '', message } = /** @type {Record<string, string>} */ (error);
    return [`${what}: ${`${stdout}${stderr}`.trim() || message}`];
  }
}

/**
 * The processor time of this process and of its ended children, such as ` (42 s of processor)`. It tells a slow check
 * from a busy machine. It is empty on systems without `/proc`.
 */
export function processorTime() {
  if (!existsSync('/proc/self/stat')) return '';
  // The name of the program is in parentheses and may contain blanks. The times are the 14th to 17th field, in 1/100 s.
  const fields = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return ` (${Math.round(ticks / 100)} s of processor)`;
}

/**
 * Prints the result of each check. The exit code is 1 when a check found errors.
 * @param {ReadonlyMap<string, string[]>} faults
 */
export function report(faults) {
  for (const [name, found] of faults) {
    console.log(`${found.length === 0 ? 'ok     ' : 'FAILED '} ${name}`);
    for (const fault of found) console.error(`FAILED  ${name}: ${fault}`);
  }
  const count = [...faults.values()].flat().length;
  console.log(count === 0 ? `Packages: all ${faults.size} checks passed` : `Packages: ${count} errors`);
  process.exitCode = count === 0 ? 0 : 1;
}
