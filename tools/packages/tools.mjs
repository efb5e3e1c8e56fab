// @ts-check
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { makeDataDir, root } from '../workspace.mjs';

/**
 * Installs the tools of a folder into a folder of the same name in `.data`, unless they are installed there already.
 * These tools have a lock file of their own, so that neither `npm ci` nor the builds of images install them.
 * @param {string} folder the folder with `package.json` and `package-lock.json`, below the root of the workspace
 * @returns {string} the folder that contains `node_modules`
 */
export function installTools(folder = 'tools/packages/rehearsal') {
  const lists = join(root, folder);
  const dir = join(makeDataDir(), basename(folder));
  const wanted = readFileSync(join(lists, 'package-lock.json'), 'utf8');
  const done = join(dir, 'node_modules/.lock');
  if (existsSync(done) && readFileSync(done, 'utf8') === wanted) return dir;
  rmSync(dir, { recursive: true, force: true });
  mkdirSync(dir);
  for (const file of ['package.json', 'package-lock.json']) cpSync(join(lists, file), join(dir, file));
  cpSync(join(root, '.npmrc'), join(dir, '.npmrc'));
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)));
  const options = ['--prefer-offline', '--ignore-scripts', '--loglevel=error'];
  execFileSync('npm', ['ci', ...options], { cwd: dir, env, stdio: ['ignore', 'pipe', 'inherit'] });
  cpSync(join(lists, 'package-lock.json'), done);
  return dir;
}
