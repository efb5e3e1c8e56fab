// @ts-check
import { performance } from 'node:perf_hooks';
import pg from 'pg';
import { PlainError } from '../workspace.mjs';
import { copyRows } from './copy.mjs';
import { loadEnvironment } from './env.mjs';
import { FIRST_ID } from './ids.mjs';
import { dropIndexes } from './indexes.mjs';
import { readOptions } from './options.mjs';
import { recruiterRows } from './recruiters.mjs';
import { States } from './states.mjs';
import { demoTables } from './tables.mjs';

/** With at least this number of applications, the seed creates the indexes after it has loaded the rows. */
const LARGE = 50_000;
const numbers = new Intl.NumberFormat('en');

/**
 * `npm run seed`: inserts demo data in one transaction, the same on every machine.
 * @param {readonly string[]} args
 */
export async function seed(args) {
  const { sizes, onlyIfEmpty } = readOptions(args);
  const { DATABASE_URL } = loadEnvironment();
  const client = await connect(DATABASE_URL);
  try {
    await checkSchema(client);
    const found = await findData(client, onlyIfEmpty);
    if (found) return console.log(found);
    await fill(client, sizes);
  } finally {
    await client.end();
  }
}

/**
 * Connects to the database.
 * @param {string} url
 */
async function connect(url) {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'ats-seed',
    connectionTimeoutMillis: 10_000,
  });
  client.on('error', () => {}); // The error of the connection is ignored here, because the running query reports it.
  try {
    await client.connect();
  } catch (error) {
    throw new PlainError(
      `The database at DATABASE_URL cannot be reached: ${error instanceof Error ? error.message || error.name : error}`,
    );
  }
  return client;
}

/**
 * Throws when the database has no tables yet.
 * @param {pg.Client} client
 */
async function checkSchema(client) {
  const { rows } = await client.query(
    `SELECT to_regclass('applications') IS NOT NULL AND to_regclass('migrations') IS NOT NULL AS is_migrated`,
  );
  if (!rows[0].is_migrated) throw new PlainError('The database has no tables yet: run npm run migrate first.');
}

/**
 * Looks for existing data in the database.
 * @param {pg.Client} client
 * @param {boolean} onlyIfEmpty
 * @returns {Promise<string | undefined>} the reason when nothing must be inserted
 */
async function findData(client, onlyIfEmpty) {
  const [[, uuid]] = recruiterRows(1);
  const { rows } = await client.query(
    `SELECT EXISTS (SELECT 1 FROM users WHERE uuid = $1) AS demo,
       EXISTS (SELECT 1 FROM users WHERE type = 'candidate') OR EXISTS (SELECT 1 FROM opportunities) AS other,
       greatest((SELECT max(id) FROM users), (SELECT max(id) FROM opportunities), (SELECT max(id) FROM job_boards), (SELECT max(id) FROM postings),
         (SELECT max(id) FROM applications), (SELECT max(id) FROM history_entries), (SELECT max(id) FROM forms), (SELECT max(id) FROM form_items),
         (SELECT max(id) FROM form_options), (SELECT max(id) FROM message_templates), (SELECT max(id) FROM communications)) >= $2 AS is_too_much`,
    [uuid, FIRST_ID],
  );
  const [{ demo, other, is_too_much: isTooMuch }] = rows;
  if (demo) return 'The database already has the demo data.';
  if (other && onlyIfEmpty) return 'The database has data of its own: no demo data was added.';
  if (isTooMuch)
    throw new PlainError(
      `The database has rows with ids from ${FIRST_ID} on, which the demo data needs: use an empty database.`,
    );
  return undefined;
}

/**
 * Inserts all demo data, and prints the progress.
 * @param {pg.Client} client
 * @param {import('./options.mjs').Sizes} sizes
 */
async function fill(client, sizes) {
  const start = performance.now();
  const say = (/** @type {string} */ text) =>
    console.log(`${((performance.now() - start) / 1000).toFixed(1).padStart(6)} s  ${text}`);
  const states = await States.read(client);
  const tables = demoTables(sizes, states);
  say(
    `planned ${numbers.format(sizes.applications)} applications and ${numbers.format(sizes.registrations)} event registrations`,
  );
  await client.query('BEGIN');
  try {
    await client.query('SET LOCAL statement_timeout = 0');
    await client.query(`SET LOCAL maintenance_work_mem = '256MB'`);
    await load(client, tables, sizes, say);
    for (const { name, columns } of tables)
      if (columns.startsWith('id,')) await moveSequence(client, `pg_get_serial_sequence('${name}', 'id')`, name);
    await moveSequence(client, `'opportunity_reference_seq'`, 'opportunities');
    await moveSequence(client, `'application_reference_seq'`, 'applications');
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw explained(error);
  }
  await client.query(`VACUUM (ANALYZE) ${tables.map(({ name }) => name).join(', ')}`);
  say('done');
}

/**
 * Loads the rows of all tables. Creates the indexes after a large load.
 * @param {pg.Client} client
 * @param {readonly import('./tables.mjs').Table[]} tables
 * @param {import('./options.mjs').Sizes} sizes
 * @param {(text: string) => void} say
 */
async function load(client, tables, sizes, say) {
  const isLarge = sizes.applications >= LARGE;
  const dropped = isLarge
    ? await dropIndexes(
        client,
        tables.map(({ name }) => name),
      )
    : undefined;
  for (const table of tables) {
    let reportedAt = performance.now();
    const count = await copyRows(client, table, (rows) => {
      if (performance.now() - reportedAt < 5_000) return;
      reportedAt = performance.now();
      say(`${table.name.padEnd(20)} ${numbers.format(rows).padStart(11)} …`);
    });
    say(`${table.name.padEnd(20)} ${numbers.format(count).padStart(11)}`);
  }
  await dropped?.restore((name) => say(`making ${name}`));
}

/**
 * Sets a sequence above the ids of the demo data.
 * @param {pg.Client} client
 * @param {string} sequence an SQL expression for the name of the sequence
 * @param {string} table
 */
async function moveSequence(client, sequence, table) {
  await client.query(
    `SELECT setval(s.name::regclass, greatest(coalesce(pg_sequence_last_value(s.name::regclass), 0), (SELECT max(id) FROM ${table}))) FROM (SELECT ${sequence} AS name) s`,
  );
}

/** Explains expected errors: a schema of another release, and other rows in the database. @param {unknown} error */
function explained(error) {
  if (!(error instanceof pg.DatabaseError)) return error;
  const { code, message, detail } = error;
  if (code === '42703' || code === '42P01')
    return new PlainError(`The database has the schema of another release: run npm run migrate first (${message}).`);
  if (code === '23505')
    return new PlainError(
      `The database has data of its own that the demo data would repeat (${detail ?? message}). Nothing was added.`,
    );
  return error;
}
