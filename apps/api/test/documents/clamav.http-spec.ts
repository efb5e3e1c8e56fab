// @group long: installs ClamAV when it is missing.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Api } from '../support/api-harness.js';
import { eventually } from '../support/eventually.js';
import { Factories } from '../support/factories.js';
import { useApi } from '../support/use-api.js';

/** The EICAR test file. Its text is in two parts, so that no scanner takes this source file for it. */
const EICAR = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR', '-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join('');
const MAX_BYTES = 300_000;
const WORKSPACE = join(__dirname, '../../../..');

const { api } = useApi();
let dir: string;
let port: number;
let clamd: ChildProcess;
let scanning: Api;
let make: Factories;

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port: free } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return free;
}

async function start(): Promise<void> {
  const args = ['tools/clamav.mjs', '--dir', dir, '--port', String(port), '--max-bytes', String(MAX_BYTES)];
  clamd = spawn(process.execPath, args, { cwd: WORKSPACE, stdio: ['pipe', 'pipe', 'inherit'] });
  const [text] = (await Promise.race([
    once(clamd.stdout ?? clamd, 'data'),
    once(clamd, 'exit').then(([code]) => [`clamd ended with exit code ${String(code)}`]),
  ])) as readonly unknown[];
  expect(String(text)).toBe('ready\n');
}

async function stop(): Promise<void> {
  const exited = once(clamd, 'exit');
  clamd.stdin?.end();
  await exited;
}

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'ats-clamav-'));
  port = await freePort();
  await start();
  scanning = await api.beside({ CLAMAV_URL: `tcp://127.0.0.1:${port}` });
  make = new Factories(scanning);
}, 300_000);
afterAll(async () => {
  await scanning.app.close();
  await stop();
  await rm(dir, { recursive: true, force: true });
});

const becomes = (id: number, scan: string): Promise<void> =>
  eventually(async () => expect((await scanning.get(`/documents/${id}`)).item['scan']).toBe(scan));

test('clamd reports the EICAR test file as infected, and other files as clean', async () => {
  const infected = await make.document({ content: EICAR });
  const clean = await make.document({ content: 'x'.repeat(MAX_BYTES) });
  await becomes(infected.id, 'infected');
  await becomes(clean.id, 'clean');
  expect((await scanning.get(`/documents/${infected.id}/link`)).status).toBe(409);
  expect((await scanning.get(`/documents/${clean.id}/link`)).status).toBe(200);
});

test('a document above StreamMaxLength stays pending', async () => {
  const document = await make.document({ content: 'x'.repeat(MAX_BYTES + 1) });
  await eventually(() => Promise.resolve(expect(scanning.log.join('')).toMatch(/size limit exceeded/)));
  expect((await scanning.get(`/documents/${document.id}`)).item['scan']).toBe('pending');
});

test('documents stay pending while clamd is unavailable', async () => {
  await stop();
  const document = await make.document({ content: EICAR });
  await eventually(() => Promise.resolve(expect(scanning.log.join('')).toMatch(/ECONNREFUSED/)));
  await start();
  await becomes(document.id, 'infected');
});
