import pg from 'pg';
import { withDatabase } from './collections/database.mjs';
import { startApi } from './collections/servers.mjs';
import { postgresMeter } from './cpu.mjs';
import { judge, median, printTable, timed } from './measure.mjs';
import { DATABASE_USAGE, readOptions } from './options.mjs';
import { comparedCases, disjunctions } from './where/cases.mjs';

export const projects = ['@ats/api'];

const PARTS = ['search', 'sql'];
const usage = `${DATABASE_USAGE}, default 1000000
  --only          runs only some parts, of ${PARTS.join(', ')}
  --rounds        number of rounds that are measured, default 60`;
const MOST_OF_SEARCH = 1.1;
const MOST_OF_SQL = 3;
const PER_PAGE = 100;
const PATH = '/api/v1/applications';
/** Rounds before the measurement, in which code is compiled and plans are chosen. */
const WARM_UP_ROUNDS = 2;
/** Number of repetitions of a request in a round, after the request was sent for the first time. */
const REPEATS = 5;

/**
 * Makes two comparisons. The first compares conditions as `where` with the same conditions as `search`. The second
 * compares the SQL of expressions that use OR or NOT with SQL that a person would write. Exits with 1 when a target is
 * missed.
 * @param {string[]} args
 */
export function run(args) {
  const defaults = { database: undefined, applications: 1_000_000, only: PARTS, rounds: 60 };
  const { rounds, only, ...options } = readOptions('where', usage, defaults, args);
  return withDatabase(options, async (database, open) => {
    const found = await findValues(database);
    if (only.includes('search')) await compareSearch(database, open, { cases: comparedCases(found), rounds });
    if (only.includes('sql')) await compareSql(database, { cases: disjunctions(found), rounds });
  });
}

/**
 * Compares requests with `where` to requests with `search`. Each side has its own API. In one API, equal statements
 * would share its caches, so that the second side would cost less.
 */
async function compareSearch(database, open, { cases, rounds }) {
  const apis = { where: await open(startApi(database)), search: await open(startApi(database)) };
  const postgres = postgresMeter(database.backendPid);
  const send = async (side, path) => {
    const { headers, text } = await apis[side].client.get(path);
    return { total: headers['x-total-count'], ids: idsIn(text) };
  };
  const meterOf = (side) => () => apis[side].nodeMeter() + postgres();
  const compared = cases.map(({ title, search, where, values, sort }) => {
    const pathOf = (parameters) =>
      `${PATH}?${new URLSearchParams([...parameters, ...(sort ? [['sort', sort]] : [])]).toString()}`;
    const requests = values.map((value) => ({
      where: pathOf([['where', where.replaceAll('{}', value)]]),
      search: pathOf(search.map((text) => ['search', text.replaceAll('{}', value)])),
    }));
    return {
      title,
      turns: values.length,
      sides: ['where', 'search'],
      async measure(side, turn) {
        const path = requests[turn][side];
        // Commits a transaction, which makes the counts in the cache of the API out of date.
        await database.query('SELECT pg_current_xact_id()');
        let answer;
        const counted = await cost(meterOf(side), async () => (answer = await send(side, path)));
        const again = await cost(meterOf(side), async () => {
          for (let repeat = 0; repeat < REPEATS; repeat++) await send(side, path);
        });
        return { answer, costs: { counted, again: { ms: again.ms / REPEATS, cpuMs: again.cpuMs / REPEATS } } };
      },
    };
  });
  const results = await compareInRounds(compared, rounds);
  for (const kind of ['counted', 'again']) {
    console.log(`\n${KINDS[kind]}`);
    report(results, { kind, most: MOST_OF_SEARCH });
  }
}

const KINDS = {
  counted: 'A page and its count; the API has cached neither:',
  again: 'The same request again; the API may have cached the count:',
  statements: 'The ids of a page and the count, as statements:',
};

const idsIn = (text) =>
  JSON.parse(text)
    .map(({ id }) => id)
    .join();

async function compareSql(database, { cases, rounds }) {
  const client = new pg.Client({ connectionString: database.url, application_name: 'bench where' });
  await client.connect();
  try {
    const meter = postgresMeter(database.backendPid);
    const compared = [];
    for (const { title, where, sql } of cases) {
      const condition = `a.app_type = 'vacancy_application' AND (${sql})`;
      const byHand = [
        { text: `SELECT a.id FROM applications a WHERE ${condition} ORDER BY a.id LIMIT ${PER_PAGE + 1}` },
        { text: `SELECT count(*)::integer AS total FROM applications a WHERE ${condition}` },
      ];
      const statements = { where: await compiled(client, where), sql: byHand };
      const measure = async (side) => {
        const answers = [];
        const cpu = await cost(meter, async () => {
          for (const { text, parameters } of statements[side])
            answers.push((await client.query(text, parameters)).rows);
        });
        const [keys, [{ total }]] = answers;
        return { answer: { total: Number(total), ids: keys.map(({ id }) => id).join() }, costs: { statements: cpu } };
      };
      compared.push({ title, turns: 1, sides: ['where', 'sql'], measure });
    }
    const results = await compareInRounds(compared, rounds);
    console.log(`\n${KINDS.statements}`);
    report(results, { kind: 'statements', most: MOST_OF_SQL });
  } finally {
    await client.end();
  }
}

/** Returns two statements that the API runs: one reads the ids of the first page, the other counts all items. */
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
 * @typedef {object} Compared two sides that must give the same answers
 * @property {string} title
 * @property {[string, string]} sides
 * @property {number} turns  number of different requests
 * @property {(side: string, turn: number) => Promise<{ answer: Answer, costs: Record<string, Cost> }>} measure
 */

/** @typedef {{ total?: unknown, ids: string }} Answer  the API leaves out a total that takes more than two seconds */

/** @typedef {{ ms: number, cpuMs: number }} Cost  the wall time, and the processor time of all processes involved */

/**
 * Measures all comparisons in every round, so that a disturbance of some seconds affects few rounds of a comparison. In
 * each round, a comparison sends one of its requests to both sides. The side that gets the request first alternates
 * from request to request, and also when the same request is sent again in a later round.
 * @param {Compared[]} compared
 * @param {number} rounds
 */
async function compareInRounds(compared, rounds) {
  const results = compared.map(({ title, sides }) => ({ title, sides, pairs: [] }));
  for (let round = -WARM_UP_ROUNDS; round < rounds; round++) {
    for (const [index, { title, turns, sides, measure }] of compared.entries()) {
      const turn = (round + WARM_UP_ROUNDS) % turns;
      const pass = Math.floor((round + WARM_UP_ROUNDS) / turns);
      const pair = {};
      for (const side of (turn + pass) % 2 === 0 ? sides : sides.toReversed()) pair[side] = await measure(side, turn);
      const [one, other] = sides.map((side) => pair[side].answer);
      const hasTotals = one.total !== undefined && other.total !== undefined;
      if (one.ids !== other.ids || (hasTotals && one.total !== other.total))
        throw new Error(`${title}, round ${round}: the sides differ: ${JSON.stringify([one, other]).slice(0, 400)}`);
      if (round >= 0) results[index].pairs.push(sides.map((side) => pair[side].costs));
    }
  }
  return results;
}

/** Measures asynchronous work. @returns {Promise<Cost>} */
async function cost(meter, work) {
  const before = meter();
  const ms = await timed(work);
  return { ms, cpuMs: meter() - before };
}

/** Prints a table. Judges the ratio of processor time, because other work on the machine disturbs this ratio least. */
function report(results, { kind, most }) {
  const rows = [];
  for (const { title, sides, pairs } of results) {
    const [left, right] = [0, 1].map((side) => pairs.map((pair) => pair[side][kind]));
    const ratioOf = (unit) => median(left.map((one, index) => one[unit] / right[index][unit]));
    const [cpu, wall] = [ratioOf('cpuMs'), ratioOf('ms')];
    const ratio = Number.isNaN(cpu) ? wall : cpu;
    const isMet = judge(`${title}: at most ${most} times`, ratio <= most, ratio.toFixed(2));
    const figures = [left, right].flatMap((side) => [
      median(side.map(({ cpuMs }) => cpuMs)),
      median(side.map(({ ms }) => ms)),
    ]);
    if (rows.length === 0)
      rows.push(['', ...sides.flatMap((side) => [`${side} CPU ms`, 'ms']), 'ratio CPU', 'ratio ms', 'target']);
    rows.push([
      title,
      ...figures.map((ms) => ms.toFixed(1)),
      cpu.toFixed(2),
      wall.toFixed(2),
      isMet ? 'met' : 'MISSED',
    ]);
  }
  printTable(rows);
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
