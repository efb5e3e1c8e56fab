// @ts-check
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCall } from '../services/api-call.mjs';
import { guardDir, unguardDir } from '../services/guard.mjs';
import { createDatabase } from '../services/postgres.mjs';
import { startApp } from '../upgrade/app.mjs';
import { makeDataDir, PlainError, root } from '../workspace.mjs';
import { lacksDumpTools } from './dump-tools.mjs';
import { fingerprint, withClient } from './fingerprint.mjs';

const token = `ats_dumping1_${randomBytes(32).toString('base64url')}`;

/**
 * Runs the commands of docs/operations.md, "The logical way": dumps a database with the demo data and restores it under
 * another name. Checks that both databases are equal, and that an API on the copy works and assigns no id twice.
 */
export async function main() {
  const { TEST_DATABASE_URL: server, TEST_REDIS_URL: redis } = process.env;
  if (!server || !redis)
    throw new PlainError(
      'usage: npm run with-services -- --postgres-15 node tools/backup.mjs, on a server without a database `ats`',
    );
  const version = await withClient(
    server,
    async (client) => (await client.query('SHOW server_version_num')).rows[0].server_version_num,
  );
  const lack = await lacksDumpTools(Math.floor(Number(version) / 10_000));
  if (lack) return console.log(`skipped, ${lack}`);
  const logs = join(makeDataDir(), 'logs');
  mkdirSync(logs, { recursive: true, mode: 0o700 });
  const logFile = join(logs, 'backup.log');
  writeFileSync(logFile, '', { mode: 0o600 });
  const dir = mkdtempSync(join(tmpdir(), 'ats-dump-'));
  guardDir(dir);
  try {
    await dumpAndRestore({ server, redis, dir, logFile });
  } finally {
    rmSync(dir, { recursive: true, force: true });
    unguardDir(dir);
  }
}

/**
 * Runs the commands of the runbook, and checks the restored database.
 * @param {{ server: string, redis: string, dir: string, logFile: string }} options
 */
async function dumpAndRestore({ server, redis, dir, logFile }) {
  const [source, copy] = ['ats', 'ats_restored'].map(
    (database) => Object.assign(new URL(server), { pathname: `/${database}` }).href,
  );
  if (!source || !copy) throw new Error('the names of the two databases are missing');
  const settings = {
    REDIS_URL: redis,
    PUBLIC_BASE_URL: 'http://localhost:3000',
    SECRET_KEY: randomBytes(32).toString('hex'),
    RATE_LIMIT: '0',
  };
  await createDatabase(server, 'ats');
  run('node libs/domain/dist/cli/migrate.js', { DATABASE_URL: source, BOOTSTRAP_TOKEN: token });
  run('node tools/seed.mjs', { DATABASE_URL: source });
  const made = await serve({ ...settings, DATABASE_URL: source }, logFile, write);

  for (const command of commandsOf('The logical way')) {
    if (command.includes('after-restore')) await compare(source, copy);
    const said = run(command.replace('ats.dump', join(dir, 'ats.dump')), {
      DATABASE_URL: source,
      ADMIN_URL: server,
      RESTORED_URL: copy,
    });
    if (command.endsWith('npm run migrate') && !said.includes('the schema is up to date'))
      throw new PlainError(`migrate must change nothing in the restored database, but printed: ${said}`);
  }
  await serve({ ...settings, DATABASE_URL: copy }, logFile, (call) => readAgain(call, made));
  console.log('the API serves the restored database, decrypts its signing keys, and assigns no id twice');
}

/**
 * Checks that two databases have the same contents.
 * @param {string} source @param {string} copy
 */
async function compare(source, copy) {
  const [before, after] = [await fingerprint(source), await fingerprint(copy)];
  const differences = before
    .filter((line) => !after.includes(line))
    .concat(after.filter((line) => !before.includes(line)));
  if (differences.length > 0)
    throw new PlainError(`the restored database differs:\n${differences.slice(0, 10).join('\n')}`);
  console.log(`restored without differences: ${before.length} tables, sequences and definitions`);
}

/** Returns the commands of a section of the runbook, without comments. @param {string} heading */
function commandsOf(heading) {
  const text =
    readFileSync(join(root, 'docs/operations.md'), 'utf8').split(`### ${heading}\n`)[1]?.split('\n#')[0] ?? '';
  const commands = [...text.matchAll(/```sh\n(.*?)```/gs)]
    .flatMap(([, block = '']) => block.trim().split('\n'))
    .map((line) => line.replace(/\s+#.*/, ''));
  if (commands.length < 5)
    throw new PlainError(`the section "${heading}" of docs/operations.md has ${commands.length} commands, expected 5`);
  return commands;
}

/** @typedef {import('../services/api-call.mjs').Call} Call */

/**
 * Starts the API for `work` and stops it afterwards.
 * @template T
 * @param {Record<string, string>} settings
 * @param {string} logFile
 * @param {(call: Call) => Promise<T>} work
 */
async function serve(settings, logFile, work) {
  const api = await startApp('api', root, settings, logFile);
  try {
    return await work(createCall({ url: api.url, token }));
  } finally {
    await api.stop();
  }
}

/** Creates rows of the kinds that the demo data lacks. @param {Call} call */
async function write(call) {
  const topic = await call('POST', '/notification_topics', { type: 'STATE_CHANGE_APPLICATION', name: 'Moves' });
  const subscription = await call('POST', `/notification_topics/${topic.id}/subscriptions`, {
    destination_url: 'https://example.com/',
  });
  const [opened] = await call('GET', '/vacancies?search=/state/state=open&per_page=1');
  const candidate = { firstname: 'Robin', lastname: 'Example', email: 'robin@example.com' };
  const application = await call('POST', '/applications', { opportunity_id: opened.id, candidate });
  await call('PUT', `/applications/${application.id}/process_state`, { state: 'interview' });
  return { topic, subscription, opened, application };
}

/**
 * Checks that the restored database has the rows that `write` created, and that a new row gets an unused id.
 * @param {Call} call
 * @param {Awaited<ReturnType<typeof write>>} made
 */
async function readAgain(call, { topic, subscription, opened, application }) {
  const found = await call('GET', `/applications/${application.id}`);
  if (found.process_state?.state !== 'interview')
    throw new PlainError(`the restored application differs from the original: ${JSON.stringify(found)}`);
  const { signing_key } = await call('GET', `/notification_topics/${topic.id}/subscriptions/${subscription.id}`);
  if (signing_key !== subscription.signing_key)
    throw new PlainError('the restored subscription has another signing key than the original');
  const next = await call('POST', '/applications', {
    opportunity_id: opened.id,
    candidate: { firstname: 'Kim', lastname: 'Example', email: 'kim@example.com' },
  });
  if (next.id < application.id + 1_000_000)
    throw new PlainError(
      `the first new application after the restore got the id ${next.id}, which may have been used before the restore`,
    );
}

/**
 * Runs a shell command. Throws when the command fails.
 * @param {string} command of a shell @param {Record<string, string>} settings @returns {string} its output
 */
function run(command, settings) {
  const { status, stdout, stderr, error } = spawnSync('bash', ['-c', command], {
    cwd: root,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...settings },
    encoding: 'utf8',
  });
  if (status !== 0) throw new PlainError(`${command} failed: ${error?.message ?? stderr}`);
  return stdout;
}
