import { openDatabase } from './collections/database.mjs';
import { printMachine } from './collections/machine.mjs';
import { Report } from './collections/report.mjs';
import { startApi } from './collections/servers.mjs';
import { quantile } from './collections/statistics.mjs';
import { printTable } from './measure.mjs';
import { openGroups } from './quick-search/groups.mjs';
import { openHandWritten } from './quick-search/hand-written.mjs';
import { readOptions } from './quick-search/options.mjs';
import { TEXTS } from './quick-search/texts.mjs';

export const projects = ['@ats/api'];

const LIMIT_MS = 50;
const BY_HAND = 'by hand';
const publicUrl = 'https://ats.example';
/** Rounds until each connection of the API caches its plans. PostgreSQL plans five times before it caches a plan. */
const WARM_UP_ROUNDS = 6;

/**
 * Measures quick search on a database in memory, one request at a time, with usual texts and texts that match very many
 * rows. Compares the answer over HTTP with hand-written statements on trigram indexes, and measures each group alone.
 * Exits with 1 when an answer is too slow.
 * @param {string[]} args
 */
export async function run(args) {
  const { isAlone, rounds, ...options } = readOptions(args);
  const database = await openDatabase(options);
  const opened = [];
  try {
    const open = async (thing) => (opened.push(await thing), opened.at(-1));
    await printMachine(database);
    const api = await startApi(database, { publicUrl });
    opened.push({ close: api.stop });
    const answer = {
      name: 'answer',
      find: (text) => api.client.read(`/api/v1/api/quick_search?q=${encodeURIComponent(text)}`),
    };
    const byHand = isAlone ? [] : [{ name: BY_HAND, ...(await open(openHandWritten(database))) }];
    const { finders } = await open(openGroups(database, { publicUrl }));
    report([answer, ...byHand, ...finders], await timesOf([answer, ...byHand, ...finders], rounds));
  } finally {
    for (const thing of opened.reverse()) await thing.close();
    await database.close();
  }
}

/**
 * Interleaves rounds, so that load of the machine affects all alike.
 * @returns {Promise<Map<string, Map<string, number[]>>>} by title and name, in ms
 */
async function timesOf(finders, rounds) {
  const times = new Map(TEXTS.map(({ title }) => [title, new Map(finders.map(({ name }) => [name, []]))]));
  for (let round = -WARM_UP_ROUNDS; round < rounds; round++) {
    for (const { title, text } of TEXTS) {
      for (const { name, find } of finders) {
        if (round < 0 && name === BY_HAND) continue;
        const start = performance.now();
        await find(text);
        if (round >= 0)
          times
            .get(title)
            .get(name)
            .push(performance.now() - start);
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
  new Report().judge(
    `each text is answered within ${LIMIT_MS} ms (p95)`,
    slowest.p95 <= LIMIT_MS,
    `the slowest, ${slowest.title}: ${slowest.p95.toFixed(1)} ms`,
  );
}

const figures = (values) => [0.5, 0.95, 0.99].map((share) => quantile(values, share).toFixed(1));
