import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Client } from './collections/client.mjs';
import { judge, median, printTable } from './measure.mjs';
import { readOptions } from './options.mjs';
import { withService } from './service.mjs';

export const projects = ['@ats/api'];

/** Accepted rate of the feed, as a share of the rate at which `psql` copies the same rows. */
const LIMIT = 0.5;
/** Accepted growth of the peak memory of the API from the first to the second half of the rounds. */
const GROWTH = 1.25;
const MIB = 1_048_576;

const usage = `
  --changes  number of changes to read, default 1000000
  --page     number of changes of a page, default 10000
  --rounds   number of times that each side reads them, default 6`;

/**
 * Compares the rate at which one client reads the changes feed with the rate at which `psql` copies the same rows, and
 * measures the memory of the API process. Neither side parses or stores what it reads. Exits with 1 when the feed is
 * too slow or the memory grows. Needs `psql` on the PATH.
 * @param {string[]} args
 */
export function run(args) {
  const defaults = { changes: 1_000_000, page: 10_000, rounds: 6 };
  const { changes, page, rounds } = readOptions('changes', usage, defaults, args);
  return withService({ apps: [] }, async ({ database, environment, start }) => {
    // Rows that follow each other have different resources and times, like the changes of a real day.
    await database.query(
      `INSERT INTO changes (resource, item_id, item_uuid, change, dt)
       SELECT ('{candidates,users,applications,vacancies}'::text[])[1 + n % 4], n, gen_random_uuid(), 'updated',
         clock_timestamp() - ($1 - n) * interval '0.08 s' FROM generate_series(1, $1::integer) n`,
      [changes],
    );
    await database.query('VACUUM ANALYZE changes');
    const api = await start({});
    // The expected number is counted anew after each reading, because the API itself adds changes when it starts, such
    // as the one for the first credential.
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
      const peaks = [];
      const onPage = () => peaks.push(rssOf(api.pid));
      await measured('psql', () => copy(environment.DATABASE_URL));
      await measured('feed', () => follow({ client, page, isParsed: false, onPage }));
      await measured('feed, parsed', () => follow({ client, page, isParsed: true, onPage }));
      memory.push(Math.max(...peaks));
    }
    await client.close();
    printTable([
      ['side', 'changes/s, median', 'all rounds'],
      ...Object.entries(rates).map(([name, values]) => [
        name,
        Math.round(median(values)).toString(),
        values.map((rate) => Math.round(rate)).join(' '),
      ]),
    ]);
    console.log(
      `memory of the API, peak of each round in MiB: ${memory.map((bytes) => Math.round(bytes / MIB)).join(' ')}`,
    );
    // Compares the rates of the same round, because other work of the machine slows the feed and psql equally.
    const ratios = rates.feed.map((rate, round) => rate / rates.psql[round]);
    const shown = `median of ${ratios.map((ratio) => ratio.toFixed(2)).join(' ')}`;
    judge(`the feed reaches ${LIMIT} of the rate of psql`, median(ratios) >= LIMIT, shown);
    const half = Math.ceil(rounds / 2);
    const growth = Math.max(...memory.slice(half)) / Math.max(...memory.slice(0, half));
    if (rounds > 1)
      judge(`the memory grows by a factor of at most ${GROWTH} from half to half`, growth <= GROWTH, growth.toFixed(2));
  });
}

/** Copies the rows of the feed with `\\copy` of `psql`, which discards them. @returns the number of rows */
async function copy(url) {
  const query = 'SELECT resource, item_id, item_uuid, change, dt FROM changes ORDER BY id';
  const child = spawn('psql', ['--no-psqlrc', '-c', `\\copy (${query}) TO '/dev/null'`, url], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk.toString()));
  await once(child, 'close');
  return Number(/^COPY (\d+)/.exec(output)?.[1]);
}

/**
 * Follows the feed to its end.
 * @param {{ isParsed: boolean }} options whether the client parses the answers. `psql` does not parse.
 */
async function follow({ client, page, isParsed, onPage }) {
  let since = new Date(0).toISOString();
  let read = 0;
  for (let more = true; more; ) {
    const path = `/api/v1/changes?limit=${page}&since=${encodeURIComponent(since)}`;
    const body = await client.bytes(path);
    const answer = JSON.parse(isParsed ? body.toString() : `{${body.toString('utf8', body.lastIndexOf('"next":'))}`);
    read += isParsed ? answer.items.length : countOf(body, '{"resource":');
    since = answer.next;
    more = answer.has_more;
    onPage();
  }
  return read;
}

function countOf(body, part) {
  let count = 0;
  for (let at = body.indexOf(part); at >= 0; at = body.indexOf(part, at + part.length)) count += 1;
  return count;
}

const rssOf = (pid) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) * 1_024;
