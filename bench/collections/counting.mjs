import { sleep } from '../../tools/services/processes.mjs';
import { judge } from '../measure.mjs';
import { CountLedger } from './count-ledger.mjs';
import { duel } from './duel.mjs';
import { CONDITIONS, valuesOf } from './limit-statements.mjs';
import { findPlaces, Writers } from './writers.mjs';

const AIM = 0.9;
const CHECKED = 50;
const PATH = '/api/v1/applications';
const MAX_SETTLING_MS = 10_000;

/**
 * Measures the cost of `last` and `X-Total-Count` on the first page, with and without concurrent writes, and checks the
 * counts.
 * @param {object} parts
 * @param {import('./servers.mjs').Server} parts.api
 * @param {import('./servers.mjs').Server} parts.uncounted the same API without counts
 * @param {import('./workloads.mjs').Workload[]} parts.workloads the queries whose counts are checked
 */
export async function compareCounting({ database, api, uncounted, workloads, ...options }) {
  const pathOf = () => PATH;
  await assertUncounted(uncounted);
  await assertCounts(api, workloads, database);
  const quiet = await duel(
    [
      { ...api, pathOf },
      { ...uncounted, pathOf },
    ],
    [PATH],
    options,
  );
  judge(`counting, without writes: at least ${AIM} of the page without counts`, quiet.ratio >= AIM, described(quiet));

  const ledger = new CountLedger(await trueCount(database, 'w1', []));
  const writers = new Writers({ token: database.tokens.writer, places: await findPlaces(database), ledger });
  const age = { ms: 0, missing: 0, stale: 0, answers: 0 };
  const onAnswer = (headers, sentAt) => observe(age, ledger.judge(Number(headers['x-total-count']), sentAt));
  const sides = [
    { ...api, pathOf, onAnswer, onTurn: () => writers.turnTo(api.client.origin) },
    { ...uncounted, pathOf, onTurn: () => writers.turnTo(uncounted.client.origin) },
  ];
  writers.turnTo(api.client.origin);
  writers.start();
  const startedAt = performance.now();
  const written = await duel(sides, [PATH], options).finally(() => writers.stop());
  const rate = (writers.count / (performance.now() - startedAt)) * 1000;
  judge(
    `counting, with ${rate.toFixed(0)} writes/s: at least ${AIM} of the page without counts`,
    written.ratio >= AIM,
    described(written),
  );
  console.log(
    `counts during writes: ${age.stale} of ${age.answers} were outdated, the oldest by ${age.ms.toFixed(0)} ms, ` +
      `at most ${age.missing} of ${ledger.added} new applications were missing`,
  );
  await writers.cleanUp();
  const settledMs = await untilRight(api, await trueCount(database, 'w1', []));
  console.log(`counts after the last write: correct ${settledMs.toFixed(0)} ms later`);
  await assertCounts(api, workloads, database);
  console.log(
    `counts while nothing is written: ${CHECKED} queries, each sent twice, before and after the writes: all correct`,
  );
}

const described = ({ ratio, figures }) =>
  `${ratio.toFixed(2)}: ${figures.map(({ rate, p99 }) => `${rate.toFixed(0)}/s, p99 ${p99.toFixed(1)} ms`).join(' against ')}`;

function observe(age, { missing, ageMs }) {
  age.answers++;
  if (missing === 0) return;
  age.stale++;
  age.ms = Math.max(age.ms, ageMs);
  age.missing = Math.max(age.missing, missing);
}

async function assertUncounted({ client }) {
  const { headers } = await client.get(PATH);
  if ('x-total-count' in headers || headers.link.includes('rel="last"'))
    throw new Error('the API returned a count, although counts are switched off');
}

/** Waits until the count is correct again after a write. Throws when this takes too long. @returns the time in ms */
async function untilRight({ client }, expected) {
  const start = performance.now();
  while (performance.now() - start < MAX_SETTLING_MS) {
    const { headers } = await client.get(PATH);
    if (headers['x-total-count'] === String(expected)) return performance.now() - start;
    await sleep(10);
  }
  throw new Error(`the count is still not ${expected} after ${MAX_SETTLING_MS} ms in which nothing was written`);
}

/** Compares counts with `count(*)`. Sends each request twice, because the second count may come from the cache. */
async function assertCounts({ client }, workloads, database) {
  const queries = workloads.flatMap(({ part, requests }) => requests.map((request) => ({ part, ...request })));
  const every = queries.length / CHECKED;
  for (let index = 0; index < CHECKED; index++) {
    const { part, api, query } = queries[Math.floor(index * every)];
    const expected = await trueCount(database, part, valuesOf[part](query));
    for (const which of ['first', 'second']) {
      const { headers } = await client.get(api);
      if (headers['x-total-count'] !== String(expected))
        throw new Error(`the ${which} count of ${api} is ${headers['x-total-count']}, not ${expected}`);
    }
  }
}

async function trueCount({ query }, part, values) {
  const table = part === 'w5' ? 'users' : 'applications';
  const [{ total }] = await query(
    `SELECT count(*)::integer AS total FROM ${table} k WHERE ${CONDITIONS[part]}`,
    values,
  );
  return total;
}
