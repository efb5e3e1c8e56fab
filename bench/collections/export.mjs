import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { judge, timed } from '../measure.mjs';
import { residentMiB } from './memory.mjs';

const PATH = '/api/v1/vacancy_applications';
/** Greatest accepted time in seconds for a million items. */
const MOST_SECONDS = 60;
const MILLION = 1_000_000;
/** Greatest accepted ratio of the peak of the memory in the second half of an export to the peak in the first half. */
const MOST_GROWTH = 1.1;
const LOOK_MS = 100;
export const FORMATS = ['ndjson', 'csv'];
const GROUPS = ['main_process_state.state.state', 'source', 'opportunity.department'];

/**
 * Exports all applications in each format. Watches the processor time and the memory of the API. Checks the number of
 * exported items.
 * @param {object} parts
 * @param {import('./servers.mjs').Server} parts.api
 * @param {string[]} parts.formats
 * @param {string} parts.token
 * @param {number} parts.total  number of applications
 * @param {() => number} parts.postgresMeter
 */
export async function measureExport({ api, formats, token, total, postgresMeter }) {
  // The first export is not measured, because it makes the process grow to its usual size.
  await read(api, token, formats[0]);
  for (const format of formats) {
    const before = [api.nodeMeter(), postgresMeter()];
    const { rows, bytes, ms, memory } = await read(api, token, format);
    const items = format === 'csv' ? rows - 1 : rows;
    if (items !== total) throw new Error(`the export as ${format} has ${items} items, the database has ${total}`);
    const [nodeMs, postgresMs] = [api.nodeMeter() - before[0], postgresMeter() - before[1]];
    const seconds = (ms / 1000) * (MILLION / total);
    judge(
      `export as ${format}: a million applications in at most ${MOST_SECONDS} s`,
      seconds <= MOST_SECONDS,
      `${seconds.toFixed(1)} s, ${((total / ms) * 1000).toFixed(0)} items/s, ${(bytes / 2 ** 20).toFixed(0)} MiB, ` +
        `per 1,000 items ${((nodeMs / total) * 1000).toFixed(1)} ms of node and ${((postgresMs / total) * 1000).toFixed(1)} of PostgreSQL`,
    );
    const middle = memory.length >> 1;
    const [first, second] = [Math.max(...memory.slice(0, middle)), Math.max(...memory.slice(middle))];
    judge(
      `export as ${format}: flat memory`,
      second / first <= MOST_GROWTH,
      `before ${memory[0].toFixed(0)}, greatest in the first half ${first.toFixed(0)}, in the second ${second.toFixed(0)} MiB`,
    );
  }
}

/**
 * Counts all applications by group. Checks that the counts add up.
 * @param {object} parts
 * @param {import('./servers.mjs').Server} parts.api
 * @param {number} parts.total  number of applications
 */
export async function countGroups({ api, total }) {
  for (const group of GROUPS) {
    let counts;
    const ms = await timed(async () => {
      counts = JSON.parse((await api.client.get(`${PATH}/counts?by=${group}`)).text);
    });
    const sum = countsIn(counts).reduce((one, other) => one + other, 0);
    if (sum !== total) throw new Error(`the counts by ${group} add up to ${sum}, the database has ${total}`);
    console.log(`counts by ${group}: ${countsIn(counts).length} groups in ${ms.toFixed(0)} ms`);
  }
}

/** @returns {number[]} the count of each group in an answer */
const countsIn = (groups) => groups.map(({ count }) => count);

/** Reads an export without keeping it. Counts its lines, and looks at the memory of the API meanwhile. */
async function read(api, token, format) {
  const memory = [residentMiB(api.pid)];
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      await sleep(LOOK_MS);
      memory.push(residentMiB(api.pid));
    }
  })();
  let [rows, bytes] = [0, 0];
  const ms = await timed(async () => {
    const { statusCode, body } = await request(`${api.client.origin}${PATH}?format=${format}`, {
      headers: { authorization: `Bearer ${token}` },
      bodyTimeout: 0,
    });
    if (statusCode !== 200) throw new Error(`the export as ${format} was answered with ${statusCode}`);
    for await (const chunk of body) {
      bytes += chunk.length;
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) rows += 1;
    }
  }).finally(() => (isOver = true));
  await watching;
  return { rows, bytes, ms, memory };
}
