// @ts-check
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from '../workspace.mjs';
import { isPublished, readProjects, templateFaults } from './template.mjs';

/** @typedef {import('./template.mjs').Manifest} Manifest */

const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
/**
 * Returns the version of a package in the lock file.
 * @param {string} name
 */
const lockedVersion = (name) => packages[`node_modules/${name}`]?.version;
const projects = readProjects();

for (const project of projects) {
  test(`${project.folder}/package.json follows the template`, () => {
    assert.deepEqual(templateFaults(project, projects, lockedVersion), []);
  });
}

test('other teams can install more than ten libraries, and no app', () => {
  const published = projects.filter(isPublished).map(({ folder }) => folder);
  assert.ok(published.length > 10);
  assert.deepEqual(
    published.filter((folder) => !folder.startsWith('libs/')),
    [],
  );
});

test('the check of package.json reports differences from the template', () => {
  const project = projects.find(({ folder }) => folder === 'libs/redis-connection');
  assert.ok(project);
  /** @type {[Partial<Manifest>, RegExp][]} */
  const cases = [
    [{ description: undefined }, /description must be/],
    [{ keywords: [] }, /keywords must be/],
    [{ private: true }, /private must be absent/],
    [/** @type {any} */ ({ sideEffects: undefined }), /sideEffects must be false/],
    [/** @type {any} */ ({ publishConfig: { access: 'public' } }), /publishConfig must be/],
    [/** @type {any} */ ({ scripts: {} }), /no field scripts/],
    [{ dependencies: { '@ats/configuration': '0.1.0' } }, /@ats\/configuration must be \^/],
    [{ dependencies: { ioredis: '^5.11.1' } }, /ioredis must be a peer dependency/],
    [{ dependencies: { '@ats/postgres': '^0.1.0' } }, /@ats\/postgres is private/],
    [{ dependencies: { 'lru-cache': '11.5.3' } }, /lru-cache must be \^/],
    [{ peerDependencies: { ioredis: '^5.11.1' } }, /zod must be the peer dependency/],
    [{ devDependencies: { ioredis: '^5.11.1' } }, /ioredis must be an exact version/],
  ];
  for (const [change, expected] of cases) {
    const faults = templateFaults(
      { ...project, manifest: { ...project.manifest, ...change } },
      projects,
      lockedVersion,
    );
    assert.match(faults.join('\n'), expected);
  }
});

test('npm publishes no library unless the release names a registry', () => {
  const { folder } = projects.find(isPublished) ?? assert.fail();
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)));
  const { status, stderr } = spawnSync('npm', ['publish', '--dry-run', '--ignore-scripts'], {
    cwd: join(root, folder),
    env,
    encoding: 'utf8',
  });
  assert.notEqual(status, 0);
  assert.match(stderr, /Invalid URL/);
});

test('no file names the host of a package registry', () => {
  const hosts = '//registry\\.|//npm\\.|npm\\.pkg\\.';
  const { status, stdout } = spawnSync('git', ['grep', '-lE', hosts], { cwd: root, encoding: 'utf8' });
  assert.equal(stdout, '');
  assert.equal(status, 1, 'git finds nothing');
});
