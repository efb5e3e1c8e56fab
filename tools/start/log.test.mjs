// @ts-check
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { appLog } from './log.mjs';

const home = mkdtempSync(join(tmpdir(), 'log-'));
after(() => rmSync(home, { recursive: true }));

test('prints what matters of a log line, prefixed, and keeps the line', async (context) => {
  /** @type {string[]} */
  const printed = [];
  context.mock.method(console, 'log', (/** @type {string} */ line) => printed.push(line.replace(/\d\d:\d\d:\d\d/, 'TIME')));
  const file = join(home, 'api.log');
  const log = appLog('api', file);
  const entry = { time: 0, pid: 1, hostname: 'h' };
  const lines = [
    { ...entry, level: 30, msg: 'not while it starts' },
    { ...entry, level: 40, msg: 'odd', count: 2 },
    { ...entry, level: 50, msg: 'broken', err: { stack: 'Error: no\n    at x' } },
  ].map((line) => JSON.stringify(line));
  for (const line of [...lines, 'plain text']) log.write(line);
  log.isQuiet = false;
  log.write(JSON.stringify({ ...entry, level: 30, app: 'api', msg: 'request', reqId: 'r', method: 'GET', route: '/x', status: 200, durationMs: 3 }));
  assert.deepEqual(printed, ['[api] TIME warn odd {"count":2}', '[api] TIME error broken', '[api]   Error: no', '[api]       at x', '[api] plain text', '[api] TIME GET /x 200 3 ms']);
  await context.waitFor(() => assert.equal(readFileSync(file, 'utf8').split('\n').length, 6));
});
