// @group long: runs each command of the webhook guide as a process
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { freePort } from '@ats/domain/testing';
import { ROOT } from './support/app.js';
import { blocksOf, runCommands, writeAddresses } from './support/guide.js';
import { SINGLE, Service } from './support/service.js';

const PAGE = 'docs/guides/webhooks.md';
const GUIDE = readFileSync(join(ROOT, PAGE), 'utf8');

/** Returns the file name that the guide gives to a program. */
const nameOf = (before: string): string => [...before.matchAll(/Save (?:it|this) as\s`([\w.-]+)`/g)].at(-1)?.[1] ?? '';

// Timeout in ms. It is long, because the commands start dozens of processes one after the other.
jest.setTimeout(660_000);

let service: Service;
let folder: string;

beforeAll(async () => {
  // Kills no process, because the commands of the guide do not retry, and a test message has only one attempt.
  service = await Service.start({}, SINGLE);
  folder = mkdtempSync(join(tmpdir(), 'guide-'));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await service.stop();
});

describe('the guide for integrators', () => {
  it('leads to a receiver that processes every message once, with the programs and commands of the guide', async () => {
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
    for (const { code, before } of blocksOf(PAGE, 'js')) writeFileSync(join(folder, nameOf(before)), code);
    const port = String(await freePort());
    writeAddresses(folder, { baseUrl: client.baseUrl, token });
    const env = {
      BERLIN_VACANCY: String(vacancy.id),
      PORT: port,
      DESTINATION: `http://127.0.0.1:${port}/`,
    };
    const commands = [
      `trap 'kill $(jobs -p) 2>/dev/null || true' EXIT`,
      ...blocksOf(PAGE, 'sh').map(({ code }) => code),
    ];
    const stdout = await runCommands(commands, { cwd: folder, env });

    const [message] = /"message_id":"([0-9a-f-]{36})","sequence":1,"status":"delivered"/.exec(stdout)?.slice(1) ?? [];
    expect(stdout).toContain(`kept ${message}, sequence 1`);
    // The message must arrive two more times: when its delivery is sent again, and when all messages since a time are
    // redelivered.
    expect(stdout.split(`had ${message} before`)).toHaveLength(3);
    expect(stdout).not.toContain('refused');
    expect(stdout).toContain('disabled\ndelivered\nactive\n');
    expect(stdout).toMatch(/"next_signing_key":"[0-9a-f]{64}".*\nlistening\ndelivered\n/);
    expect(stdout).toContain('"notified":true');
    expect(stdout).toMatch(/"status":"done","total":1,"redelivered":1/);
    expect(stdout).toContain('\ncomplete up to sequence 1, 0 had not arrived\n');
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
