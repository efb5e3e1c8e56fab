// @ts-check
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from '../workspace.mjs';

/**
 * Lists the exports of an API report that nobody uses: no text of a user has the name, and no other export has it in its
 * signature.
 * @param {string} report @param {Iterable<string>} users the texts of all files that may use the library
 * @returns {string[]}
 */
function unusedExports(report, users) {
  const used = new Set([...users].flatMap(wordsOf));
  const inReport = wordsOf(report);
  return [...report.matchAll(/^export (?:declare |abstract )*(?:class|const|function|interface|type) ([\w$]+)/gm)]
    .map(([, name = '']) => name)
    .filter((name) => !used.has(name) && inReport.filter((word) => word === name).length === 1);
}

/** @param {string} text */
const wordsOf = (text) => text.match(/[\w$]+/g) ?? [];

/** @param {string[]} patterns @returns {Map<string, string>} the texts of files in git, by path */
const textsOf = (...patterns) => {
  const files = execFileSync('git', ['ls-files', ...patterns], { cwd: root, encoding: 'utf8' })
    .trim()
    .split('\n');
  return new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));
};

test('each export of a library has a user: another project, a README, an example or a test', () => {
  const texts = textsOf('*.ts', '*.tsx', '*.mjs', '*.md', ':!*/etc/*', ':!*/CHANGELOG.md', ':!*/generated/*');
  const unused = [...textsOf('libs/*/etc/*.api.md')].flatMap(([file, report]) => {
    const folder = file.replace(/etc\/.*/, '');
    const name = /"(@ats\/[\w-]+)/.exec(report)?.[1] ?? assert.fail(file);
    const users = [...texts].filter(([path, text]) =>
      path.startsWith(`${folder}src/`) ? path.endsWith('.spec.ts') : path.startsWith(folder) || text.includes(name),
    );
    return unusedExports(report, new Map(users).values()).map((one) => `${name}: ${one}`);
  });
  assert.deepEqual(unused, []);
});

test('the check of exports finds a function without a user, and accepts the types of other exports', () => {
  const report = 'export function add(item: Item): void;\nexport interface Item {\n}\nexport const empty: Cart;\n';
  assert.deepEqual(unusedExports(report, ["import { add } from '@shop/cart';"]), ['empty']);
});
