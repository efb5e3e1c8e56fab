// @ts-check
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from '../workspace.mjs';
import { dependencyFaults, isPermissive } from './check.mjs';
import { judgeAudit } from './audit.mjs';

/** @type {{ packages: Record<string, import('./check.mjs').LockedPackage> }} */
const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));

/**
 * Returns the licence of an installed package. Older packages have `license: { type }` or `licenses: [{ type }]`.
 * @param {string} path
 */
function installedLicence(path) {
  const file = join(root, path, 'package.json');
  if (!existsSync(file)) return undefined;
  const { license, licenses } = JSON.parse(readFileSync(file, 'utf8'));
  const found = license ?? licenses?.map((/** @type {{ type: string }} */ { type }) => type).join(' OR ');
  return typeof found === 'object' ? found.type : found;
}

/**
 * Returns the errors in the lock file when it also has these packages.
 * @param {Record<string, import('./check.mjs').LockedPackage>} planted
 */
const faultsWith = (planted) => dependencyFaults({ ...packages, ...planted }, installedLicence);

test('packages have a sha512 hash, and every package of the running service a permissive licence', () => {
  assert.deepEqual(faultsWith({}), []);
  const runtime = Object.entries(packages).filter(([path, { dev }]) => path.includes('node_modules/') && !dev);
  assert.ok(runtime.length > 150, 'the lock file has the packages of the running service');
});

test('the tools of the rehearsal have a sha512 hash', () => {
  const lock = JSON.parse(readFileSync(join(root, 'tools/packages/rehearsal/package-lock.json'), 'utf8'));
  const development = Object.entries(lock.packages).map(([path, locked]) => [path, { ...locked, dev: true }]);
  assert.ok(development.length > 100);
  assert.deepEqual(
    dependencyFaults(Object.fromEntries(development), () => undefined),
    [],
  );
});

test('the check reports planted packages without a permissive licence or a sha512 hash', () => {
  const integrity = `sha512-${'A'.repeat(86)}==`;
  const good = { version: '1.0.0', license: 'MIT', integrity };
  const path = 'node_modules/planted';
  assert.deepEqual(faultsWith({ [path]: good }), []);
  const cases = /** @type {const} */ ([
    [{ ...good, license: 'GPL-3.0-only' }, /licence in the lock file is GPL-3.0-only/],
    [{ ...good, license: undefined }, /licence in the lock file is missing/],
    [{ ...good, license: 'SEE LICENSE IN LICENSE' }, /licence/],
    [{ ...good, integrity: undefined }, /has no sha512 integrity hash/],
    [{ ...good, integrity: 'sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=' }, /has no sha512 integrity hash/],
    [{ ...good, dev: true, integrity: undefined }, /has no sha512 integrity hash/],
    [{ ...good, optional: true, cpu: ['x64'], integrity: undefined }, /has no sha512 integrity hash/],
  ]);
  for (const [planted, fault] of cases) assert.match(faultsWith({ [path]: planted }).join('\n'), fault);
  assert.deepEqual(faultsWith({ [path]: { ...good, dev: true, license: 'GPL-3.0-only' } }), []);
  assert.match(dependencyFaults({ [path]: good }, () => 'AGPL-3.0').join('\n'), /licence in the package is AGPL-3.0/);
});

test('isPermissive understands simple SPDX expressions, and refuses those that a person must read', () => {
  for (const expression of ['MIT', '(MIT OR GPL-3.0)', 'MIT AND ISC', '(MIT AND BSD-3-Clause)'])
    assert.ok(isPermissive(expression), expression);
  for (const expression of [
    '',
    'GPL-2.0',
    'MIT AND GPL-2.0',
    'MIT OR (ISC AND GPL-2.0)',
    'GPL-2.0 WITH Bison-exception',
  ])
    assert.ok(!isPermissive(expression), expression);
});

test('the audit fails for severe vulnerabilities, and is skipped without an answer of the registry', () => {
  const report = (/** @type {string} */ severity) =>
    JSON.stringify({ vulnerabilities: { planted: { name: 'planted', severity, range: '<2' } } });
  assert.deepEqual(judgeAudit('{"vulnerabilities":{}}'), { ok: true, lines: ['no known vulnerabilities'] });
  assert.deepEqual(judgeAudit(report('critical')), { ok: false, lines: ['critical: planted <2'] });
  assert.deepEqual(judgeAudit(report('high')), { ok: false, lines: ['high: planted <2'] });
  assert.deepEqual(judgeAudit(report('low')), { ok: true, lines: ['low: planted <2'] });
  for (const output of ['', '{"message":"405 Method Not Allowed","error":{"summary":""}}', 'not JSON']) {
    const { ok, lines } = judgeAudit(output);
    assert.deepEqual([ok, lines[0]?.startsWith('skipped, ')], [true, true]);
  }
});
