// @ts-check
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { appLog } from './log.mjs';

const home = mkdtempSync(join(tmpdir(), 'log-'));
after(() => rmSync(home, { recursive: true }));

test('npm start prints only warnings and errors while an app starts, and keeps every line in the file', async (context) => {
  /** @type {string[]} */
  const printed = [];
  context.mock.method(console, 'log', (/** @type {string} */ line) => printed.push(line));
  const file = join(home, 'api.log');
  const log = appLog('api', file, (line) => (line.startsWith('{') ? `${JSON.parse(line).msg}\n  below it\n` : line));
  const lines = [
    { level: 'info', msg: 'not while it starts' },
    { level: 'error', msg: 'broken' },
  ].map((line) => JSON.stringify(line));
  for (const line of [...lines, 'plain text']) log.write(line);
  log.isQuiet = false;
  log.write(JSON.stringify({ level: 'info', msg: 'later' }));
  assert.deepEqual(printed, [
    '[api] broken',
    '[api]   below it',
    '[api] plain text',
    '[api] later',
    '[api]   below it',
  ]);
  const read = () => (existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []);
  for (const endsAt = Date.now() + 60_000; read().length < 5 && Date.now() < endsAt; ) await sleep(10);
  assert.equal(read().length, 5);
});
