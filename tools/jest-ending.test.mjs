// @ts-check
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeDataDir, root } from './workspace.mjs';

/** Beyond it a run hangs. */
const PATIENCE_MS = 30_000;

/**
 * Runs spec files, given by their names, in a project of their own.
 * @param {Record<string, string>} specs
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
      timeout: PATIENCE_MS,
    });
    if (error) throw error;
    return { status, stderr, left: readdirSync(join(rootDir, 'out-test')) };
  } finally {
    rmSync(rootDir, { recursive: true, force: true });
  }
}

const passes = `test('passes', () => undefined);`;

test('a run whose hook fails after it has opened a connection ends, and names the file', () => {
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
    /Ended: all tests are over, and the process does not end: opens\.spec\.cjs has left open 1 TCPServerWrap/,
  );
  assert.deepEqual(left, []);
});

test('a run whose tests pass and leave something open fails all the same', () => {
  const { status, stderr } = runJest({
    'opens.spec.cjs': `test('passes', () => void setInterval(() => undefined, 1_000));`,
  });
  assert.equal(status, 1);
  assert.match(stderr, /opens\.spec\.cjs has left open 1 Timeout/);
});

test('a process that a test has started does not outlive the run', () => {
  // It holds our end of the output too: we would wait for it.
  const { status, stderr } = runJest({
    'starts.spec.cjs': `test('starts', () => void require('node:child_process').spawn('sleep', ['600'], { stdio: 'inherit' }));`,
  });
  assert.equal(status, 1);
  assert.match(stderr, /starts\.spec\.cjs has left open 1 ProcessWrap/);
});

test('a file that goes on and on is ended, and stays noted as running', () => {
  const { status, stderr, left } = runJest(
    { 'waits.spec.cjs': `test('waits', () => new Promise(() => undefined), 600_000);` },
    { fileSeconds: 1 },
  );
  assert.equal(status, 1);
  assert.match(stderr, /Ended: waits\.spec\.cjs has run for 1 s/);
  assert.deepEqual(left, ['test.running.json']);
});

test('a run that closes everything ends by itself', () => {
  // Longer than a busy machine takes to end a process that has nothing left to do.
  const { status, stderr } = runJest({ 'a.spec.cjs': passes }, { endingSeconds: 20 });
  assert.equal(status, 0);
  assert.doesNotMatch(stderr, /Ended/);
});
