import { withDatabase } from './collections/database.mjs';
import { PUBLIC_URL, startApi } from './collections/servers.mjs';
import { judge, printTable, quantile, timed } from './measure.mjs';
import { DATABASE_USAGE, readOptions } from './options.mjs';
import { openGroups } from './quick-search/groups.mjs';
import { openHandWritten } from './quick-search/hand-written.mjs';
import { TEXTS } from './quick-search/texts.mjs';

export const projects = ['@ats/api'];

const LIMIT_MS = 50;
const BY_HAND = 'by hand';
/** Rounds until all connections of the API have cached plans. PostgreSQL plans a statement five times, then caches. */
const WARM_UP_ROUNDS = 6;

const usage = `${DATABASE_USAGE}, default 1000000
  --rounds        number of searches for each text, default 40
  --alone         skips the hand-written statements, which take most of the time`;

/**
 * Measures quick search on a database in memory, one request at a time. Some of the texts match very many rows.
 * Compares the answer over HTTP with hand-written statements on trigram indexes, and measures each group of results
 * alone. Exits with 1 when an answer is too slow.
 * @param {string[]} args
 */
export function run(args) {
  const defaults = { database: undefined, applications: 1_000_000, rounds: 40, alone: false };
  const { alone, rounds, ...options } = readOptions('quick-search', usage, defaults, args);
  return withDatabase(options, async (database, open) => {
    const { client } = await open(startApi(database));
    const find = (text) => client.read(`/api/v1/api/quick_search?q=${encodeURIComponent(text)}`);
    const byHand = alone ? [] : [{ name: BY_HAND, ...(await open(openHandWritten(database))) }];
    const { finders } = await open(openGroups(database, { publicUrl: PUBLIC_URL }));
    const all = [{ name: 'answer', find }, ...byHand, ...finders];
    report(all, await timesOf(all, rounds));
  });
}

/**
 * Measures all ways to search in interleaved rounds, so that load of the machine affects all of them alike.
 * @returns {Promise<Map<string, Map<string, number[]>>>} by title and name, in ms
 */
async function timesOf(finders, rounds) {
  const times = new Map(TEXTS.map(({ title }) => [title, new Map(finders.map(({ name }) => [name, []]))]));
  for (let round = -WARM_UP_ROUNDS; round < rounds; round++) {
    for (const { title, text } of TEXTS) {
      for (const { name, find } of finders) {
        if (round < 0 && name === BY_HAND) continue;
        const ms = await timed(() => find(text));
        if (round >= 0) times.get(title).get(name).push(ms);
      }
    }
  }
  return times;
}

function report(finders, times) {
  const whole = finders.filter(({ name }) => name === 'answer' || name === BY_HAND).map(({ name }) => name);
  printTable([
    ['ms', ...whole.flatMap((name) => [`${name} p50`, 'p95', 'p99'])],
    ...TEXTS.map(({ title }) => [title, ...whole.flatMap((name) => figures(times.get(title).get(name)))]),
  ]);
  const over = (name) => TEXTS.flatMap(({ title }) => times.get(title).get(name));
  printTable([
    ['ms, over all texts', 'p50', 'p95', 'p99'],
    ...finders.map(({ name }) => [name, ...figures(over(name))]),
  ]);
  const slowest = TEXTS.map(({ title }) => ({ title, p95: quantile(times.get(title).get('answer'), 0.95) })).sort(
    (left, right) => right.p95 - left.p95,
  )[0];
  judge(
    `each text is answered within ${LIMIT_MS} ms (p95)`,
    slowest.p95 <= LIMIT_MS,
    `the slowest, ${slowest.title}: ${slowest.p95.toFixed(1)} ms`,
  );
}

const figures = (values) => [0.5, 0.95, 0.99].map((share) => quantile(values, share).toFixed(1));
