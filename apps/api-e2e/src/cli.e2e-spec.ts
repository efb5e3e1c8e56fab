// @group long: packs the command line, and installs it into an empty folder
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '@ats/domain/testing';
import { describe, expect, it } from '@jest/globals';
import { type Item } from './support/api-client.js';
import { blocksOf, runCommands, writeAddresses } from './support/guide.js';
import { useInstalledCli } from './support/installed-cli.js';

const setup = useInstalledCli(() => ({ SYSTEM_ENVIRONMENT: 'development' }));
const { ats } = setup;

let serial = 0;
const person = (lastname: string): string =>
  JSON.stringify({ firstname: 'Robin', lastname, email: `robin.cli.${(serial += 1)}@example.com` });

async function create(lastname: string): Promise<Item> {
  const { stdout, stderr } = await ats(['create', 'candidates', '--json', '--data', person(lastname)]);
  expect(stderr).toBe('');
  return JSON.parse(stdout) as Item;
}

describe('ats login', () => {
  it('stores a valid token in a file that only the user can read, and later commands use it', async () => {
    const { baseUrl, token } = setup.service.client;
    const without = { ATS_URL: '', ATS_TOKEN: '' };
    expect(await ats(['get', 'candidates'], without)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('ats login'),
    });
    const refused = await ats(['login', '--url', baseUrl, '--token-stdin'], without, 'ats_nobody_x');
    expect(refused.code).toBe(1);
    expect(await ats(['login', '--url', baseUrl, '--token-stdin'], without, token)).toMatchObject({
      code: 0,
      stderr: '',
    });
    expect(statSync(join(setup.cli.folder, 'config/ats/login.json')).mode & 0o777).toBe(0o600);
    expect(await ats(['get', 'candidates'], without)).toMatchObject({ code: 0 });
  });

  it('does not send a stored token to another address', async () => {
    const { code, stderr } = await ats(['get', 'candidates'], { ATS_URL: 'http://127.0.0.1:1', ATS_TOKEN: '' });
    expect(code).toBe(2);
    expect(stderr).toContain('There is no login');
  });
});

describe('items of a collection', () => {
  it('are created, shown, changed and deleted by the commands of ats', async () => {
    const { id } = await create('Items');
    expect((await ats(['get', 'candidates', String(id)])).stdout).toMatch(/^lastname +Items$/m);
    const patched = await ats(['patch', 'candidates', String(id), '--json', '--data', '-'], {}, '{"firstname":"Kim"}');
    expect(JSON.parse(patched.stdout)).toMatchObject({ id, firstname: 'Kim' });
    const { stdout: table } = await ats([
      'get',
      'candidates',
      '--search',
      '/lastname=Items',
      '--fields',
      'id,firstname',
    ]);
    expect(table).toMatch(new RegExp(`^id +firstname\n${id} +Kim\n$`));
    expect(await ats(['delete', 'candidates', String(id)])).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it('are shown up to the number of --limit, over several pages', async () => {
    for (let count = 0; count < 3; count += 1) await create('Limited');
    const read = async (...options: readonly string[]) =>
      JSON.parse(
        (await ats(['get', 'candidates', '--json', '--search', '/lastname=Limited', ...options])).stdout,
      ) as Item[];
    expect(await read('--limit', '2')).toHaveLength(2);
    expect(await read('--all')).toHaveLength(3);
  });
});

describe('the exit code of ats', () => {
  it('is 1 for a refused request, whose violations are shown', async () => {
    const { code, stdout, stderr } = await ats(['create', 'candidates', '--json', '--data', '{"email":"nowhere"}']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    const { status, errors } = JSON.parse(stderr) as { status: number; errors: readonly { path: string }[] };
    expect(status).toBe(422);
    expect(errors.map(({ path }) => path)).toContain('/lastname');
    expect((await ats(['get', 'nowhere'])).code).toBe(1);
  });

  it.each([
    [['nowhere']],
    [['get']],
    [['get', 'candidates', '--limit', '0']],
    [['get', 'candidates', '--limit', '1', '--all']],
    [['create', 'candidates', '--data', '{']],
    [['export', 'candidates', '--format', 'xml']],
  ])('is 2 for the wrong options %j', async (args) => {
    const { code, stdout, stderr } = await ats(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).not.toBe('');
  });

  it('is 3 without a connection', async () => {
    const { code, stderr } = await ats(['get', 'candidates'], { ATS_URL: 'http://127.0.0.1:1' });
    expect({ code, stderr }).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('No answer from http://127.0.0.1:1.'),
    });
    const json = await ats(['get', 'candidates', '--json'], { ATS_URL: 'http://127.0.0.1:1' });
    expect(JSON.parse(json.stderr)).toEqual({
      error: 'ConnectionError',
      message: 'No answer from http://127.0.0.1:1.',
      cause: expect.any(String),
    });
  });
});

it('ats export writes a whole collection, and writes no file when it fails', async () => {
  const { id } = await create('Exported');
  const file = join(setup.cli.folder, 'export.csv');
  const search = ['--search', '/lastname=Exported'];
  expect(await ats(['export', 'candidates', '--format', 'csv', '--output', file, ...search])).toMatchObject({
    code: 0,
  });
  expect(readFileSync(file, 'utf8')).toMatch(new RegExp(`^id,.*\r\n${id},.*\r\n$`));
  const { stdout } = await ats(['export', 'candidates', ...search]);
  expect(JSON.parse(stdout)).toMatchObject({ id });
  expect((await ats(['export', 'candidates', '--output', `${file}.2`, '--where', 'nonsense'])).code).toBe(1);
  expect(readdirSync(setup.cli.folder).filter((name) => name.startsWith('export.'))).toEqual(['export.csv']);
});

it('ats changes continues from the token that the previous call printed', async () => {
  const tokenIn = (stderr: string): string => /^next: (\S+)$/m.exec(stderr)?.[1] ?? '';
  const resources = ['--resources', 'candidates', '--json'];
  const since = tokenIn((await ats(['changes', ...resources])).stderr);
  const { id } = await create('Changed');
  const { stdout, stderr } = await ats(['changes', '--since', since, ...resources]);
  expect(JSON.parse(stdout)).toMatchObject({ resource: 'candidates', id, change: 'created' });
  expect((await ats(['changes', '--since', tokenIn(stderr), ...resources])).stdout).toBe('');
});

it('the commands of the guide for ats run as written', async () => {
  const port = String(await freePort());
  const commands = blocksOf('docs/guides/command-line.md', 'sh').map(({ code }) => code.replaceAll('4000', port));
  writeAddresses(setup.cli.folder, setup.service.client);
  const output = await runCommands(commands, {
    cwd: setup.cli.folder,
    env: {
      PATH: `${setup.cli.bin}:${process.env['PATH']}`,
      XDG_CONFIG_HOME: join(setup.cli.folder, 'config'),
    },
  });
  expect(output).toMatch(/^next: /m);
  expect(output).toMatch(/^Logged in to /);
  expect(output).toMatch(/updated +http.+\n.+deleted +http/);
  expect(output).toMatch(/^CANDIDATE_CREATE {2}[\da-f-]+ {2}204\nnext: \d+$/m);
  expect(output).toContain('matched     1 of 1 event');
  expect(output).toMatch(/^no +window: the topic had no subscription/m);
  expect(output.trim().split('\n').at(-1)).toBe('1');
});
