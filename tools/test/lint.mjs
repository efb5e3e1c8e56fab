// @ts-check
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { root } from '../workspace.mjs';

const require = createRequire(import.meta.url);

/**
 * `npm run lint`: oxlint checks general rules and rules that need types (.oxlintrc.json). ESLint checks module
 * boundaries and what one project or folder may use (eslint.config.mjs).
 * ESLint caches its results by file content.
 */
export async function lint() {
  // Creates the project graph first. The rule on module boundaries reads it from Nx's cache, and would accept every
  // import without it.
  process.env['NX_DAEMON'] = 'false';
  const { createProjectGraphAsync } = await import('@nx/devkit');
  await createProjectGraphAsync();
  const typed = run(...typedLint, ...folders);
  const eslint = join(require.resolve('eslint/package.json'), '../bin/eslint.js');
  const untyped = run(eslint, '--cache', '--cache-strategy', 'content', '--cache-location', '.nx/eslint/', ...folders);
  if (!typed || !untyped) process.exitCode = 1;
}

const folders = ['apps', 'libs'];

/** Arguments of Node that run oxlint with types. */
export const typedLint = [join(root, 'node_modules/oxlint/bin/oxlint'), '--type-aware', '--deny-warnings'];

/**
 * Runs Node. True when it succeeds.
 * @param {string[]} args
 */
const run = (...args) => spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' }).status === 0;
