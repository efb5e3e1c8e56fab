// @ts-check
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from '../workspace.mjs';
import { BUILT } from './apps.mjs';

/** @type {Map<string, { name: string, dependencies?: object, devDependencies?: object }>} packages by their folder */
const packages = new Map(
  ['apps', 'libs'].flatMap((folder) =>
    readdirSync(join(root, folder)).map((name) => [
      `${folder}/${name}`,
      JSON.parse(readFileSync(join(root, folder, name, 'package.json'), 'utf8')),
    ]),
  ),
);

/** Adds a project and everything that its build needs. @param {string} name @param {Set<string>} built */
function addBuilt(name, built) {
  const found = [...packages.values()].find((one) => one.name === name);
  if (!found || built.has(name)) return;
  built.add(name);
  for (const needed of Object.keys({ ...found.dependencies, ...found.devDependencies })) addBuilt(needed, built);
}

test('npm start builds all packages that the guides pack', () => {
  const guides = join(root, 'docs/guides');
  const text = readdirSync(guides).map((file) => readFileSync(join(guides, file), 'utf8'));
  const packed = [...text.join('').matchAll(/--workspace (\S+)/g)].map(([, folder = '']) => packages.get(folder)?.name);
  assert.ok(packed.length > 2, `found ${packed.length} packages`);
  const built = new Set();
  for (const name of BUILT) addBuilt(name, built);
  assert.deepEqual(
    packed.filter((name) => !built.has(name)),
    [],
  );
});
