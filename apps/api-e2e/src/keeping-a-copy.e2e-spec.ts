// @group long: kills the program of the guide many times
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { createTestDatabase } from '@ats/domain/testing';
import pg from 'pg';
import { ROOT } from './support/app.js';
import { RandomWriters, WRITTEN } from './support/random-writers.js';
import { seededRandom } from './support/seeded-random.js';
import { SINGLE, Service } from './support/service.js';
import { waitUntil } from './support/wait-until.js';

/** The seeds of the test. `COPY_SEEDS=10` runs more seeds, and `COPY_SEED=7` repeats one. */
const SEEDS = process.env['COPY_SEED']
  ? [Number(process.env['COPY_SEED'])]
  : Array.from({ length: Number(process.env['COPY_SEEDS'] ?? 2) }, () => Math.floor(Math.random() * 1e6));
const WRITES = Number(process.env['COPY_WRITES'] ?? 80);
/**
 * Minimum number of kills of the program. The writers go on after `WRITES` writes until it has been killed this often.
 */
const KILLS = 5;
jest.setTimeout(600_000);

let service: Service;

beforeAll(async () => {
  service = await Service.start({}, SINGLE);
});
afterAll(() => service.stop());

/** The program of the guide, which runs as a process of its own. */
class Copier {
  constructor(
    private readonly databaseUrl: string,
    private readonly settings: Readonly<Record<string, string>> = {},
  ) {}

  start(command: string): ChildProcess {
    return spawn(process.execPath, [join(ROOT, 'examples/copy/copy.mjs'), command], {
      env: {
        ATS: service.client.baseUrl,
        TOKEN: service.client.token,
        COPY_DATABASE_URL: this.databaseUrl,
        ...this.settings,
        SETTLE_SECONDS: '0',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  async run(command: string): Promise<{ readonly code: number | null; readonly output: string }> {
    const child = this.start(command);
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (text: Buffer) => (output += text.toString()));
    const [code] = (await once(child, 'close')) as [number | null];
    return { code, output };
  }

  /**
   * Starts the program and kills it with SIGKILL after some transactions, again and again until `write` has ended.
   * `write` gets a function that says whether the program has been killed often enough. @returns the number of kills
   */
  async killDuring(write: (isEnough: () => boolean) => Promise<void>, random: () => number): Promise<number> {
    let kills = 0;
    let isOver = false;
    let hasFailed = false;
    const over = write(() => hasFailed || kills >= KILLS).finally(() => (isOver = true));
    try {
      while (!isOver) {
        await this.#killOnce(over, random);
        kills += 1;
      }
    } finally {
      hasFailed = true;
      await over;
    }
    return kills;
  }

  async #killOnce(over: Promise<void>, random: () => number): Promise<void> {
    const child = this.start('follow');
    const closed = once(child, 'close');
    let lines = 0;
    let errors = '';
    child.stderr?.on('data', (text: Buffer) => (errors += text.toString()));
    const enough = Math.floor(random() * 6);
    const reached = new Promise<void>((resolve) => {
      child.stdout?.on('data', (text: Buffer) => {
        lines += text.toString().split('\n').length - 1;
        if (lines > enough) resolve();
      });
    });
    await Promise.race([reached, closed, over.catch(() => undefined)]);
    // Pauses for a short random time, so that the kill hits different points of the program's next transaction.
    await new Promise((resolve) => setTimeout(resolve, random() * 20));
    if (child.exitCode !== null)
      throw new Error(`examples/copy ended with exit code ${child.exitCode}. Its errors: ${errors}`);
    child.kill('SIGKILL');
    await closed;
  }
}

it.each(SEEDS)('a copy is identical after random writes while its program is killed: seed %i', async (seed) => {
  const random = seededRandom(seed);
  const copyDatabase = await createTestDatabase();
  try {
    const copier = new Copier(copyDatabase.url, { RESOURCES: [...WRITTEN, 'communications'].join() });
    const writers = new RandomWriters(service.client, random);
    await writers.prepare();
    const kills = await copier.killDuring((isEnough) => writers.write(WRITES, isEnough), random);
    console.log(`seed ${seed}: ${kills} kills; ${String(writers)}`);
    expect(kills).toBeGreaterThanOrEqual(KILLS);
    expect(await copier.run('catch-up')).toMatchObject({ code: 0, output: expect.any(String) });
    const { code, output } = await copier.run('verify');
    expect({ code, output }).toMatchObject({ code: 0, output: expect.stringContaining('the copy is identical') });
  } finally {
    await copyDatabase.drop();
  }
});

it.each([
  [
    'that nobody listens at',
    'follow',
    'postgresql://127.0.0.1:1/copy',
    /^The database at COPY_DATABASE_URL cannot be used: .*ECONNREFUSED.*\n$/,
  ],
  ['that is not set', 'follow', '', 'Set COPY_DATABASE_URL to the address of the database for the copy.\n'],
  ['without a command', '', 'postgresql://127.0.0.1:1/copy', 'Name a command: follow, catch-up, verify.\n'],
])('the error for a database %s has one line', async (_, command, databaseUrl, line) => {
  const { code, output } = await new Copier(databaseUrl).run(command);
  expect({ code, output }).toEqual({ code: 2, output: expect.stringMatching(line) });
  expect(output.split('\n')).toHaveLength(2);
});

it('the command follow says when the first copy is complete', async () => {
  const copyDatabase = await createTestDatabase();
  try {
    const child = new Copier(copyDatabase.url).start('follow');
    let output = '';
    child.stdout?.on('data', (text: Buffer) => (output += text.toString()));
    await waitUntil('the snapshot is complete', 60_000, () => output.includes('following\n'));
    const closed = once(child, 'close');
    child.kill('SIGKILL');
    await closed;
    expect(output).toMatch(/read \d+ forms\nfollowing\n/);
  } finally {
    await copyDatabase.drop();
  }
});

it('the command compare names each difference between the copy and the API', async () => {
  const copyDatabase = await createTestDatabase();
  try {
    const copier = new Copier(copyDatabase.url);
    const { id } = await service.client.post('/job_boards', { name: 'Board', code: 'difference' });
    const other = await service.client.post('/job_boards', { name: 'Other', code: 'other-difference' });
    expect(await copier.run('verify')).toMatchObject({ code: 0 });
    const copy = new pg.Client(copyDatabase.url);
    await copy.connect();
    await copy.query(`UPDATE copied_items SET item = replace(item::text, 'Board', 'Bored')::json
      WHERE resource = 'job_boards' AND id = ${id}`);
    await copy.query(`DELETE FROM copied_items WHERE resource = 'job_boards' AND id = ${other.id}`);
    await copy.end();
    const { code, output } = await copier.run('verify');
    expect(code).toBe(1);
    expect(output).toContain(`job_boards ${id}: name is "Board", the copy has "Bored"`);
    expect(output).toContain(`job_boards ${other.id}: is missing in the copy`);
    expect(output).toContain('2 differences');
  } finally {
    await copyDatabase.drop();
  }
});
