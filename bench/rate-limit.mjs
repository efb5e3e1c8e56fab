import { randomBytes } from 'node:crypto';
import { Pool } from 'undici';
import { sleep } from '../tools/services/processes.mjs';
import { processMeter } from './cpu.mjs';
import { judge, median, printTable } from './measure.mjs';
import { faultsOf, passedOf } from './rate-limit/windows.mjs';
import { createClient, withService } from './service.mjs';

export const projects = ['@ats/api'];

const REQUESTS = 24_000;
const WINDOW_S = 10;
/** Requests are sent at this multiple of the allowed rate. */
const TIMES = 4;
/** Accepted deviation from the limit of a window, as a share. */
const TOLERANCE = 0.02;
const CONNECTIONS = 64;

/** Both stages have the same total request rate, from one credential and from several. */
const STAGES = [
  { limit: 1_000, credentials: 1 },
  { limit: 250, credentials: 4 },
];

const COST_ROUNDS = 21;
const COST_REQUESTS = 400;
const COST_CONNECTIONS = 8;

/**
 * Checks that rate limits are exact: two API processes with one Redis get 24,000 requests at four times the limit. The
 * requests are evenly spread over time, and come first from one credential, then from four. Also measures the cost of
 * limits: the same requests go in turn to processes without limits, with high limits, and with an exhausted limit.
 * `--cost` and `--exact` run only one part.
 * @param {string[]} options
 */
export const run = (options) =>
  withService({ apps: [] }, async ({ start }) => {
    if (!options.includes('--cost')) for (const stage of STAGES) await measureStage(stage, start);
    if (!options.includes('--exact')) await measureCost(start);
  });

async function measureStage({ limit, credentials }, start) {
  const settings = { RATE_LIMIT: String(limit), RATE_LIMIT_WINDOW: String(WINDOW_S) };
  const apis = [await start(settings), await start(settings)];
  const tokens = await createTokens(await start({ RATE_LIMIT: '0' }), credentials);
  const pools = apis.map(({ port }) => new Pool(`http://127.0.0.1:${port}`, { connections: CONNECTIONS }));
  const answers = new Map(tokens.map((token) => [token, []]));
  const perSecond = (credentials * limit * TIMES) / WINDOW_S;
  await evenly(REQUESTS, perSecond, async (index) => {
    const token = tokens[index % tokens.length];
    answers.get(token).push(await ask(pools[Math.floor(index / tokens.length) % pools.length], token));
  });
  await Promise.all(pools.map((pool) => pool.close()));
  report({ limit, credentials, perSecond, answers: [...answers.values()] });
}

/** Starts work at even intervals, without waiting for earlier work. */
async function evenly(count, perSecond, work) {
  const startedAt = performance.now();
  const under = [];
  for (let index = 0; index < count; ) {
    const due = Math.min(count, ((performance.now() - startedAt) / 1_000) * perSecond);
    while (index < due) under.push(work(index++));
    await sleep(1);
  }
  await Promise.all(under);
}

async function ask(pool, token) {
  const sentAt = performance.now();
  const { statusCode, headers, body } = await pool.request({
    method: 'GET',
    path: '/api/v1/me',
    headers: { authorization: `Bearer ${token}` },
  });
  const text = await body.text();
  return { sentAt, at: performance.now(), status: statusCode, headers, body: text };
}

function report({ limit, credentials, perSecond, answers }) {
  const all = answers.flat();
  const promised = { limit, windowS: WINDOW_S };
  const windows = answers.flatMap((own) => passedOf(own, promised));
  const faults = answers.flatMap((own) => faultsOf(own, promised));
  const ratios = windows.map((count) => count / limit);
  const refused = all.filter(({ status }) => status === 429).length;
  console.log(
    `\n${all.length} requests of ${credentials === 1 ? 'one credential' : `${credentials} credentials`} ` +
      `to two processes, ${perSecond} a second, ${TIMES} times the limit of ${limit} in ${WINDOW_S} s: ` +
      `${all.length - refused} passed, ${refused} were 429`,
  );
  console.log(`requests that passed in each window, limit ${limit}: ${windows.join(' ')}`);
  if (faults.length > 0) console.log(`wrong answers, such as\n  ${[...new Set(faults)].slice(0, 5).join('\n  ')}`);
  const isKept = faults.length === 0 && ratios.every((ratio) => Math.abs(ratio - 1) <= TOLERANCE);
  judge(
    `each window lets the limit pass within ${TOLERANCE * 100} %, and refuses all other requests with 429`,
    isKept,
    `ratio ${Math.min(...ratios).toFixed(3)} to ${Math.max(...ratios).toFixed(3)}, ${faults.length} wrong answers`,
  );
}

/** Creates tokens of new credentials. */
async function createTokens({ environment }, count) {
  const client = createClient(environment);
  const name = randomBytes(4).toString('hex');
  const made = await Promise.all(
    Array.from({ length: count }, (_, index) =>
      client('POST', '/credentials', { name: `${name} ${index}`, scopes: ['*:read'] }),
    ),
  );
  return made.map(({ token }) => token);
}

const KINDS = {
  'no limits': { RATE_LIMIT: '0' },
  'limits that are never reached': { RATE_LIMIT: '1000000' },
  'all refused': { RATE_LIMIT: '1', RATE_LIMIT_WINDOW: '3600' },
};
const PATHS = { 'GET /me': '/api/v1/me', 'GET /vacancies': '/api/v1/vacancies' };

async function measureCost(start) {
  const rivals = [];
  for (const [name, settings] of Object.entries(KINDS)) {
    const api = await start(settings);
    rivals.push({
      name,
      pool: new Pool(`http://127.0.0.1:${api.port}`, { connections: COST_CONNECTIONS }),
      meter: processMeter(api.pid),
    });
    if (name === 'no limits') rivals.token = (await createTokens(api, 1))[0];
  }
  const rows = [['', 'requests a second', 'CPU of the API, ms', 'rate / without limits', 'CPU / without limits']];
  for (const [title, path] of Object.entries(PATHS)) {
    const rounds = rivals.map(() => []);
    for (let round = 0; round < COST_ROUNDS + 3; round++) {
      for (const [index, rival] of rivals.entries()) rounds[index].push(await measureRound(rival, path, rivals.token));
    }
    const settled = rounds.map((own) => own.slice(3));
    for (const [index, { name }] of rivals.entries()) {
      const ratio = (of) => median(settled[index].map((round, at) => of(round) / of(settled[0][at])));
      rows.push([
        `${title}, ${name}`,
        median(settled[index].map(({ rate }) => rate)).toFixed(0),
        median(settled[index].map(({ cpuMs }) => cpuMs)).toFixed(3),
        ratio(({ rate }) => rate).toFixed(2),
        ratio(({ cpuMs }) => cpuMs).toFixed(2),
      ]);
    }
  }
  await Promise.all(rivals.map(({ pool }) => pool.close()));
  console.log(
    `\ncost of limits: one process of each kind, ${COST_CONNECTIONS} connections, ` +
      `${COST_ROUNDS} rounds of ${COST_REQUESTS} requests in turn, medians`,
  );
  printTable(rows);
}

async function measureRound({ pool, meter }, path, token) {
  let left = COST_REQUESTS;
  const [startedAt, cpuBefore] = [performance.now(), meter()];
  const one = async () => {
    while (left-- > 0) {
      const { body } = await pool.request({ method: 'GET', path, headers: { authorization: `Bearer ${token}` } });
      await body.dump();
    }
  };
  await Promise.all(Array.from({ length: COST_CONNECTIONS }, one));
  return {
    rate: COST_REQUESTS / ((performance.now() - startedAt) / 1_000),
    cpuMs: (meter() - cpuBefore) / COST_REQUESTS,
  };
}
