// @group long: runs each command of the guides as a process
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { openVacancy } from './support/api-client.js';
import { SINGLE, Service } from './support/service.js';

const ROOT = join(__dirname, '../../..');
jest.setTimeout(300_000);

let service: Service;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'guides-'));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  service = await Service.start({ DOCUMENTS_FOLDER: join(folder, 'documents') }, SINGLE);
  await openVacancy(service.client);
});
afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs the commands of a guide in one shell. @returns their output */
async function run(guide: string): Promise<string> {
  const text = readFileSync(join(ROOT, 'docs/guides', guide), 'utf8');
  const commands = [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code);
  const { baseUrl: ATS, token: TOKEN } = service.client;
  const child = spawn('bash', ['--norc', '-c', ['set -euo pipefail', ...commands].join('\n')], {
    cwd: folder,
    env: { PATH: process.env['PATH'], ATS, BOARDS: `${new URL(ATS).origin}/public/v1/boards`, TOKEN },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const code = await new Promise((resolve) => child.once('close', resolve));
  expect({ code, ...(code !== 0 && { output }) }).toEqual({ code: 0 });
  return output;
}

it('the commands of the guide for documents upload, apply and download as written', async () => {
  const output = await run('documents.md');
  expect(output).toContain('"media_type":"application/pdf"');
  const applied = await service.client.get<{ owner: string }[]>('/documents?search=document.owner=application');
  expect(applied).toHaveLength(1);
});

it('the commands of the guide for careers pages apply with a document as written', async () => {
  const output = await run('public-board.md');
  expect(output).toContain('"json_ld":');
  expect(output).toContain('{"status":"received"}');
  const applied = await service.client.get<{ owner: string }[]>('/documents?search=document.owner=application');
  expect(applied).toHaveLength(2);
});
