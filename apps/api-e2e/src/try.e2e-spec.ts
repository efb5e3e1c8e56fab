// @group long: runs the scripts of tools/try as processes
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { applicationsList, candidatesList, createClient } from '@ats/client';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { applyTo, type Item, openVacancy } from './support/api-client.js';
import { Service } from './support/service.js';

const TRY = join(__dirname, '../../../tools/try');
const LIMIT_MS = 250_000;

let service: Service;
let folder: string;

beforeAll(async () => {
  service = await Service.start({}, { apis: 1, notifiers: 0 });
  folder = mkdtempSync(join(tmpdir(), 'try-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await service.stop();
});

function start(script: string, ...parameters: readonly string[]) {
  const { baseUrl: ATS, token: TOKEN } = service.client;
  return spawn(process.execPath, [join(TRY, script), ...parameters], {
    cwd: folder,
    env: { PATH: process.env['PATH'], ATS, TOKEN },
    timeout: LIMIT_MS,
  });
}

/** Runs a script and waits for its end. @throws {Error} with the output, when the script fails */
async function run(script: string, ...parameters: readonly string[]): Promise<string> {
  const child = start(script, ...parameters);
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  if (child.exitCode !== 0) throw new Error(`${stdout}\n${stderr}`);
  return stdout;
}

/** Returns the lines of the mirror file. Each is a pair of a kind and an item. */
const writtenTo = (file: string): readonly { kind: string; item: Item }[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as { kind: string; items: readonly Item[] })
    .flatMap(({ kind, items }) => items.map((item) => ({ kind, item })));

it('the careers site serves visitors as its guide says', async () => {
  expect((await run('careers-site.mjs')).trim().split('\n')).toHaveLength(8);
});

it('the mirror of an HR system is complete and without duplicates after it was killed during writes', async () => {
  const { client } = service;
  const file = join(folder, 'mirror.jsonl');
  let isWriting = true;
  let kills = 0;
  const written = write().finally(() => (isWriting = false));
  while (isWriting) {
    const before = existsSync(file) ? statSync(file).size : 0;
    const sync = start('hr-sync.mjs', file);
    const ended = once(sync, 'close');
    while (isWriting && sync.exitCode === null && (!existsSync(file) || statSync(file).size <= before)) await sleep(5);
    sync.kill('SIGKILL');
    await ended;
    expect(sync.signalCode).toBe('SIGKILL');
    kills += 1;
    appendFileSync(file, '{"kind":"candidates","items":[{"id":1,'); // Simulates a kill in the middle of a write.
  }
  await written;
  await run('hr-sync.mjs', '--once', file);

  expect(kills).toBeGreaterThan(1);
  const entries = writtenTo(file);
  expect(new Set(entries.map((entry) => JSON.stringify(entry))).size).toBe(entries.length);
  const newest = (kind: string) =>
    [...new Map(entries.filter((entry) => entry.kind === kind).map(({ item }) => [item.id, item])).values()].sort(
      (a, b) => a.id - b.id,
    );
  // Reads the items with `@ats/client`, because the mirror has them in the API version that this client requests.
  const all = { client: createClient(client), query: { per_page: 1_000, sort: ['id!asc'] } };
  expect(newest('candidates')).toEqual((await candidatesList(all)).data);
  expect(newest('applications')).toEqual((await applicationsList(all)).data);
  const { items } = await client.get<{ items: readonly Item[] }>('/applications/history?since_id=0&per_page=1000');
  expect(entries.filter(({ kind }) => kind === 'history').map(({ item }) => item.id)).toEqual(
    items.map(({ id }) => id),
  );

  /** Applies for new candidates, renames them and moves their applications, four at a time. */
  async function write(): Promise<void> {
    const vacancy = await openVacancy(client);
    const writers = [1, 2, 3, 4].map(async () => {
      for (let count = 0; count < 10 || kills < 2; count += 1) {
        const { id, candidate } = (await applyTo(client, vacancy)) as Item & { candidate: Item };
        await client.put(`/applications/${id}/process_state`, { state: 'interview' });
        await client.request('PATCH', `/candidates/${candidate.id}`, { lastname: `Renamed-${count}` });
        await sleep(40);
      }
    });
    await Promise.all(writers);
  }
});
