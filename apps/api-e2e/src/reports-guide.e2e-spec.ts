// @group long: runs each command of the guide as a process
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { applyTo, openVacancy } from './support/api-client.js';
import { SINGLE, Service } from './support/service.js';

const ROOT = join(__dirname, '../../..');
const GUIDE = readFileSync(join(ROOT, 'docs/guides/reports.md'), 'utf8');
jest.setTimeout(300_000);

let service: Service;
let folder: string;

beforeAll(async () => {
  service = await Service.start({}, SINGLE);
  folder = mkdtempSync(join(tmpdir(), 'reports-'));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await service.stop();
});

it('the commands of the guide for reports export and count as written', async () => {
  const vacancy = await openVacancy(service.client);
  const { id } = await applyTo(service.client, vacancy);
  await applyTo(service.client, vacancy);
  await service.client.request('PATCH', `/applications/${id}`, { rating: 4 });
  const commands = [...GUIDE.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code);
  const child = spawn('bash', ['--norc', '-c', ['set -euo pipefail', ...commands].join('\n')], {
    cwd: folder,
    env: { PATH: process.env['PATH'], ATS: service.client.baseUrl, TOKEN: service.client.token },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const code = await new Promise((resolve) => child.once('close', resolve));
  expect({ code, output }).toMatchObject({ code: 0 });
  expect(output).toMatch(/^id,uuid,url,/m);
  expect(output).toMatch(new RegExp(`^${id},.*Xanthippe.*,4`, 'm'));
  expect(output).toMatch(/^id,Candidate,Vacancy,State\r?$/m);
  expect(output).toMatch(/^2$/m);
  expect(output).toContain('"count":2');
});
