import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Api } from './api-harness.js';
import { Factories } from './factories.js';

const GUIDE = readFileSync(join(__dirname, '../../../docs/guides/templates-and-messages.md'), 'utf8');
const commands = [...GUIDE.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, code]) => code);
const scopes = [...new Set([...GUIDE.matchAll(/`(\w+:(?:read|write))`/g)].map(([, scope]) => String(scope)))];

let api: Api;
let make: Factories;

beforeAll(async () => {
  api = await Api.start();
  make = new Factories(api);
});
afterAll(() => api.close());

test('the guide to templates and messages runs as it is written, with the scopes that it names', async () => {
  const vacancy = await make.vacancy({ title: 'Gardener', location: 'Berlin' });
  const env = { PATH: process.env['PATH'], ATS: `http://127.0.0.1:${await api.listen()}/api/v1`, TOKEN: await make.token(...scopes), VACANCY: String(vacancy.id) };
  // Addresses in answers begin with the public one.
  const local = (code = ''): string => code.replaceAll('call $MESSAGE', 'call $ATS/communications/${MESSAGE##*/}');
  const bash = spawn('bash', ['--norc', '-c', ['set -euo pipefail', ...commands.map(local)].join('\n')], { env, timeout: 25_000 });
  const [stdout, stderr] = await Promise.all([text(bash.stdout), text(bash.stderr), once(bash, 'close')]);
  if (bash.exitCode !== 0) throw new Error(`${stdout}\n${stderr}`);

  expect(stdout).toContain('did you mean \\"firstname\\"?');
  expect(stdout).toContain('"body":"Dear Robin <b>,\\n\\nwe would like to meet you in Berlin.');
  expect(stdout).toContain('"body":"<p>Dear Robin &lt;b&gt;,</p>');
  expect(stdout).toContain('"subject":"Your application as Gardener"');
  expect(stdout).toContain('We have received your {{ papers }}.');
  const messages = await api.database.query<{ type: string; direction: string; status: string }>('SELECT type, direction, status FROM communications ORDER BY id');
  expect(messages.map(({ type, direction, status }) => `${direction} ${type} ${status}`)).toEqual(['outbound email queued', 'outbound note sent', 'inbound email sent', 'outbound email queued']);
});
