// @ts-check
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from '../workspace.mjs';
import { installSection, isForBrowsers } from './install-section.mjs';
import { isPublished, readProjects } from './template.mjs';

const projects = readProjects();
/**
 * Reads a file of the workspace.
 * @param {string} file
 */
const read = (file) => readFileSync(join(root, file), 'utf8');

for (const project of projects.filter(isPublished)) {
  test(`the README of ${project.folder} says how to install it and where it runs`, () => {
    const readme = read(join(project.folder, 'README.md'));
    const section = /^## Install\n[\s\S]*?(?=^## )/m.exec(readme)?.[0].trimEnd();
    assert.equal(section, installSection(project, projects).trimEnd());
  });
}

test('each published library has a changelog', () => {
  const missing = projects.filter(isPublished).filter(({ folder }) => !existsSync(join(root, folder, 'CHANGELOG.md')));
  assert.deepEqual(missing, []);
});

test('a library that imports a module of Node, or a library that does so, does not run in browsers', () => {
  const browsers = projects.filter((project) => isPublished(project) && isForBrowsers(project, projects));
  const names = browsers.map(({ folder }) => folder);
  assert.ok(names.includes('libs/datapath'));
  assert.ok(!names.includes('libs/pagination') && !names.includes('libs/telemetry'));
});

test('CODEOWNERS has one line for each library, with the owner that its README names', () => {
  const lines = read('CODEOWNERS')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  const expected = projects
    .filter(({ folder }) => folder.startsWith('libs/'))
    .map(({ folder }) => {
      const owner = /Owner: (?:the )?([\w ]+ team)/.exec(read(join(folder, 'README.md')))?.[1] ?? 'nobody';
      return `/${folder}/ @ats/${owner.toLowerCase().replaceAll(' ', '-')}`;
    });
  assert.deepEqual(lines, expected);
});
