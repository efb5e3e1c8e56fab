import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import pg from 'pg';
import { startProcess } from '../../tools/services/processes.mjs';
import { startTestServices } from '../../tools/services/test-services.mjs';
import { root } from '../../tools/workspace.mjs';
import { printMachine } from './machine.mjs';

/** @typedef {<T extends { stop(): unknown }>(thing: T | Promise<T>) => Promise<T>} Open */

/**
 * Prints the machine and runs `work` with a database. `work` registers servers and clients with `open`; they are
 * stopped afterwards in reverse order.
 * @param {Parameters<typeof openDatabase>[0]} options
 * @param {(database: any, open: Open) => Promise<unknown>} work
 */
export async function withDatabase(options, work) {
  const database = await openDatabase(options);
  const opened = [];
  try {
    await printMachine(database);
    await work(database, async (thing) => (opened.push(await thing), opened.at(-1)));
  } finally {
    for (const thing of opened.reverse()) await thing.stop();
    await database.close();
  }
}

/**
 * Opens the database for the benchmark and adds two credentials: one for clients that read, one for clients that write.
 * @param {{ database?: string, applications: number }} options
 */
async function openDatabase({ database: given, applications }) {
  const services = given === undefined ? await startTestServices({ say: console.error }) : undefined;
  const url = given ?? services.env.TEST_DATABASE_URL;
  const tokens = { reader: newToken(), writer: newToken() };
  try {
    if (services) await fill(url, applications);
    await addCredentials(url, Object.values(tokens));
  } catch (error) {
    await services?.stop();
    throw error;
  }
  const client = new pg.Client({ connectionString: url, application_name: 'bench' });
  await client.connect();
  return {
    url,
    redisUrl: services?.env.TEST_REDIS_URL ?? process.env.REDIS_URL ?? 'redis://127.0.0.1:6379',
    tokens,
    backendPid: client.processID,
    /** @returns {Promise<any[]>} the rows */
    query: async (text, values) => (await client.query(text, values)).rows,
    async close() {
      const keyIds = Object.values(tokens).map((token) => token.split('_')[1]);
      // Deletes the credentials for clients, and all credentials that a benchmark has created with them.
      if (!services)
        await client.query(
          `WITH RECURSIVE made AS (
            SELECT id FROM credentials WHERE key_id = ANY($1)
            UNION SELECT c.id FROM credentials c JOIN made ON c.created_by_id = made.id)
          DELETE FROM credentials WHERE id IN (SELECT id FROM made)`,
          [keyIds],
        );
      await client.end();
      await services?.stop();
    },
  };
}

const newToken = () => `ats_${randomBytes(8).toString('hex')}_${randomBytes(32).toString('base64url')}`;

async function fill(url, applications) {
  await runTool('migrate', [join(root, 'libs/domain/dist/cli/migrate.js')], url);
  await runTool('seed', [join(root, 'tools/seed.mjs'), '--applications', String(applications)], url);
}

async function runTool(name, args, url) {
  const env = { PATH: process.env.PATH, DATABASE_URL: url };
  const { code } = await (
    await startProcess({ name, command: process.execPath, args, env, onLine: (line) => console.error(line) })
  ).exited;
  if (code !== 0) throw new Error(`${name} failed`);
}

/** Inserts credentials as `migrate` does. The database itself is not migrated. */
async function addCredentials(url, tokens) {
  const { Database } = await import('@ats/postgres');
  const { ensureBootstrapCredential } = await import('@ats/domain');
  const database = await Database.connect({ url, applicationName: 'bench', poolSize: 1 });
  try {
    for (const token of tokens)
      await database.transaction((transaction) => ensureBootstrapCredential(transaction, token));
  } finally {
    await database.close();
  }
}
