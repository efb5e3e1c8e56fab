// @ts-check
import { execFileSync } from 'node:child_process';
import { PlainError, root } from '../workspace.mjs';
import { release } from './release.mjs';

/**
 * `npm run release`: builds the libraries, applies the version plans, and publishes into the registry that the
 * environment variable `ATS_REGISTRY` names. There is no default, so that nobody publishes by accident.
 */
export async function publish() {
  const registry = process.env['ATS_REGISTRY'];
  if (!registry || !URL.canParse(registry))
    throw new PlainError('Set ATS_REGISTRY to the URL of the private registry. Nothing was released.');
  const status = execFileSync('git', ['status', '--porcelain'], { cwd: root, encoding: 'utf8' });
  if (status !== '') throw new PlainError(`Commit or remove these changes first. Nothing was released.\n${status}`);
  execFileSync('npm', ['run', 'build'], { cwd: root, stdio: 'inherit' });
  await release(root, { registry, env: process.env, say: console.log });
}
