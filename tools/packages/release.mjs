// @ts-check
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PlainError, root } from '../workspace.mjs';
import { stage } from './stage.mjs';
import { isPublished, readProjects } from './template.mjs';

/** @typedef {import('./template.mjs').Project} Project */

const execute = promisify(execFile);
const nx = join(root, 'node_modules/nx/dist/bin/nx.js');

/**
 * Applies the version plans of a workspace, with changelogs, a commit and tags, and publishes each library whose version
 * the registry lacks. The libraries must be built. After a failure the same call goes on.
 * @param {string} workspace
 * @param {{
 *   registry: string, env: NodeJS.ProcessEnv, say?: (line: string) => void, projects?: readonly Project[], tag?: string
 * }} options `tag` is the dist-tag, which defaults to `latest`
 */
export async function release(workspace, { registry, env, say = () => {}, projects, tag = 'latest' }) {
  if (hasPlans(workspace)) await applyPlans(workspace, env, say);
  const waiting = [...(projects ?? readProjects(workspace).filter(isPublished))];
  const work = async () => {
    for (let project = waiting.shift(); project; project = waiting.shift()) {
      const { name, version } = project.manifest;
      const staged = stage(join(workspace, project.folder));
      try {
        const isNew = await publish(staged, `${name}@${version}`, { registry, env, tag });
        say(`${isNew ? 'published' : 'the registry has'} ${name}@${version}`);
      } finally {
        // Removes `out-package`, because Jest refuses two packages with the same name.
        rmSync(staged, { recursive: true });
      }
    }
  };
  await Promise.all([work(), work(), work()]);
}

/**
 * True when the workspace has version plans.
 * @param {string} workspace
 */
function hasPlans(workspace) {
  const folder = join(workspace, '.nx/version-plans');
  return existsSync(folder) && readdirSync(folder).some((file) => file.endsWith('.md'));
}

/**
 * Runs `nx release`, which applies the version plans.
 * @param {string} workspace @param {NodeJS.ProcessEnv} env @param {(line: string) => void} say
 */
async function applyPlans(workspace, env, say) {
  try {
    const { stdout } = await execute(process.execPath, [nx, 'release', '--skip-publish'], {
      cwd: workspace,
      env: { ...env, NX_DAEMON: 'false', NX_TUI: 'false', CI: 'true' },
    });
    say(stdout);
  } catch (error) {
    const { stdout = '', stderr = '' } = /** @type {{ stdout?: string, stderr?: string }} */ (error);
    throw new PlainError(`nx release failed.\n${stdout}${stderr}`, { cause: error });
  }
}

/**
 * Publishes one library.
 * @param {string} folder @param {string} version such as `@ats/message@0.2.0`
 * @param {{ registry: string, env: NodeJS.ProcessEnv, tag: string }} options
 * @returns {Promise<boolean>} false when the registry has the version already
 */
async function publish(folder, version, { registry, env, tag }) {
  // The argument with the registry overrides `publishConfig` in package.json.
  const options = [`--@ats:registry=${registry}`, `--tag=${tag}`];
  try {
    await execute('npm', ['publish', '--ignore-scripts', '--loglevel=error', ...options], { cwd: folder, env });
    return true;
  } catch (error) {
    const { stderr = '' } = /** @type {{ stderr?: string }} */ (error);
    if (/EPUBLISHCONFLICT|E409|cannot publish over/i.test(stderr)) return false;
    throw new PlainError(`${version} cannot be published.\n${stderr}`, { cause: error });
  }
}
