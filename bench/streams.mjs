import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sleep } from '../tools/services/processes.mjs';
import { postgresMeter, processMeter } from './cpu.mjs';
import { judge, median, printTable } from './measure.mjs';
import { readOptions } from './options.mjs';
import { createClient, withService } from './service.mjs';

export const projects = ['@ats/api'];

const KIB = 1_024;
const PROCESSES = 2;
/** Number of streams that a process of clients opens at the same time. */
const PARALLEL = 8;
/** Greatest accepted time in ms until all streams have received a change. */
const CHANGE_MS = 120_000;
const usage = `
  --streams      number of open streams, default 10000
  --credentials  number of credentials that share the streams, default 10
  --seconds      time in which the streams are idle, default 60
  --changes      number of changes, one after the other, default 5`;

/**
 * Opens idle streams of the changes feed at one API process. Measures the memory of each stream, the processor time of
 * the API and of PostgreSQL while nothing happens, and the cost of a change that all streams receive. Fails when a
 * stream ends or misses a change. The limit of open files (ulimit -n) must be larger than the number of streams.
 * @param {string[]} args
 */
export function run(args) {
  const defaults = { streams: 10_000, credentials: 10, seconds: 60, changes: 5 };
  const { streams, credentials, seconds, changes } = readOptions('streams', usage, defaults, args);
  return withService({ apps: [] }, async ({ database, start }) => {
    const api = await start({});
    const client = createClient(api.environment);
    const made = { scopes: ['job_boards:read'] };
    const tokens = [];
    for (let number = 1; number <= credentials; number += 1)
      tokens.push((await client('POST', '/credentials', { name: `Streams ${number}`, ...made })).token);
    const { rows } = await database.query('SELECT pg_backend_pid() AS pid');
    const meters = { API: processMeter(api.pid), PostgreSQL: postgresMeter(rows[0].pid) };
    await sleep(2_000);
    const before = rssOf(api.pid);
    const groups = Array.from({ length: PROCESSES }, (_, group) => {
      const count = Math.floor(streams / PROCESSES) + (group < streams % PROCESSES ? 1 : 0);
      const options = JSON.stringify({ port: Number(api.port), tokens, count, parallel: PARALLEL });
      return fork(join(import.meta.dirname, 'streams/clients.mjs'), [options]);
    });
    try {
      const opened = await Promise.all(groups.map((group) => once(group, 'message')));
      console.log(`${opened.reduce((sum, [{ opened }]) => sum + opened, 0)} streams are open`);
      // Waits for the first heartbeats of all streams, because they count as part of the opening.
      await sleep(20_000);
      const perStream = (rssOf(api.pid) - before) / streams / KIB;
      const idle = await costOf(meters, () => sleep(seconds * 1_000));
      const costs = [];
      for (let number = 1; number <= changes; number += 1) {
        const wanted = number * streams;
        costs.push(
          await costOf(meters, async () => {
            await client('POST', '/job_boards', { name: 'Board', code: `board-${number}` });
            await untilReceived(groups, wanted);
          }),
        );
        await sleep(3_000);
      }
      const after = (rssOf(api.pid) - before) / streams / KIB;
      const { ended } = await totalOf(groups);
      const each = (values) => values.map((value) => Math.round(value)).join(' ');
      printTable([
        ['', 'API', 'PostgreSQL', 'wall'],
        [
          `idle, ms of processor in a second`,
          ...['API', 'PostgreSQL'].map((of) => (idle[of] / seconds).toFixed(1)),
          '',
        ],
        ['one change for all, ms', ...['API', 'PostgreSQL', 'wall'].map((of) => each(costs.map((cost) => cost[of])))],
      ]);
      console.log(`memory of the API before the streams: ${Math.round(before / KIB / KIB)} MiB`);
      console.log(`memory of a stream: idle ${perStream.toFixed(1)} KiB, after the changes ${after.toFixed(1)} KiB`);
      const wall = median(costs.map(({ wall }) => wall));
      console.log(`a change reaches all streams after ${Math.round(wall)} ms (median)`);
      judge('no stream ended', ended === 0, `${ended} ended`);
    } finally {
      for (const group of groups) group.kill();
    }
  });
}

/** @returns {Promise<Record<string, number>>} processor time by meter, and `wall`, in ms */
async function costOf(meters, work) {
  const readAll = () => Object.entries(meters).map(([name, meter]) => [name, meter()]);
  const before = readAll();
  const start = performance.now();
  await work();
  const wall = performance.now() - start;
  const after = new Map(readAll());
  return { ...Object.fromEntries(before.map(([name, ms]) => [name, after.get(name) - ms])), wall };
}

async function totalOf(groups) {
  const answers = groups.map((group) => once(group, 'message'));
  for (const group of groups) group.send('report');
  const totals = { ended: 0, changes: 0 };
  for (const [{ ended, changes }] of await Promise.all(answers)) {
    totals.ended += ended;
    totals.changes += changes;
  }
  return totals;
}

async function untilReceived(groups, wanted) {
  const end = performance.now() + CHANGE_MS;
  while ((await totalOf(groups)).changes < wanted) {
    if (performance.now() > end) throw new Error(`not all streams received the change within ${CHANGE_MS} ms`);
    await sleep(50);
  }
}

const rssOf = (pid) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) * KIB;
