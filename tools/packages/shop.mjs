// @ts-check
import { execFile } from 'node:child_process';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../workspace.mjs';
import { outputFault } from './readme.mjs';

const execute = promisify(execFile);

/**
 * Installs the example shop from the registry and compares its output with the one in its README.
 * @param {string} dir a new folder
 * @param {NodeJS.ProcessEnv} env
 */
export async function checkShop(dir, env) {
  const example = join(root, 'examples/shop');
  cpSync(example, dir, { recursive: true, filter: (path) => !path.includes('node_modules') });
  const options = ['--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  await execute('npm', ['install', ...options], { cwd: dir, env });
  const { stdout } = await execute(process.execPath, ['shop.mjs'], { cwd: dir, env });
  const promised = /^```text\n([\s\S]*?)\n^```$/m.exec(readFileSync(join(example, 'README.md'), 'utf8'))?.[1] ?? '';
  const fault = outputFault(stdout, promised);
  if (fault) throw new Error(fault);
}
