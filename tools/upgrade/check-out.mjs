// @ts-check
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join, relative } from 'node:path';
import { runLogged } from '../services/run.mjs';
import { PlainError, root } from '../workspace.mjs';

/**
 * A release; `migration` is its newest migration.
 * @typedef {{ release: string, commit: string, migration: string }} Release
 */

/** Returns true when this clone has the commit of the release. A shallow clone may lack it. @param {Release} release */
export const isHere = ({ commit }) =>
  spawnSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: root }).status === 0;

/**
 * Compiles the apps and libraries of a release in a separate directory.
 * @param {Release} release
 * @param {string} dir an empty directory
 * @param {string} logFile
 */
export async function checkOut({ release, commit }, dir, logFile) {
  const archive = spawnSync('git', ['archive', commit], { cwd: root, maxBuffer: 1 << 30 });
  const unpacked = spawnSync('tar', ['-x', '-C', dir], { input: archive.stdout });
  if (archive.status !== 0 || unpacked.status !== 0)
    throw new PlainError(`release ${release} (${commit}) cannot be read from the repository`);
  if (usesInstalled(dir)) linkPackages(dir);
  else await run('npm', ['ci', '--loglevel=error'], dir, logFile);
  const apps = ['apps/api', 'apps/notifier'].map((app) => join(app, 'tsconfig.build.json'));
  await run(process.execPath, [join(root, 'node_modules/typescript-7/bin/tsc'), '-b', ...apps], dir, logFile);
}

/**
 * Runs a command, which must succeed.
 * @param {string} command @param {string[]} args @param {string} cwd @param {string} logFile
 */
async function run(command, args, cwd, logFile) {
  const { ok, tail } = await runLogged({ command, args, cwd, env: process.env, logFile, timeoutMs: 300_000 });
  if (!ok) throw new PlainError(`${command} ${args.join(' ')} failed for the previous release:\n${tail}`);
}

/**
 * Returns true when this workspace has all packages of the release in the same versions, so that no package must be
 * downloaded.
 * @param {string} dir
 */
function usesInstalled(dir) {
  const { packages } = JSON.parse(readFileSync(join(dir, 'package-lock.json'), 'utf8'));
  return projects(dir).every((project) => {
    const manifest = JSON.parse(readFileSync(join(dir, project, 'package.json'), 'utf8'));
    return Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies }).every((name) => {
      const locked = packages[`${project}/node_modules/${name}`] ?? packages[`node_modules/${name}`];
      return name.startsWith('@ats/') || installedVersion(project, name) === locked.version;
    });
  });
}

/**
 * Returns the version of a package that this workspace has installed for a project.
 * @param {string} project @param {string} name @returns {string | undefined}
 */
function installedVersion(project, name) {
  const file = [join(root, project), root]
    .map((place) => join(place, 'node_modules', name, 'package.json'))
    .find(existsSync);
  return file && JSON.parse(readFileSync(file, 'utf8')).version;
}

/** Links the packages of this workspace, and the release's own projects, into the release. @param {string} dir */
function linkPackages(dir) {
  for (const place of ['node_modules', ...projects(root).map((project) => join(project, 'node_modules'))]) {
    // Skips a project that only one of the two releases has.
    if (!existsSync(join(root, place)) || !existsSync(join(dir, place, '..'))) continue;
    mkdirSync(join(dir, place), { recursive: true });
    for (const name of readdirSync(join(root, place)))
      if (name !== '@ats' && name !== '.cache') symlinkSync(join(root, place, name), join(dir, place, name));
  }
  mkdirSync(join(dir, 'node_modules/@ats'), { recursive: true });
  for (const project of projects(dir)) {
    const { name } = JSON.parse(readFileSync(join(dir, project, 'package.json'), 'utf8'));
    symlinkSync(relative(join(dir, 'node_modules/@ats'), join(dir, project)), join(dir, 'node_modules', name));
  }
}

/**
 * Lists the projects of a workspace.
 * @param {string} dir
 */
const projects = (dir) =>
  ['apps', 'libs']
    .flatMap((group) => readdirSync(join(dir, group)).map((name) => join(group, name)))
    .filter((project) => existsSync(join(dir, project, 'package.json')));
