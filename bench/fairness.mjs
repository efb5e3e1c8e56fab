import { randomBytes } from 'node:crypto';
import { loadavg } from 'node:os';
import { Pool } from 'undici';
import { sleep } from '../tools/services/processes.mjs';
import { withDatabase } from './collections/database.mjs';
import { startApi } from './collections/servers.mjs';
import { createAttack } from './fairness/attack.mjs';
import { judge, median, printTable, quantile, sum } from './measure.mjs';
import { DATABASE_USAGE, readOptions } from './options.mjs';

export const projects = ['@ats/api'];

/** The p99 of the page of another credential may grow by this factor. */
const LIMIT = 2;
const PAGE = '/api/v1/applications?per_page=100';
/** Number of credentials that read in turn, so that none exceeds its rate limit. */
const READERS = 12;
const PAUSE_MS = 15;
/** The concurrency limit of the attacking credential. */
const ATTACKERS = 50;
const SETTLE_MS = 1_000;

const usage = `${DATABASE_USAGE}, default 2400
  --rounds        rounds with and without the expensive requests, default 4
  --seconds       length of a round, default 20
  --unlimited     the same without the share of connections, database time and bytes`;

/**
 * Measures the page of 100 of one client while one other credential sends the most expensive legal requests: as many at
 * once as its limits admit, and each request again a second after a 429. Rounds with and without these requests
 * alternate. Exits with 1 when the p99 of the page more than doubles.
 * @param {string[]} args
 */
export function run(args) {
  const defaults = { database: undefined, applications: 2_400, rounds: 4, seconds: 20, unlimited: false };
  const { rounds, seconds, unlimited, ...options } = readOptions('fairness', usage, defaults, args);
  return withDatabase(options, async (database, open) => {
    const setUp = await open(startApi(database, { name: 'set-up' }));
    const attack = await createAttack(setUp.client);
    const [attacker, ...readers] = await createTokens(setUp.client, READERS + 1);
    const off = { READ_CONNECTIONS_LIMIT: '0', DATABASE_TIME_LIMIT: '0', RESPONSE_SIZE_LIMIT: '0' };
    const settings = { RATE_LIMIT: '50', LOG_LEVEL: 'fatal', ...chosen(process.env), ...(unlimited && off) };
    const { client } = await open(startApi(database, { settings }));
    await measure(client.origin, { attack, attacker, readers, rounds, seconds });
  });
}

/** Returns the variables of the environment whose names end with `_LIMIT`. */
const chosen = (environment) =>
  Object.fromEntries(Object.entries(environment).filter(([name]) => /^[A-Z_]+_LIMIT$/.test(name)));

async function createTokens(client, count) {
  const name = randomBytes(4).toString('hex');
  const made = await Promise.all(
    Array.from({ length: count }, (_, index) =>
      client.send('POST', '/api/v1/credentials', { name: `${name} ${index}`, scopes: ['*:read'] }),
    ),
  );
  return made.map(({ text }) => JSON.parse(text).token);
}

async function measure(origin, { attack, attacker, readers, rounds, seconds }) {
  const pool = new Pool(origin, { connections: 2 });
  const quiet = [];
  const busy = [];
  const answers = new Map();
  await read(pool, readers, 3_000);
  for (let round = 0; round < rounds; round++) {
    quiet.push(await read(pool, readers, seconds * 1_000));
    const stop = startAttack(origin, { attack, token: attacker, answers });
    busy.push(await read(pool, readers, seconds * 1_000));
    await stop();
    await sleep(SETTLE_MS);
  }
  await pool.close();
  report({ quiet, busy, answers, seconds });
}

/** Reads pages for some time. @returns {Promise<{ times: number[], failures: number }>} times in ms */
async function read(pool, tokens, ms) {
  const times = [];
  let failures = 0;
  for (const end = performance.now() + ms; performance.now() < end; await sleep(PAUSE_MS)) {
    const began = performance.now();
    const { status } = await get(pool, PAGE, tokens[times.length % tokens.length]);
    times.push(performance.now() - began);
    if (status !== 200) failures += 1;
  }
  return { times, failures };
}

async function get(pool, path, token) {
  const { statusCode, headers, body } = await pool.request({
    method: 'GET',
    path,
    headers: { authorization: `Bearer ${token}` },
  });
  if (statusCode === 429) return { status: statusCode, headers, limit: JSON.parse(await body.text()).limit };
  await body.dump({ limit: Infinity });
  return { status: statusCode, headers, limit: undefined };
}

/** Sends the requests in turn until the returned function is called. Counts the answers by status and limit. */
function startAttack(origin, { attack, token, answers }) {
  const pool = new Pool(origin, { connections: ATTACKERS });
  let isOn = true;
  let sent = 0;
  const one = async () => {
    while (isOn) {
      const { title, path } = attack[sent++ % attack.length];
      const { status, headers, limit } = await get(pool, path, token);
      const result = limit === undefined ? String(status) : `429 ${limit}`;
      const counts = answers.get(title) ?? new Map();
      answers.set(title, counts.set(result, (counts.get(result) ?? 0) + 1));
      if (status === 429) await sleep(Math.min(1, Number(headers['retry-after'])) * 1_000);
    }
  };
  const all = Promise.all(Array.from({ length: ATTACKERS }, one));
  return async () => {
    isOn = false;
    await all;
    await pool.close();
  };
}

function report({ quiet, busy, answers, seconds }) {
  console.log(`load ${loadavg()[0].toFixed(1)}; rounds of ${seconds} s`);
  for (const [title, counts] of answers)
    console.log(`${title}: ${[...counts].map(([result, count]) => `${result} ${count} times`).join(', ')}`);
  const timesOf = (all) => all.flatMap(({ times }) => times);
  const rowOf = (title, all) => [
    title,
    ...[0.5, 0.9, 0.99, 1].map((share) => quantile(timesOf(all), share).toFixed(1)),
    String(timesOf(all).length),
    String(sum(all.map(({ failures }) => failures))),
  ];
  printTable([
    ['page of 100, ms', 'p50', 'p90', 'p99', 'max', 'pages', 'not 200'],
    rowOf('alone', quiet),
    rowOf('beside expensive requests', busy),
  ]);
  const p99 = (all) => quantile(timesOf(all), 0.99);
  const ratio = p99(busy) / p99(quiet);
  const perRound = busy.map((one, round) => p99([one]) / p99([quiet[round]]));
  judge(
    `the p99 of the page grows by a factor of at most ${LIMIT}`,
    ratio <= LIMIT && busy.every(({ failures }) => failures === 0),
    `${ratio.toFixed(2)}; by round ${perRound.map((one) => one.toFixed(2)).join(' ')}, median ${median(perRound).toFixed(2)}`,
  );
}
