// @ts-check
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../workspace.mjs';
import { isPublished, readProjects } from './template.mjs';

/**
 * Copies the parts of this workspace that a release reads into an empty folder with a repository of its own, so that a
 * rehearsal changes no version, changelog or tag here.
 * @param {string} dir
 * @param {NodeJS.ProcessEnv} env
 */
export function copyWorkspace(dir, env) {
  mkdirSync(dir, { recursive: true });
  for (const file of ['package.json', 'package-lock.json', 'nx.json', '.npmrc', '.gitignore', 'tsconfig.base.json'])
    cpSync(join(root, file), join(dir, file));
  for (const project of readProjects()) {
    const names = isPublished(project)
      ? readdirSync(join(root, project.folder)).filter((name) => !/^(node_modules|out-.*|coverage|src)$/.test(name))
      : ['package.json'];
    for (const name of names)
      cpSync(join(root, project.folder, name), join(dir, project.folder, name), { recursive: true });
  }
  symlinkSync(join(root, 'node_modules'), join(dir, 'node_modules'));
  writeFileSync(join(dir, '.gitignore'), 'node_modules\ndist\nout-package\n.nx/*\n!.nx/version-plans\n');
  const plans = join(root, '.nx/version-plans');
  if (existsSync(plans)) cpSync(plans, join(dir, '.nx/version-plans'), { recursive: true });
  const git = (/** @type {string[]} */ ...args) => void execFileSync('git', args, { cwd: dir, env, stdio: 'pipe' });
  git('init', '--quiet', '--initial-branch=main');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'chore: the state before the rehearsal');
}

/**
 * Writes a version plan that gives each published library a minor release.
 * @param {string} dir
 */
export function planMinorReleases(dir) {
  const names = readProjects()
    .filter(isPublished)
    .map(({ manifest }) => manifest.name);
  mkdirSync(join(dir, '.nx/version-plans'), { recursive: true });
  const bumps = names.map((name) => `'${name}': minor\n`).join('');
  writeFileSync(join(dir, '.nx/version-plans/rehearsal.md'), `---\n${bumps}---\n\nA release to rehearse the update.\n`);
}
