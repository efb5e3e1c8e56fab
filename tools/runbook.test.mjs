// @ts-check
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { root } from './workspace.mjs';

/**
 * Reads a file of the workspace.
 * @param {string} file
 */
const read = (file) => readFileSync(join(root, file), 'utf8');
/** Returns the anchors that GitHub generates for the headings of a document. @param {string} file */
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

const documents = [
  'README.md',
  'CONTRIBUTING.md',
  'docker/README.md',
  'tools/README.md',
  'libs/domain/README.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => `docs/${file}`)
    .sort(),
];

/** Files that documents name and that need not exist, because the reader creates them. */
const made = ['docker/.env'];

for (const file of documents) {
  test(`links of ${file} lead to files and headings that exist`, () => {
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

  test(`paths that ${file} names exist`, () => {
    const named = [...read(file).matchAll(/`((?:apps|libs|tools|docs|docker|bench)\/[\w./-]+)`/g)].map(
      ([, path = '']) => path,
    );
    assert.deepEqual(
      named.filter((path) => !path.includes('/dist/') && !made.includes(path) && !existsSync(join(root, path))),
      [],
    );
  });
}

/** Lists source files, without build outputs and installed packages. @param {string} folder @returns {string[]} */
const sourcesIn = (folder) =>
  readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    if (['node_modules', 'dist', 'out-tsc', 'out-test', 'coverage'].includes(entry.name)) return [];
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return sourcesIn(path);
    return /\.(ts|mjs|md|ya?ml)$/.test(entry.name) ? [path] : [];
  });

test('documents and headings that the code cites exist', () => {
  const faults = ['apps', 'libs', 'tools', 'bench', 'docker'].flatMap(sourcesIn).flatMap((file) =>
    [...read(file).matchAll(/(?<![\w/.])(docs\/[\w/-]+\.md)(?:, "([^"$\n]+)")?/g)]
      .filter(([, document = '', heading]) => {
        if (!existsSync(join(root, document))) return true;
        const headings = read(document)
          .split('\n')
          .flatMap((line) => /^#+ (.*)/.exec(line)?.[1] ?? []);
        return heading !== undefined && !headings.includes(heading);
      })
      .map(([citation]) => `${file}: ${citation}`),
  );
  assert.deepEqual(faults, []);
});

test('the npm scripts that docs/operations.md names exist', () => {
  const { scripts } = JSON.parse(read('package.json'));
  const named = [...read('docs/operations.md').matchAll(/npm run ([\w:-]+)/g)].map(([, name = '']) => name);
  assert.deepEqual(
    named.filter((name) => !(name in scripts)),
    [],
  );
  assert.ok(named.length > 5);
});
