import { setTimeout as sleep } from 'node:timers/promises';
import { join } from 'node:path';
import { Client } from './collections/client.mjs';
import { postgresMeter } from './cpu.mjs';
import { withDatabase } from './collections/database.mjs';
import { startApi } from './collections/servers.mjs';
import { judge, median, printTable, quantile, timed } from './measure.mjs';
import { DATABASE_USAGE, readOptions } from './options.mjs';

export const projects = ['@ats/api'];

/** Warm-up rounds, in which the code of each process is compiled. */
const WARM_UP_ROUNDS = 5;
/** Time in ms after which the API has written the audit entries of all reads. */
const WRITTEN_MS = 700;
/** Greatest accepted ratio of the time of a read with the audit log to the time without it. */
const LIMIT = 1.03;
const PAGE = '/api/v1/applications?per_page=100';
const AUDITED = 'with the audit log';
const AGAIN = 'with it, again';
const WITHOUT = 'without it';

const usage = `${DATABASE_USAGE}, default 10000
  --rounds        number of rounds, default 30
  --requests      requests to each side in a round, default 200`;

/**
 * Measures what the audit log costs a read: the time until the answer, and the computing time of the API and of
 * PostgreSQL. The cost includes writing the entries. Compares three processes: two with the audit log, whose difference
 * is the noise of the measurement, and one without the audit log. Sends one request at a time, to all sides in turn.
 * Exits with 1 when the audit log costs too much.
 * @param {string[]} args
 */
export function run(args) {
  const defaults = { database: undefined, applications: 10_000, rounds: 30, requests: 200 };
  const { rounds, requests, ...options } = readOptions('audit', usage, defaults, args);
  return withDatabase(options, async (database, open) => {
    const script = (name) => join(import.meta.dirname, `audit/${name}-api.mjs`);
    const postgres = postgresMeter(database.backendPid);
    const side = async (name, variant) => {
      const { client, nodeMeter } = await open(startApi(database, { name, script: script(variant) }));
      const single = new Client(client.origin, { token: database.tokens.reader, connections: 1 });
      await open({ stop: () => single.close() });
      return { name, client: single, meter: () => nodeMeter() + postgres() };
    };
    const sides = [await side(AUDITED, 'audited'), await side(WITHOUT, 'unaudited'), await side(AGAIN, 'audited')];
    const [{ id }] = JSON.parse((await sides[0].client.get(PAGE)).text);
    const paths = { 'one application': `/api/v1/applications/${id}`, 'a page of 100 applications': PAGE };
    for (const [title, path] of Object.entries(paths)) show(title, await figuresOf(sides, path, { rounds, requests }));
    const [{ entries }] = await database.query('SELECT count(*)::integer AS entries FROM audit_entries');
    console.log(`${entries} entries in the audit log`);
  });
}

/**
 * Reads the path in all rounds, from each side in turn.
 * @returns {Promise<Map<string, { times: number[], computed: number[] }>>} ms per request, for each side and round
 */
async function figuresOf(sides, path, { rounds, requests }) {
  const figures = new Map(sides.map(({ name }) => [name, { times: [], computed: [] }]));
  for (let round = -WARM_UP_ROUNDS; round < rounds; round++) {
    // Each round begins with another side, so that no side is always measured first.
    for (let turn = 0; turn < sides.length; turn++) {
      const { name, client, meter } = sides[(round + WARM_UP_ROUNDS + turn) % sides.length];
      const before = meter();
      const ms = [];
      for (let request = 0; request < requests; request++) ms.push(await timed(() => client.read(path)));
      await sleep(WRITTEN_MS);
      if (round < 0) continue;
      figures.get(name).times.push(median(ms));
      figures.get(name).computed.push((meter() - before) / requests);
    }
  }
  return figures;
}

function show(title, figures) {
  const ratios = (of, name, base) => figures.get(name)[of].map((ms, round) => ms / figures.get(base)[of][round]);
  const quartiles = (values) => [0.5, 0.25, 0.75].map((share) => quantile(values, share).toFixed(3));
  printTable([
    [`${title}, ms`, 'time p50', 'p25', 'p75', 'computed p50', 'p25', 'p75'],
    ...[...figures].map(([name, { times, computed }]) => [name, ...quartiles(times), ...quartiles(computed)]),
  ]);
  const compared = [
    [AUDITED, WITHOUT],
    [AGAIN, WITHOUT],
    [AGAIN, AUDITED],
  ];
  printTable([
    ['ratio of the rounds', 'time p50', 'p25', 'p75', 'computed p50', 'p25', 'p75'],
    ...compared.map(([name, base]) => [
      `${name} / ${base}`,
      ...quartiles(ratios('times', name, base)),
      ...quartiles(ratios('computed', name, base)),
    ]),
  ]);
  const ratio = median([...ratios('times', AUDITED, WITHOUT), ...ratios('times', AGAIN, WITHOUT)]);
  judge(
    `${title}: the audit log slows a read by at most ${Math.round((LIMIT - 1) * 100)} %`,
    ratio <= LIMIT,
    ratio.toFixed(3),
  );
}
