// @ts-check
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { root } from '../workspace.mjs';
import { copy, ignored } from './context.mjs';
import { pairsOf, parseCommand, parseCopy, parseDockerfile } from './dockerfile.mjs';

const home = mkdtempSync(join(tmpdir(), 'dockerfile-'));
after(() => rmSync(home, { recursive: true }));

/** @param {string} name @param {readonly string[]} files */
function tree(name, files) {
  for (const file of files) {
    mkdirSync(join(home, name, file, '..'), { recursive: true });
    writeFileSync(join(home, name, file), file);
  }
  return join(home, name);
}

test('reads stages, comments and continued lines', () => {
  const stages = parseDockerfile('# comment\nFROM a:1 AS one\nRUN x \\\n  && y\n\nFROM b:2\nCMD ["z"]\n');
  assert.deepEqual(
    stages.map(({ base, name }) => [base, name]),
    [
      ['a:1', 'one'],
      ['b:2', undefined],
    ],
  );
  assert.deepEqual(stages[0]?.instructions, [{ name: 'RUN', text: 'x && y', line: 4 }]);
  assert.deepEqual(parseCommand('--interval=1s CMD ["a", "b"]'), ['a', 'b']);
});

test('fills in arguments where they are declared', () => {
  const [stage] = parseDockerfile(
    'ARG BASE=node:1\nFROM ${BASE}\nARG VERSION=2\nARG BASE\nLABEL a.version="${VERSION}"\nLABEL a.base="${BASE}"\nLABEL a.other="${OTHER}"\n',
  );
  assert.equal(stage?.base, 'node:1');
  assert.deepEqual(stage && [...pairsOf(stage, 'LABEL')], [
    ['a.version', '2'],
    ['a.base', 'node:1'],
    ['a.other', '${OTHER}'],
  ]);
});

test('refuses what it would have to skip', () => {
  assert.throws(() => parseDockerfile('FROM a\nADD x y'), /line 2: ADD is not understood/);
  assert.throws(() => parseDockerfile('RUN x\nFROM a'), /line 1: RUN before FROM/);
  assert.throws(() => parseCopy('--chown=node a b'), /is not understood/);
});

test('reads where COPY copies from', () => {
  assert.deepEqual(parseCopy('--from=build /w/a ./a'), { from: 'build', sources: ['/w/a'], target: './a' });
  assert.deepEqual(parseCopy('a b ./'), { from: undefined, sources: ['a', 'b'], target: './' });
});

test('copies the contents of a directory, and files into one', () => {
  const from = tree('from', ['dir/inner/file', 'dir/dist/file', 'file']);
  const target = join(home, 'to');
  copy({ from, sources: ['dir', 'file'], target: `${target}/`, isIgnored: (path) => path === 'dir/dist' });
  assert.deepEqual(readdirSync(target, { recursive: true }).toSorted(), ['file', 'inner', join('inner', 'file')]);
  assert.throws(() => copy({ from, sources: ['absent'], target }), /there is no absent/);
});

test('ignores what .dockerignore names, wherever it says', () => {
  const dir = tree('context', ['.dockerignore']);
  writeFileSync(join(dir, '.dockerignore'), '# comment\n**/dist\n.data\n**/*.log\n');
  const isIgnored = ignored(dir);
  for (const path of ['dist', 'apps/api/dist/main.js', '.data/x', 'a.log', 'deep/er/a.log'])
    assert.equal(isIgnored(path), true, path);
  for (const path of ['distance', 'apps/.data', 'a.logs', 'data']) assert.equal(isIgnored(path), false, path);
});

test('sends neither secrets nor anything that is made to a build', () => {
  const isIgnored = ignored(root);
  for (const path of [
    'docker/.env',
    'apps/api/.env',
    '.env.production',
    'apps/api/tls/server.key',
    'ca.pem',
    '.git/config',
    '.data/dev.json',
    'node_modules/a',
    'libs/domain/node_modules/a',
    'apps/api/dist/main.js',
  ])
    assert.equal(isIgnored(path), true, path);
  for (const path of ['package.json', '.npmrc', 'apps/api/src/main.ts', 'apps/api/src/docs/docs.module.ts', 'nx.json'])
    assert.equal(isIgnored(path), false, path);
});
