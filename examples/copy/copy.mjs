// Keeps a copy of the service's data in a PostgreSQL database, and compares both.
//   node copy.mjs follow   makes the copy and follows the changes until it is stopped
//   node copy.mjs catch-up makes the copy, applies all changes up to now, and ends
//   node copy.mjs verify   applies all changes up to now, and compares the copy with the source
import pg from 'pg';
import { differences } from './compare.mjs';
import { Source } from './source.mjs';

const { ATS = 'http://localhost:3000/api/v1', TOKEN = '', COPY_DATABASE_URL, SETTLE_SECONDS = '6' } = process.env;
const RESOURCES = (
  process.env.RESOURCES ??
  'candidates,recruiters,vacancies,events,job_boards,postings,applications,event_applications,forms'
).split(',');

const source = new Source(ATS, TOKEN);
let database;

const TABLES = `
CREATE TABLE IF NOT EXISTS copied_items (resource text, id bigint, item json NOT NULL, PRIMARY KEY (resource, id));
CREATE TABLE IF NOT EXISTS copy_state (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  -- The token of the changes feed from which the copy continues after the snapshot.
  token text NOT NULL,
  -- The collections that the snapshot must still read, and the next page of the first one.
  pending text[] NOT NULL,
  next_page text
)`;

async function transaction(work) {
  await database.query('BEGIN');
  try {
    await work();
    await database.query('COMMIT');
  } catch (error) {
    await database.query('ROLLBACK');
    throw error;
  }
}

const store = (resource, item) =>
  database.query(
    `INSERT INTO copied_items (resource, id, item) VALUES ($1, $2, $3)
     ON CONFLICT (resource, id) DO UPDATE SET item = excluded.item`,
    [resource, item.id, JSON.stringify(item)],
  );
const remove = (resource, id) =>
  database.query('DELETE FROM copied_items WHERE resource = $1 AND id = $2', [resource, id]);

const state = async () => (await database.query('SELECT token, pending, next_page FROM copy_state')).rows[0];

/** Takes a token before the collections are read, so that the feed has all changes that happen during the reading. */
async function start() {
  const { next } = await source.changes({ since: 'now', resources: RESOURCES.join() });
  // Pages may be 5 seconds old when the service reads them from a replica.
  await new Promise((resolve) => setTimeout(resolve, Number(SETTLE_SECONDS) * 1_000));
  await transaction(async () => {
    await database.query('DELETE FROM copied_items');
    await database.query('DELETE FROM copy_state');
    await database.query('INSERT INTO copy_state (token, pending) VALUES ($1, $2)', [next, RESOURCES]);
  });
}

/** Stores one page of the snapshot, together with the address of the next one. */
async function snapshotPage({ pending: [resource, ...others], next_page }) {
  const { body, next } = await source.get(next_page ?? source.firstPage(resource));
  await transaction(async () => {
    for (const item of body) await store(resource, item);
    const rest = next ? [resource, ...others] : others;
    await database.query('UPDATE copy_state SET pending = $1, next_page = $2', [rest, next]);
  });
  console.log(`read ${body.length} ${resource}`);
}

/**
 * Applies one page of changes, and stores the token of the next page in the same transaction.
 * @returns false at the end of the feed
 */
async function applyChanges({ token }, wait) {
  const page = await source.changes({ since: token, wait: String(wait) });
  if (!page) {
    console.log('the token of the changes feed has expired: the copy starts over');
    await start();
    return true;
  }
  // The last change of each item is enough, because the item is read as it is now.
  const last = new Map(page.items.map((change) => [`${change.resource} ${change.id}`, change]));
  const read = async (change) => ({
    ...change,
    item: change.change === 'deleted' ? undefined : await source.item(change.url),
  });
  const found = await Promise.all([...last.values()].map(read));
  await transaction(async () => {
    for (const { resource, id, item } of found) await (item ? store(resource, item) : remove(resource, id));
    await database.query('UPDATE copy_state SET token = $1', [page.next]);
  });
  if (found.length > 0) console.log(`applied ${found.length} items`);
  return page.has_more || page.items.length > 0;
}

/** Does the next step of the copy. @returns false when there is nothing to do */
async function step(wait) {
  const current = await state();
  if (!current) await start();
  else if (current.pending.length > 0) await snapshotPage(current);
  else return applyChanges(current, wait);
  return true;
}

async function catchUp() {
  while (await step(0));
}

/** Compares all items. An item that changes meanwhile is left to the next comparison. */
async function verify() {
  await catchUp();
  const { token } = await state();
  const wrong = [];
  for (const resource of RESOURCES) {
    const { rows } = await database.query('SELECT id, item FROM copied_items WHERE resource = $1', [resource]);
    const copied = new Map(rows.map(({ id, item }) => [Number(id), item]));
    const current = new Map();
    for (let url = source.firstPage(resource); url; ) {
      const { body, next } = await source.get(url);
      for (const item of body) current.set(item.id, item);
      url = next;
    }
    wrong.push(...differences(resource, copied, current));
    console.log(`compared ${current.size} ${resource}`);
  }
  const changed = new Set();
  for (let since = token, more = true; more; ) {
    const page = await source.changes({ since });
    if (!page) throw new Error('the token of the changes feed has expired: run verify again');
    for (const { resource, id } of page.items) changed.add(`${resource} ${id}`);
    since = page.next;
    more = page.has_more;
  }
  const certain = wrong.filter(({ resource, id }) => !changed.has(`${resource} ${id}`));
  for (const { resource, id, what } of certain) console.log(`different: ${resource} ${id}: ${what}`);
  console.log(certain.length === 0 ? 'the copy is identical' : `the copy has ${certain.length} differences`);
  return certain.length === 0;
}

/** The code of PostgreSQL for a database that does not exist. */
const NO_DATABASE = '3D000';

/** Connects to the database for the copy, and creates it when it does not exist. */
async function connect() {
  const connectTo = async (url) => {
    const client = new pg.Client(url);
    await client.connect();
    return client;
  };
  try {
    return await connectTo(COPY_DATABASE_URL);
  } catch (error) {
    if (error.code !== NO_DATABASE) throw error;
  }
  const url = new URL(COPY_DATABASE_URL);
  const name = decodeURIComponent(url.pathname.slice(1));
  url.pathname = '/postgres';
  const server = await connectTo(url.href);
  await server.query(`CREATE DATABASE ${pg.escapeIdentifier(name)}`).finally(() => server.end());
  return connectTo(COPY_DATABASE_URL);
}

/** Ends the program with one line. */
function fail(text) {
  console.error(text);
  process.exit(2);
}

const commands = {
  follow: async () => {
    for (let isFollowing = false; ; ) {
      const isComplete = (await state())?.pending.length === 0;
      if (isComplete && !isFollowing) console.log('following');
      isFollowing = isComplete;
      await step(30);
    }
  },
  'catch-up': catchUp,
  verify: async () => {
    if (!(await verify())) process.exitCode = 1;
  },
};
const command = Object.hasOwn(commands, process.argv[2] ?? '') ? commands[process.argv[2]] : undefined;
if (!command) fail(`Name a command: ${Object.keys(commands).join(', ')}.`);
if (!COPY_DATABASE_URL) fail('Set COPY_DATABASE_URL to the address of the database for the copy.');
database = await connect().catch((error) =>
  fail(`The database at COPY_DATABASE_URL cannot be used: ${error.message || error.code}`),
);
try {
  await database.query(TABLES);
  await command();
} finally {
  await database.end();
}
