// @ts-check
// @group long: runs Jest several times
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeDataDir, root } from './workspace.mjs';

/** A Jest run that takes longer than this counts as hanging. */
const TIMEOUT_MS = 300_000;

/**
 * Runs spec files in a project of their own.
 * @param {Record<string, string>} specs texts by file name
 * @param {{ fileSeconds?: number, endingSeconds?: number }} [limits]
 */
function runJest(specs, { fileSeconds = 60, endingSeconds = 1 } = {}) {
  const logs = join(makeDataDir(), 'logs');
  mkdirSync(logs, { recursive: true, mode: 0o700 });
  const rootDir = mkdtempSync(join(logs, 'jest-'));
  try {
    for (const [name, text] of Object.entries(specs)) writeFileSync(join(rootDir, name), text);
    const reporters = ['default', [join(root, 'tools/jest-ending.mjs'), { suite: 'test', fileSeconds, endingSeconds }]];
    const config = {
      rootDir,
      reporters,
      transform: {},
      testMatch: ['<rootDir>/*.spec.cjs'],
      moduleFileExtensions: ['cjs', 'js'],
      testEnvironment: 'node',
    };
    const args = [join(root, 'node_modules/jest/bin/jest.js'), '--config', JSON.stringify(config), '--runInBand'];
    const { status, stderr, error } = spawnSync(process.execPath, args, {
      cwd: rootDir,
      encoding: 'utf8',
      timeout: TIMEOUT_MS,
    });
    if (error) throw error;
    return { status, stderr, left: readdirSync(join(rootDir, 'out-test')) };
  } finally {
    rmSync(rootDir, { recursive: true, force: true });
  }
}

const passes = `test('passes', () => undefined);`;

test('the reporter ends a run with a failed hook that left a server open, and names the file', () => {
  const opens = `
    beforeAll(async () => {
      const server = require('node:net').createServer();
      await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
      throw new Error('the hook fails');
    });
    ${passes}`;
  const { status, stderr, left } = runJest({ 'a.spec.cjs': passes, 'opens.spec.cjs': opens });
  assert.equal(status, 1);
  assert.match(stderr, /the hook fails/);
  assert.match(
    stderr,
    /Ended: all tests have finished, but the process does not exit: opens\.spec\.cjs left open 1 TCPServerWrap/,
  );
  assert.deepEqual(left, []);
});

test('the reporter fails a run whose tests pass but leave a timer open', () => {
  const { status, stderr } = runJest({
    'opens.spec.cjs': `test('passes', () => void setInterval(() => undefined, 1_000));`,
  });
  assert.equal(status, 1);
  assert.match(stderr, /opens\.spec\.cjs left open 1 Timeout/);
});

test('the reporter kills child processes of tests', () => {
  // The child inherits the output streams, so `spawnSync` would wait for the child if it survived.
  const { status, stderr } = runJest({
    'starts.spec.cjs': `
      const { spawn } = require('node:child_process');
      test('starts', () => void spawn('sleep', ['600'], { stdio: 'inherit' }));`,
  });
  assert.equal(status, 1);
  assert.match(stderr, /starts\.spec\.cjs left open 1 ProcessWrap/);
});

test('the reporter ends a spec file that exceeds its limit, and keeps it in the list of running files', () => {
  const { status, stderr, left } = runJest(
    { 'waits.spec.cjs': `test('waits', () => new Promise(() => undefined), 600_000);` },
    { fileSeconds: 1 },
  );
  assert.equal(status, 1);
  assert.match(stderr, /Ended: waits\.spec\.cjs has run for 1 s/);
  assert.deepEqual(left, ['test.running.json']);
});

test('the reporter does not disturb a run that closes all its resources', () => {
  // Two minutes are longer than a finished process needs to exit on a busy machine.
  const { status, stderr } = runJest({ 'a.spec.cjs': passes }, { endingSeconds: 120 });
  assert.equal(status, 0);
  assert.doesNotMatch(stderr, /Ended/);
});
