import pg from 'pg';
import { withDatabase } from './collections/database.mjs';
import { startApi } from './collections/servers.mjs';
import { judge, median, printTable, timed } from './measure.mjs';
import { DATABASE_USAGE, readOptions } from './options.mjs';
import { comparedCases, disjunctions } from './where/cases.mjs';

export const projects = ['@ats/api'];

const PARTS = ['search', 'sql'];
const usage = `${DATABASE_USAGE}, default 1000000
  --only          runs only some parts, of ${PARTS.join(', ')}
  --seconds       seconds for each comparison, default 5`;
const MOST_OF_SEARCH = 1.1;
const MOST_OF_SQL = 3;
const PER_PAGE = 100;
const PATH = '/api/v1/applications';
/** A case is repeated at least this often, so that one slow request does not decide. */
const LEAST_TURNS = 12;

/**
 * Compares `where` with the same condition as `search`, at the same API, and the SQL of expressions with OR and NOT with
 * SQL that a person would write. Exits with 1 when a target is missed.
 * @param {string[]} args
 */
export function run(args) {
  const defaults = { database: undefined, applications: 1_000_000, only: PARTS, seconds: 5 };
  const { seconds, only, ...options } = readOptions('where', usage, defaults, args);
  return withDatabase(options, async (database, open) => {
    const found = await findValues(database);
    if (only.includes('search')) await compareSearch(await open(startApi(database)), comparedCases(found), seconds);
    if (only.includes('sql')) await compareSql(database, disjunctions(found), seconds);
  });
}

async function compareSearch({ client }, cases, seconds) {
  const rows = [['', 'where ms', 'search ms', 'ratio', 'target']];
  for (const { title, search, where, values, sort } of cases) {
    const pathOf = (parameters) =>
      `${PATH}?${new URLSearchParams([...parameters, ...(sort ? [['sort', sort]] : [])]).toString()}`;
    const requests = values.map((value) => ({
      where: pathOf([['where', where.replaceAll('{}', value)]]),
      search: pathOf(search.map((text) => ['search', text.replaceAll('{}', value)])),
    }));
    const times = await alternate(
      seconds,
      async (side, turn) => {
        const { headers, text } = await client.get(requests[turn % requests.length][side]);
        return `${headers['x-total-count']} ${idsIn(text)}`;
      },
      ['where', 'search'],
    );
    report(rows, title, times, MOST_OF_SEARCH);
  }
  printTable(rows);
}

const idsIn = (text) =>
  JSON.parse(text)
    .map(({ id }) => id)
    .join();

async function compareSql({ url }, cases, seconds) {
  const rows = [['', 'where ms', 'SQL ms', 'ratio', 'target']];
  const client = new pg.Client({ connectionString: url, application_name: 'bench where' });
  await client.connect();
  try {
    for (const { title, where, sql } of cases) {
      const condition = `a.app_type = 'vacancy_application' AND (${sql})`;
      const byHand = [
        { text: `SELECT a.id FROM applications a WHERE ${condition} ORDER BY a.id LIMIT ${PER_PAGE + 1}` },
        { text: `SELECT count(*)::integer AS total FROM applications a WHERE ${condition}` },
      ];
      const statements = { where: await compiled(client, where), sql: byHand };
      const times = await alternate(
        seconds,
        async (side) => {
          const answers = [];
          for (const { text, parameters } of statements[side])
            answers.push((await client.query(text, parameters)).rows);
          const [keys, [{ total }]] = answers;
          return `${total} ${keys.map(({ id }) => id).join()}`;
        },
        ['where', 'sql'],
      );
      report(rows, title, times, MOST_OF_SQL);
    }
  } finally {
    await client.end();
  }
  printTable(rows);
}

/** Returns the statements that the API runs for the ids of the first page and for the count. */
async function compiled(client, where) {
  const { applications, collectionStatements, PlanChoice, subjectForTexts } = await import('@ats/domain');
  const { readCollectionQuery } = await import('@ats/search-query');
  const run = async (text, parameters) => (await client.query(text, parameters)).rows;
  const query = readCollectionQuery(await subjectForTexts(run, applications.type, [], { where }), { where });
  if (query.violations) throw new Error(`${where}: ${JSON.stringify(query.violations)}`);
  const settings = { baseUrl: 'https://ats.example', language: 'en' };
  const statements = collectionStatements(applications, settings);
  const lookups = statements.lookups({ query });
  const looked = lookups && lookups.read(Object.values((await run(lookups.text, lookups.parameters))[0]));
  const request = { query, limit: PER_PAGE, lookups: looked };
  const [walk, all] = [statements.keys(request), statements.count(request)];
  const reads = { query: ({ text, parameters }) => run(text, parameters) };
  const matchFirst = await new PlanChoice().matchesFirst(reads, { walk, all, condition: query.condition });
  return [statements.keys({ ...request, matchFirst }), all];
}

/**
 * Runs two sides in turn. The side that comes first changes with each turn.
 * @param {(side: string, turn: number) => Promise<string>} work  returns the answer; both sides must return the same
 */
async function alternate(seconds, work, sides) {
  const times = Object.fromEntries(sides.map((side) => [side, []]));
  const start = performance.now();
  for (let turn = 0; turn < LEAST_TURNS || performance.now() - start < seconds * 1000; turn++) {
    const answers = {};
    for (const side of turn % 2 === 0 ? sides : sides.toReversed())
      times[side].push(await timed(async () => (answers[side] = await work(side, turn))));
    const [one, other] = sides;
    if (answers[one] !== answers[other])
      throw new Error(
        `turn ${turn}: ${one} and ${other} differ: ${answers[one].slice(0, 200)} / ${answers[other].slice(0, 200)}`,
      );
  }
  return times;
}

function report(rows, title, times, most) {
  const [left, right] = Object.values(times);
  const ratio = median(left.map((one, index) => one / right[index]));
  const isMet = judge(`${title}: at most ${most} times`, ratio <= most, ratio.toFixed(2));
  rows.push([title, median(left).toFixed(1), median(right).toFixed(1), ratio.toFixed(2), isMet ? 'met' : 'MISSED']);
}

/** Finds values that occur in the database. */
async function findValues({ query }) {
  const [{ dates }] = await query(
    `SELECT percentile_disc(ARRAY[0.99, 0.97, 0.9]) WITHIN GROUP (ORDER BY created_dt)::date[]::text[] AS dates FROM applications WHERE app_type = 'vacancy_application'`,
  );
  const listed = async (column) =>
    (
      await query(
        `SELECT ${column}::text AS value FROM applications WHERE app_type = 'vacancy_application' AND ${column} IS NOT NULL GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT 5`,
      )
    ).map(({ value }) => value);
  const sample = await query(
    `SELECT id::text FROM applications WHERE app_type = 'vacancy_application' AND id % 9973 = 0 ORDER BY id LIMIT 8`,
  );
  return {
    dates,
    sources: await listed('source'),
    ids: sample.map(({ id }) => id),
    opportunities: await listed('opportunity_id'),
  };
}
