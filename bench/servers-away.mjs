import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { freePort } from '../tools/services/ports.mjs';
import { median, printTable, quantile } from './measure.mjs';
import { startServers } from './servers-away/servers.mjs';
import { createApplication, createClient, createEnvironment, migrate, startApp } from './service.mjs';

export const projects = ['@ats/api'];

const ROUNDS = 60;
const REQUESTS = 20;
const AT_A_TIME = 4;
/**
 * Accepted ratios of times without Redis to times with Redis. Even without a fault, the times of two rounds differ by
 * up to this ratio.
 */
const LIMITS = { p50: 1.15, p99: 1.5 };
/**
 * Limits in ms: `stopped` is the time until each 503 when PostgreSQL is stopped. When PostgreSQL hangs, `first` is the
 * time until the first 503, and `known` the time until each later 503. `back` is the time until requests succeed again.
 */
const AWAY_LIMITS = { stopped: 1_000, first: 4_500, known: 1_000, back: 2_000 };

/**
 * Measures the API while Redis or PostgreSQL is stopped or hangs. For Redis it compares two API processes on one
 * database, one of them with a Redis that is always available. Rate limits are on, so that each request uses Redis. For
 * PostgreSQL it measures the time until requests are refused and until they succeed again. Exits with 1 when a figure
 * exceeds its limit.
 * @param {string[]} options `--rounds N` how often each of the two API processes is measured
 */
export async function run(options) {
  const rounds = Number(options[options.indexOf('--rounds') + 1] || ROUNDS) || ROUNDS;
  const servers = await startServers();
  const running = [];
  try {
    const common = {
      ...(await createEnvironment({
        TEST_DATABASE_URL: servers.postgres.started.url('postgres'),
        TEST_REDIS_URL: servers.steady.started.url,
      })),
      RATE_LIMIT: '1000000',
      LOG_LEVEL: 'fatal',
    };
    await migrate(common);
    const start = async (redis) => {
      const environment = { ...common, REDIS_URL: redis.started.url, PORT: String(await freePort()) };
      running.push(await startApp('api', environment));
      return { environment, pool: new Pool(`http://127.0.0.1:${environment.PORT}`, { connections: AT_A_TIME }) };
    };
    const sides = { steady: await start(servers.steady), broken: await start(servers.broken) };
    await createApplication(createClient(sides.steady.environment));
    const results = [
      ...(await measureRedis(servers, sides, rounds)),
      ...(await measurePostgres(servers, sides.steady)),
    ];
    if (results.some((isWell) => !isWell)) process.exitCode = 1;
    await Promise.all(Object.values(sides).map(({ pool }) => pool.close()));
  } finally {
    await Promise.all(running.map((app) => app.stop()));
    await servers.stop();
  }
}

async function ask({ environment, pool }, path = '/api/v1/applications?per_page=20') {
  const since = performance.now();
  const { statusCode, headers, body } = await pool.request({
    method: 'GET',
    path,
    headers: { authorization: `Bearer ${environment.BOOTSTRAP_TOKEN}` },
  });
  await body.arrayBuffer();
  return { status: statusCode, retryAfter: headers['retry-after'], ms: performance.now() - since };
}

async function round(side, count) {
  const answers = [];
  const work = async () => {
    while (answers.length < count) answers.push(await ask(side));
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, work));
  const wrong = answers.find(({ status }) => status !== 200);
  if (wrong) throw new Error(`a request was answered with the status ${wrong.status}, expected 200`);
  return answers.map(({ ms }) => ms);
}

/** Measures both API processes in turn, so that load of the machine affects both alike. */
async function measureRedis({ broken }, sides, rounds) {
  await compare(sides, 10); // warm-up
  const conditions = [
    ['running', () => undefined],
    ['stopped', async () => broken.end()],
    ['running again', async () => broken.start()],
    ['hanging', () => broken.freeze()],
  ];
  const times = ['p50 first, ms', 'p50 second', 'p99 first, ms', 'p99 second'];
  const ratioNames = ['ratio of p50', 'ratio of p99', `limits ${LIMITS.p50} and ${LIMITS.p99}`];
  const rows = [['state of the second Redis', ...times, ...ratioNames]];
  const results = [];
  for (const [name, begin] of conditions) {
    const goOn = await begin();
    await sleep(1_000); // Leaves out the time in which the API notices and logs the change of state.
    const { steady, broken: other } = await compare(sides, rounds);
    goOn?.();
    const pairs = [0.5, 0.99].map((share) => [quantile(steady, share), quantile(other, share)]);
    const ratios = pairs.map(([mine, others]) => others / mine);
    const isWell = ratios[0] <= LIMITS.p50 && ratios[1] <= LIMITS.p99;
    results.push(isWell);
    const figures = [...pairs.flat(), ...ratios];
    rows.push([name, ...figures.map((figure) => figure.toFixed(2)), isWell ? 'kept' : 'NOT KEPT']);
  }
  printTable(rows);
  console.log();
  return results;
}

async function compare(sides, rounds) {
  const times = { steady: [], broken: [] };
  for (let turn = 0; turn < rounds; turn++) {
    for (const name of turn % 2 ? ['steady', 'broken'] : ['broken', 'steady'])
      times[name].push(...(await round(sides[name], REQUESTS)));
  }
  return times;
}

async function measurePostgres({ postgres }, side) {
  const times = ['first 503, ms', 'median of later 503s, ms', 'slowest, ms', 'back after, ms'];
  const rows = [['PostgreSQL', ...times, 'limits']];
  const results = [];
  for (const [name, begin, limits] of [
    [
      'stopped',
      async () => (await postgres.end(), () => postgres.start()),
      { first: AWAY_LIMITS.stopped, known: AWAY_LIMITS.stopped },
    ],
    ['hanging', async () => postgres.freeze(), { first: AWAY_LIMITS.first, known: AWAY_LIMITS.known }],
  ]) {
    const end = await begin();
    const first = await refused(side);
    const then = [];
    for (let count = 0; count < 100; count++) then.push(await refused(side));
    await end();
    const since = performance.now();
    while ((await ask(side)).status !== 200) await sleep(10);
    const back = performance.now() - since;
    const slowest = Math.max(...then);
    const isWell = first <= limits.first && slowest <= limits.known && back <= AWAY_LIMITS.back;
    results.push(isWell);
    rows.push([
      name,
      ...[first, median(then), slowest, back].map((ms) => ms.toFixed(1)),
      `${limits.first}, ${limits.known}, ${AWAY_LIMITS.back}: ${isWell ? 'kept' : 'NOT KEPT'}`,
    ]);
  }
  printTable(rows);
  return results;
}

async function refused(side) {
  const { status, retryAfter, ms } = await ask(side);
  if (status !== 503 || !retryAfter)
    throw new Error(
      `a request was answered with the status ${status} and Retry-After ${retryAfter}, expected 503 with Retry-After`,
    );
  return ms;
}
