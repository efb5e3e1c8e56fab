// @ts-check
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { planFaults } from './version-plans.mjs';

const workspace = mkdtempSync(join(tmpdir(), 'plans-'));
after(() => rmSync(workspace, { recursive: true }));
const write = (/** @type {string} */ file, /** @type {string} */ text) => {
  mkdirSync(join(workspace, file, '..'), { recursive: true });
  writeFileSync(join(workspace, file), text);
};
const git = (/** @type {string[]} */ ...args) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.invalid', ...args], { cwd: workspace });
const manifest = (/** @type {string} */ version) =>
  write('libs/a/package.json', JSON.stringify({ name: '@ats/a', version, nx: { tags: ['type:pure'] } }));
const report = (/** @type {string} */ text) => write('libs/a/etc/a.api.md', text);
const commit = () => (git('add', '--all'), git('commit', '--quiet', '--message', 'change'));

test('a library whose interface changed needs a version plan, until its release has a tag', () => {
  mkdirSync(join(workspace, 'apps'));
  git('init', '--quiet');
  manifest('0.1.0');
  report('one');
  assert.deepEqual(planFaults(workspace), []); // The report is not committed yet.
  commit();
  assert.deepEqual(planFaults(workspace), []);

  report('two');
  const missing = ['the interface of @ats/a changed without a version plan: run npx nx release plan'];
  assert.deepEqual(planFaults(workspace), missing);
  commit();
  assert.deepEqual(planFaults(workspace), missing);
  write('.nx/version-plans/other.md', "---\n'@ats/b': minor\n---\n\nText.\n");
  assert.deepEqual(planFaults(workspace), missing);
  write('.nx/version-plans/two.md', "---\n'@ats/a': minor\n---\n\nText.\n");
  assert.deepEqual(planFaults(workspace), []);

  rmSync(join(workspace, '.nx'), { recursive: true });
  manifest('0.2.0');
  commit();
  git('tag', '@ats/a@0.2.0');
  assert.deepEqual(planFaults(workspace), []);
  report('three');
  assert.deepEqual(planFaults(workspace), missing);
});
