// @group long: runs each command of the webhook guide as a process
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { freePort } from '@ats/domain/testing';
import { SINGLE, Service } from './support/service.js';

const ROOT = join(__dirname, '../../..');
const GUIDE = readFileSync(join(ROOT, 'docs/guides/webhooks.md'), 'utf8');

/** Returns the code blocks of a language in the guide, in order. Each comes with all text before it. */
const blocks = (language: string) =>
  [...GUIDE.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(({ index, 1: code = '' }) => ({
    code,
    before: GUIDE.slice(0, index),
  }));

/** Returns the file name that the guide gives to a program. */
const nameOf = (before: string): string => [...before.matchAll(/Save (?:it|this) as `([\w.-]+)`/g)].at(-1)?.[1] ?? '';

/** The commands start dozens of processes, one after the other. */
const RUN_MS = 600_000;
jest.setTimeout(RUN_MS + 60_000);

let service: Service;
let folder: string;

beforeAll(async () => {
  // The commands of the guide do not retry, and a test message has one attempt. So no process may be killed.
  service = await Service.start({}, SINGLE);
  folder = mkdtempSync(join(tmpdir(), 'guide-'));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await service.stop();
});

describe('the guide for integrators', () => {
  it('builds a receiver that gets every message once, with the programs and commands of the guide', async () => {
    const { client } = service;
    const vacancy = await client.post('/vacancies', { title: 'Gardener', location: 'Berlin' });
    await client.put(`/vacancies/${vacancy.id}/state`, { state: 'open' });
    const [, begin = ''] = GUIDE.split('## 1. Begin');
    const scopes = new Set([...(begin.split('```')[0] ?? '').matchAll(/`(\w+:\w+)`/g)].map(([, scope]) => scope));
    const { recruiter } = await client.get<{ recruiter: { id: number } }>('/me');
    const { token } = await client.post<{ token: string }>('/credentials', {
      name: 'Guide',
      scopes: [...scopes],
      recruiter_id: recruiter.id,
    });
    for (const { code, before } of blocks('js')) writeFileSync(join(folder, nameOf(before)), code);
    const commands = ['set -euo pipefail', `trap 'kill $(jobs -p)' EXIT`, ...blocks('sh').map(({ code }) => code)];
    const port = String(await freePort());
    const env = {
      PATH: process.env['PATH'],
      ATS: client.baseUrl,
      TOKEN: token,
      VACANCY: String(vacancy.id),
      PORT: port,
      DESTINATION: `http://127.0.0.1:${port}/`,
    };
    const { status, stdout, stderr } = spawnSync('bash', ['--norc', '-c', commands.join('\n')], {
      cwd: folder,
      env,
      encoding: 'utf8',
      timeout: RUN_MS,
    });
    if (status !== 0) throw new Error(`${stdout}\n${stderr}`);

    const [message] = /"message_id":"([0-9a-f-]{36})","sequence":1,"status":"delivered"/.exec(stdout)?.slice(1) ?? [];
    expect(stdout).toContain(`kept ${message}, sequence 1`);
    expect(stdout).toContain(`had ${message} before`);
    expect(stdout).not.toContain('refused');
    expect(stdout).toContain('disabled\ndelivered\nactive\n');
    expect(stdout).toMatch(/"next_signing_key":"[0-9a-f]{64}".*\ndelivered\n/);
    expect(stdout).toContain('"notified":true');
    expect(stdout).toMatch(/"status":"done","total":1,"redelivered":1/);
    expect(stdout.trim().split('\n').at(-1)).toBe('complete up to sequence 1, 0 had not arrived');
  });

  it('explains every code of a failed attempt', async () => {
    const description = JSON.stringify(
      await service.client.get(service.client.baseUrl.replace('/api/v1', '/openapi.json')),
    );
    const [codes = '[]'] = /"error":\{[^{}]*"enum":(\[[^\]]*\])/.exec(description)?.slice(1) ?? [];
    const known = (JSON.parse(codes) as (string | null)[]).filter((code) => code !== null);
    expect(known.length).toBeGreaterThan(10);
    const [, table = ''] = GUIDE.split('| `error` |');
    expect([...table.matchAll(/^\| `(\w+)` \|/gm)].map(([, code]) => code).sort()).toEqual([...known].sort());
  });
});
