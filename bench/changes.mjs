import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Client } from './collections/client.mjs';
import { judge, printTable } from './measure.mjs';
import { readOptions } from './options.mjs';
import { withService } from './service.mjs';

export const projects = ['@ats/api'];

/** Accepted rate of the feed, as a share of the rate at which `psql` copies the same rows. */
const LIMIT = 0.5;
/** Accepted growth of the memory of the API from the first to the last tenth of the pages. */
const GROWTH = 1.25;
const MIB = 1_048_576;

const usage = `
  --changes  number of changes to read, default 1000000
  --page     number of changes of a page, default 10000
  --rounds   number of times that each side reads them, default 3`;

/**
 * Compares the rate at which one client reads the changes feed with the rate at which `psql` copies the same rows, and
 * measures the memory of the API process. Exits with 1 when the feed is too slow
 * or the memory grows. Needs `psql` on the PATH.
 * @param {string[]} args
 */
export function run(args) {
  const defaults = { changes: 1_000_000, page: 10_000, rounds: 3 };
  const { changes, page, rounds } = readOptions('changes', usage, defaults, args);
  return withService({ apps: [] }, async ({ database, environment, start }) => {
    await database.query(
      `INSERT INTO changes (resource, item_id, item_uuid, change, dt)
       SELECT 'candidates', n, gen_random_uuid(), 'updated', clock_timestamp() FROM generate_series(1, $1::integer) n`,
      [changes],
    );
    await database.query('VACUUM ANALYZE changes');
    const api = await start({});
    // The rows are counted after each reading, because the API adds changes at its start, such as the first credential.
    const measured = async (name, read) => {
      const start = performance.now();
      const count = await read();
      rates[name].push((count / (performance.now() - start)) * 1_000);
      const { rows } = await database.query('SELECT count(*)::integer AS count FROM changes');
      if (count !== rows[0].count) throw new Error(`${name}: ${count} of ${rows[0].count} changes`);
    };
    const client = new Client(`http://127.0.0.1:${api.port}`, { token: environment.BOOTSTRAP_TOKEN, connections: 1 });
    const rates = { psql: [], feed: [], 'feed, parsed': [] };
    const memory = [];
    for (let round = 0; round < rounds; round += 1) {
      await measured('psql', () => copy(environment.DATABASE_URL));
      const onPage = () => memory.push(rssOf(api.pid));
      await measured('feed', () => follow({ client, page, isParsed: false, onPage }));
      await measured('feed, parsed', () => follow({ client, page, isParsed: true, onPage }));
    }
    await client.close();
    const best = (values) => Math.max(...values);
    printTable([
      ['side', 'changes/s, best', 'all rounds'],
      ...Object.entries(rates).map(([name, values]) => [
        name,
        Math.round(best(values)).toString(),
        values.map((rate) => Math.round(rate)).join(' '),
      ]),
    ]);
    const tenth = Math.ceil(memory.length / 10);
    const [first, last] = [memory.slice(0, tenth), memory.slice(-tenth)].map((values) => Math.max(...values));
    const shown = (bytes) => `${Math.round(bytes / MIB)} MiB`;
    console.log(`memory of the API, peak: first tenth ${shown(first)}, last tenth ${shown(last)}`);
    const ratio = best(rates.feed) / best(rates.psql);
    judge(`the feed reaches ${LIMIT} of the rate of psql`, ratio >= LIMIT, ratio.toFixed(3));
    const growth = last / first;
    judge(`the memory grows by a factor of at most ${GROWTH}`, growth <= GROWTH, growth.toFixed(2));
  });
}

/** Copies the rows of the feed with `psql`, which discards them. */
async function copy(url) {
  const statement = `COPY (SELECT resource, item_id, item_uuid, change, dt FROM changes ORDER BY id) TO STDOUT`;
  const child = spawn('psql', ['--no-psqlrc', '-c', statement, url], { stdio: ['ignore', 'pipe', 'inherit'] });
  let lines = 0;
  child.stdout.on('data', (chunk) => {
    for (const byte of chunk) if (byte === 10) lines += 1;
  });
  await once(child, 'close');
  return lines;
}

/**
 * Follows the feed to its end.
 * @param {{ isParsed: boolean }} options whether the client parses the answers. `psql` does not parse.
 */
async function follow({ client, page, isParsed, onPage }) {
  let since = new Date(Date.now() - 3_600_000).toISOString();
  let read = 0;
  for (let more = true; more; ) {
    const path = `/api/v1/changes?limit=${page}&since=${encodeURIComponent(since)}`;
    const { text } = await client.get(path);
    const answer = isParsed ? JSON.parse(text) : JSON.parse(`{${text.slice(text.lastIndexOf('"next":'))}`);
    read += isParsed ? answer.items.length : countOf(text, '{"resource":');
    since = answer.next;
    more = answer.has_more;
    onPage();
  }
  return read;
}

function countOf(text, part) {
  let count = 0;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) count += 1;
  return count;
}

const rssOf = (pid) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) * 1_024;
