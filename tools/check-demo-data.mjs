// @ts-check
/**
 * Checks that the demo data is consistent and deterministic: `npm run with-services -- node tools/check-demo-data.mjs`
 * after `npm run build`. Seeds databases of its own on the server of TEST_DATABASE_URL, and drops them again. Prints
 * one line for each rule.
 */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import pg from 'pg';
import { preparation, rules } from './demo-data/rules.mjs';
import { PlainError, root } from './workspace.mjs';

const tables = [
  'users',
  'candidate_emails',
  'candidate_addresses',
  'candidate_phones',
  'candidate_urls',
  'opportunities',
  'job_boards',
  'postings',
  'applications',
  'history_entries',
  'forms',
  'form_sections',
  'form_items',
  'form_options',
  'application_form_values',
  'opportunity_form_values',
  'message_templates',
  'communications',
];
const LARGE = 50_000;
let failed = 0;
let passed = 0;

/**
 * Prints and counts the result of one rule.
 * @param {string} rule
 * @param {boolean} holds
 * @param {string} [found]
 */
function tell(rule, holds, found = '') {
  console.log(`${holds ? 'ok     ' : 'FAILED '} ${rule}${holds || !found ? '' : `: ${found}`}`);
  if (holds) passed++;
  else failed++;
}

/**
 * Runs a script with Node.
 * @param {string} script
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} environment
 * @returns {Promise<{ ok: boolean, output: string }>}
 */
function run(script, args, environment) {
  return new Promise((resolve) => {
    const env = { ...process.env, DATABASE_URL: '', ...environment };
    execFile(process.execPath, [join(root, script), ...args], { cwd: root, env }, (error, stdout, stderr) =>
      resolve({ ok: !error, output: `${stdout}${stderr}`.trim() }),
    );
  });
}

const admin = process.env.TEST_DATABASE_URL;
if (!admin) {
  console.error('TEST_DATABASE_URL is not set. Run: npm run with-services -- node tools/check-demo-data.mjs');
  process.exit(2);
}
const prefix = `demo_check_${randomBytes(4).toString('hex')}`;
/** @type {string[]} */
const made = [];

/**
 * Runs a statement in the database of TEST_DATABASE_URL, such as `CREATE DATABASE`.
 * @param {string} text @param {unknown[]} [values]
 */
const onServer = (text, values) => withClient(/** @type {string} */ (admin), (client) => client.query(text, values));

/**
 * Connects to a database, runs `work`, and closes the connection.
 * @template T
 * @param {string} url
 * @param {(client: pg.Client) => Promise<T>} work
 */
async function withClient(url, work) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/**
 * Creates a database and migrates it.
 * @param {string} name
 * @param {NodeJS.ProcessEnv | null} migration environment of `migrate`; null leaves the database without tables
 */
async function newDatabase(name, migration = {}) {
  const database = `${prefix}_${name}`;
  await onServer(`CREATE DATABASE ${database}`);
  made.push(database);
  const url = new URL(/** @type {string} */ (admin));
  url.pathname = `/${database}`;
  if (migration) {
    const { ok, output } = await run('libs/domain/dist/cli/migrate.js', [], { DATABASE_URL: url.href, ...migration });
    if (!ok) throw new PlainError(output);
  }
  return url.href;
}

/** Returns the row count and checksum of the seeded rows of each table. @param {string} url */
const checksums = (url) =>
  withClient(url, async (client) => {
    await client.query(`SET TimeZone = 'UTC'`);
    const sums = [];
    for (const table of tables) {
      const id = table.endsWith('_values') ? 'owner_id' : 'id';
      const { rows } = await client.query(
        `SELECT count(*)::integer AS count, md5(string_agg(md5(t::text), '' ORDER BY ${id}, t::text)) AS sum FROM ${table} t WHERE ${id} > 1000`,
      );
      sums.push(`${table} ${rows[0].count} ${rows[0].sum}`);
    }
    return sums.join('\n');
  });

/** Returns the definitions of all indexes and constraints. @param {string} url */
const definitions = (url) =>
  withClient(url, async (client) => {
    const { rows } = await client.query(`SELECT indexdef AS definition FROM pg_indexes WHERE schemaname = 'public'
      UNION ALL SELECT conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) || convalidated FROM pg_constraint WHERE connamespace = 'public'::regnamespace ORDER BY 1`);
    return rows.map(({ definition }) => definition).join('\n');
  });

/**
 * Checks all rules of the demo data in one database.
 * @param {string} url @param {string} about
 */
async function checkRules(url, about) {
  await withClient(url, async (client) => {
    await client.query(`SET TimeZone = 'UTC'`);
    await client.query(preparation);
    for (const { says, breaks } of rules) {
      const { rows } = await client.query(`SELECT * FROM (${breaks}) broken LIMIT 5`);
      tell(`${says}${about}`, rows.length === 0, rows.map((row) => Object.values(row).join(' ')).join(', '));
    }
  });
}

/**
 * Breaks each rule on purpose, and checks that the rule finds a broken row. A rule that finds no broken row would prove
 * nothing.
 * @param {string} url
 */
async function checkThatRulesBite(url) {
  /** @type {string[]} */
  const toothless = [];
  await withClient(url, async (client) => {
    for (const { says, spoil, breaks } of rules) {
      await client.query(`BEGIN; SET LOCAL TimeZone = 'UTC'; ${spoil}; ${preparation}`);
      const { rowCount } = await client.query(`SELECT * FROM (${breaks}) broken LIMIT 1`);
      await client.query('ROLLBACK');
      if (rowCount === 0) toothless.push(says);
    }
  });
  tell('every rule finds rows that break it', toothless.length === 0, toothless.join('; '));
}

/** Checks that new rows get ids that the demo data does not use. @param {string} url */
async function checkSequences(url) {
  await withClient(url, async (client) => {
    await client.query('BEGIN');
    const insert = async (/** @type {string} */ text) =>
      Number((await client.query(`${text} RETURNING id`)).rows[0].id);
    const user = await insert(
      `INSERT INTO users (type, firstname, lastname, email) VALUES ('candidate', 'a', 'b', 'c@d.test')`,
    );
    const opportunity = await insert(
      `INSERT INTO opportunities (kind, title, state_id, process_id) SELECT 'vacancy', 'x', s.id, 1 FROM states s WHERE state = 'open'`,
    );
    await insert(`INSERT INTO job_boards (name, code) VALUES ('a', 'b')`);
    await insert(`INSERT INTO postings (title, job_board_id, vacancy_id) VALUES ('a', 1001, ${opportunity})`);
    await insert(
      `INSERT INTO applications (app_type, opportunity_id, user_id, state_id) VALUES ('vacancy_application', ${opportunity}, ${user}, 101)`,
    );
    await insert(
      `INSERT INTO history_entries (subject_type, subject_id, type) VALUES ('candidate', ${user}, 'created')`,
    );
    await insert(`INSERT INTO forms (name, resource) VALUES ('a', 'applications')`);
    await insert(`INSERT INTO message_templates (name, subject, body, body_plain) VALUES ('a', 'b', 'c', 'c')`);
    await insert(
      `INSERT INTO communications (type, body, body_plain, user_id, author_id) VALUES ('note', 'a', 'a', ${user}, 1001)`,
    );
    await insert(
      `INSERT INTO candidate_emails (user_id, position, label, address) VALUES (${user}, 0, 'primary', 'c@d.test')`,
    );
    await client.query('ROLLBACK');
  }).then(
    () => tell('new rows get ids above those of the demo data', true),
    (error) => tell('new rows get ids above those of the demo data', false, error.message),
  );
}

async function checkDefault() {
  const token = `ats_${'c'.repeat(12)}_${'x'.repeat(43)}`;
  const first = await newDatabase('first', { BOOTSTRAP_TOKEN: token });
  const second = await newDatabase('second');
  const runs = [
    await run('tools/seed.mjs', [], { DATABASE_URL: first }),
    await run('tools/seed.mjs', ['--if-empty'], { DATABASE_URL: second, TZ: 'Asia/Kolkata', LC_ALL: 'tr_TR.UTF-8' }),
  ];
  tell(
    'the default seed succeeds',
    runs.every(({ ok }) => ok),
    runs.map(({ output }) => output).join('\n'),
  );
  const sums = await checksums(first);
  tell(
    'two seeds are equal, with and without a first credential and in another time zone',
    sums === (await checksums(second)),
  );
  await checkRules(first, '');
  await checkThatRulesBite(first);
  await checkSequences(first);
  const again = await run('tools/seed.mjs', [], { DATABASE_URL: first });
  tell(
    'a second seed prints one line and changes nothing',
    again.ok && /^[^\n]*already[^\n]*$/.test(again.output) && sums === (await checksums(first)),
    again.output,
  );
}

async function checkLarge() {
  const large = await newDatabase('large');
  const before = await definitions(large);
  const { ok, output } = await run('tools/seed.mjs', ['--applications', String(LARGE)], { DATABASE_URL: large });
  tell(`${LARGE} applications are seeded`, ok, output);
  const { rows } = await withClient(large, (client) =>
    client.query(`SELECT count(*)::integer AS count FROM applications WHERE app_type = 'vacancy_application'`),
  );
  tell('the number of applications is exactly as requested', rows[0].count === LARGE, String(rows[0].count));
  tell('indexes and foreign keys are restored unchanged', before === (await definitions(large)));
  await checkRules(large, ' (large)');
}

async function checkMistakes() {
  const without = await run('tools/seed.mjs', [], {});
  tell(
    'a missing DATABASE_URL is reported by name',
    !without.ok && /^wrong environment:\n  DATABASE_URL: is required but not set$/.test(without.output),
    without.output,
  );
  const bare = await run('tools/seed.mjs', [], { DATABASE_URL: await newDatabase('bare', null) });
  tell(
    'missing migrations are reported in one line',
    !bare.ok && /^[^\n]*run npm run migrate first[^\n]*$/.test(bare.output),
    bare.output,
  );
  const taken = await newDatabase('taken');
  await withClient(taken, (client) => client.query(`INSERT INTO job_boards (name, code) VALUES ('a', 'career-site')`));
  const half = await run('tools/seed.mjs', [], { DATABASE_URL: taken });
  const { rows } = await withClient(taken, (client) => client.query('SELECT count(*)::integer AS count FROM users'));
  tell('a failed seed leaves no rows', !half.ok && rows[0].count === 0, half.output);
  const own = await newDatabase('own');
  await withClient(own, (client) =>
    client.query(`INSERT INTO users (type, firstname, lastname, email) VALUES ('candidate', 'a', 'b', 'c@d.test')`),
  );
  const kept = await run('tools/seed.mjs', ['--if-empty'], { DATABASE_URL: own });
  const users = await withClient(own, (client) => client.query('SELECT count(*)::integer AS count FROM users'));
  tell('--if-empty does not change a database with other data', kept.ok && users.rows[0].count === 1, kept.output);
  const wrong = await run('tools/seed.mjs', ['--applications', '1e9'], { DATABASE_URL: own });
  tell(
    'an invalid number is reported with the usage',
    !wrong.ok && /must be a whole number/.test(wrong.output),
    wrong.output,
  );
}

try {
  await checkDefault();
  await checkLarge();
  await checkMistakes();
} finally {
  for (const database of made) await onServer(`DROP DATABASE ${database} WITH (FORCE)`);
}
console.log(`Demo data: ${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
