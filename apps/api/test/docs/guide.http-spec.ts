// @group sample: npm test runs a quarter of its tests
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { activationMailsOf, activationTokenOf } from '../support/activation-token.js';
import { useApi } from '../support/use-api.js';

interface Guide {
  readonly commands: readonly string[];
  /** The scopes that the guide names. */
  readonly scopes: readonly string[];
}

function readGuide(name: string): Guide {
  const text = readFileSync(join(__dirname, '../../../../docs/guides', name), 'utf8');
  return {
    commands: [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, code]) => String(code)),
    scopes: [
      ...new Set([...text.matchAll(/`(\w+:(?:read|write|create|move|delete))`/g)].map(([, scope]) => String(scope))),
    ],
  };
}

const { api, make } = useApi();
let port: number;
/** A folder that has the file which `npm start` writes into a clone. */
let folder: string;

beforeAll(async () => {
  port = await api.listen();
  folder = mkdtempSync(join(tmpdir(), 'guide-'));
  mkdirSync(join(folder, '.data'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/**
 * Runs the commands of a guide in order.
 * @param more  variables that the guide uses
 * @returns the output of the commands
 */
async function follow(
  { commands }: Guide,
  token: string,
  more: Readonly<Record<string, string>> = {},
): Promise<string> {
  const vacancy = await make.vacancy({ title: 'Gardener', location: 'Berlin' });
  const base = `http://127.0.0.1:${port}`;
  writeFileSync(join(folder, '.data/start.env'), `BASE=${base}\nATS=${base}/api/v1\nTOKEN=${token}\nMAILBOX=\n`);
  const env = { PATH: process.env['PATH'], BERLIN_VACANCY: String(vacancy.id), ...more };
  // URLs in answers begin with the public base URL, which this test cannot reach. So they are replaced.
  const local = (code: string): string => code.replaceAll('call $MESSAGE', 'call $ATS/communications/${MESSAGE##*/}');
  const bash = spawn('bash', ['--norc', '-c', ['set -euo pipefail', ...commands.map(local)].join('\n')], {
    cwd: folder,
    env,
    timeout: 140_000,
  });
  const [stdout, stderr] = await Promise.all([text(bash.stdout), text(bash.stderr), once(bash, 'close')]);
  if (bash.exitCode !== 0) throw new Error(`${stdout}\n${stderr}`);
  return stdout;
}

test('the commands of the guide to templates and messages work with the scopes that the guide names', async () => {
  const guide = readGuide('templates-and-messages.md');
  const stdout = await follow(guide, await make.token(...guide.scopes));

  expect(stdout).toContain('did you mean \\"firstname\\"?');
  expect(stdout).toContain('"body":"Dear Robin <b>,\\n\\nwe would like to meet you in Berlin.');
  expect(stdout).toContain('"body":"<p>Dear Robin &lt;b&gt;,</p>');
  expect(stdout).toContain('"subject":"Your application as Gardener"');
  expect(stdout).toContain('We have received your {{ papers }}.');
  const messages = await api.database.query<{ type: string; direction: string; status: string }>(
    'SELECT type, direction, status FROM communications ORDER BY id',
  );
  expect(messages.map(({ type, direction, status }) => `${direction} ${type} ${status}`)).toEqual([
    'outbound email queued',
    'outbound note sent',
    'inbound email sent',
    'outbound email queued',
  ]);
});

test('the commands of the guide to forms and applying work with the scopes that the guide names', async () => {
  const guide = readGuide('forms-and-applying.md');
  const stdout = await follow(guide, await make.token(...guide.scopes));

  expect(stdout).toContain('"label":"Haben Sie einen Führerschein?"');
  expect(stdout).toContain('"section_instance":2,"form_instance":1,"value":"Cargo Inc"');
  const rejected = stdout
    .split('\n')
    .filter((line) => line.includes('Validation failed'))
    .map((line) => JSON.parse(line) as { errors: readonly { path: string; code: string; item_key?: string }[] });
  const errors = rejected.map((answer) =>
    answer.errors.map(({ path, code, item_key }) => [path, code, item_key].filter(Boolean).join(' ')).sort(),
  );
  expect(errors).toEqual([
    ['/candidate/email invalid', '/form_values/1/value not_visible since', '/rating invalid'],
    ['/form_values missing licence', '/form_values missing since'],
    ['/opportunity_id already_exists'],
  ]);
  const found = stdout
    .split('\n')
    .filter((line) => line.startsWith('[{'))
    .map((line) => JSON.parse(line) as unknown[]);
  // These are the searches of the guide: one for a posting, one for a form, and two for an application by its answers.
  expect(found.map(({ length }) => length)).toEqual([1, 1, 1, 1]);
});

test('the commands of the guide to candidate accounts work with the scopes that the guide names', async () => {
  const guide = readGuide('accounts.md');
  const [begin = '', create = '', resend = '', activate = ''] = guide.commands;
  const token = await make.token(...guide.scopes);
  const linesOf = (stdout: string): readonly unknown[] =>
    stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as unknown);

  const [created, resent] = linesOf(await follow({ ...guide, commands: [begin, create, resend] }, token));
  expect(created).toMatchObject({ status: 'pending_activation' });
  expect(resent).toMatchObject({ id: expect.any(Number), status: 'pending_activation' });
  const candidate = resent as { readonly id: number };
  expect(await activationMailsOf(api.database, candidate)).toMatchObject([{ status: 'cancelled' }, { status: 'due' }]);

  const more = { LINK_TOKEN: await activationTokenOf(api.database, candidate), CANDIDATE: String(candidate.id) };
  const [activated, history] = linesOf(await follow({ ...guide, commands: [begin, activate] }, token, more));
  expect(activated).toMatchObject({ id: candidate.id, status: 'active' });
  const { items } = history as { readonly items: readonly { readonly changes: readonly object[] | null }[] };
  expect(items[0]?.changes).toContainEqual(expect.objectContaining({ path: '/status', new: 'active' }));
});

test('the commands of the guide to OAuth 2 work with the scopes that the guide names', async () => {
  const guide = readGuide('oauth.md');
  const stdout = await follow(guide, await make.token(...guide.scopes, 'layouts:read'));

  expect(stdout).toContain('"token_endpoint":"');
  expect(stdout).toContain('"scopes":["vacancies:read"]');
  expect(stdout).toContain('"title":"Gardener"');
});

test('the commands of the guide to expressions work with the scopes that the guide names', async () => {
  const guide = readGuide('expressions.md');
  const { id } = await make.application({ rating: 4, tags: ['referral'] });
  const stdout = await follow(guide, await make.token(...guide.scopes));

  const [above] = stdout.split('\n');
  expect(JSON.parse(above ?? '')).toEqual([{ id, rating: 4, source: null }]);
  expect(stdout).toContain('did you mean');
  expect(stdout).toContain('refused, as expected');
  expect(stdout).toMatch(/"evaluated":\d+/);
});
