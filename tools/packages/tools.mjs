// @ts-check
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { makeDataDir, root } from '../workspace.mjs';

const lists = join(root, 'tools/packages/rehearsal');

/**
 * Installs the tools of the rehearsal into `.data/rehearsal`, unless they are there. They have a lock file of their own,
 * so that neither `npm ci` nor the builds of images install them.
 * @returns {string} the folder that contains `node_modules`
 */
export function installTools() {
  const dir = join(makeDataDir(), 'rehearsal');
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
