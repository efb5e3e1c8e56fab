// @ts-check
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { root } from './workspace.mjs';

/** @param {string} file */
const read = (file) => readFileSync(join(root, file), 'utf8');
/** GitHub's way from a heading to its anchor. @param {string} file */
const anchorsOf = (file) =>
  read(file)
    .split('\n')
    .filter((line) => /^#+ /.test(line))
    .map((line) =>
      line
        .replace(/^#+ /, '')
        .toLowerCase()
        .replaceAll(/[^\w\- ]/g, '')
        .replaceAll(' ', '-'),
    );

for (const file of [
  'README.md',
  'docs/operations.md',
  'docker/README.md',
  'tools/README.md',
  'libs/domain/README.md',
]) {
  test(`links of ${file} lead somewhere`, () => {
    const broken = [...read(file).matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, link = '']) => link)
      .filter((link) => !/^https?:/.test(link))
      .filter((link) => {
        const [path = '', anchor] = link.split('#');
        const target = path ? join(dirname(file), path) : file;
        return !existsSync(join(root, target)) || (anchor !== undefined && !anchorsOf(target).includes(anchor));
      });
    assert.deepEqual(broken, []);
  });
}

test('scripts that the runbook names are there', () => {
  const { scripts } = JSON.parse(read('package.json'));
  const named = [...read('docs/operations.md').matchAll(/npm run ([\w:-]+)/g)].map(([, name = '']) => name);
  assert.deepEqual(
    named.filter((name) => !(name in scripts)),
    [],
  );
  assert.ok(named.length > 5);
});
