import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { PlainError } from '../tools/workspace.mjs';
import { Client } from './collections/client.mjs';
import { openDatabase } from './collections/database.mjs';
import { printMachine } from './collections/machine.mjs';
import { Report } from './collections/report.mjs';
import { startApi } from './collections/servers.mjs';
import { quantile } from './collections/statistics.mjs';
import { printTable } from './measure.mjs';

export const projects = ['@ats/api'];

const publicUrl = 'https://ats.example';
const PER_ROUND = 10;
/** Warm-up rounds, in which the code of each process is compiled. */
const WARM_UP_ROUNDS = 50;
/**
 * Sides that get requests without being measured. All processes then run equally warm code, although one has two sides.
 */
const SAME_LOAD = '(same load)';
/** Accepted ratio of a page in the oldest version to the same page in the newest. */
const LIMIT = 1.1;
const PAGE = '/api/v1/applications?per_page=100';

const usage = `usage: npm run bench -- versions [--database <url>] [--applications N] [--rounds N]
  --database      URL of a seeded database; without it the command starts and seeds a PostgreSQL
  --applications  number of applications to seed, default 10000
  --rounds        number of rounds, each with ${PER_ROUND} requests to each side, default 200`;

/**
 * Measures the cost of minor versions: the newest against an API without versioning, against a second process of itself
 * (the noise of the measurement), and a page in the oldest version against the newest. One request at a time on
 * keep-alive connections, all sides in turn. Exits with 1 when a version costs too much.
 * @param {string[]} args
 */
export async function run(args) {
  const { rounds, ...options } = readOptions(args);
  const database = await openDatabase(options);
  const servers = [];
  const started = async (options) => (
    servers.push(await startApi(database, { publicUrl, ...options })), servers.at(-1)
  );
  const clients = [];
  try {
    await printMachine(database);
    const [api, again] = [await started({}), await started({ name: 'api again' })];
    const without = await started({
      name: 'api without versions',
      script: join(import.meta.dirname, 'versions/unversioned-api.mjs'),
    });
    const side = (name, { client: { origin }, nodeMeter }, version) => {
      clients.push(
        new Client(origin, { token: database.tokens.reader, connections: 1, headers: { 'api-version': version } }),
      );
      return { name, nodeMeter, client: clients.at(-1) };
    };
    const sides = [
      ...[
        side('without versions', without, '1.9'),
        side('1.9', api, '1.9'),
        side('1.9 again', again, '1.9'),
        side('1.2', api, '1.2'),
      ],
      ...[side(SAME_LOAD, without, '1.9'), side(SAME_LOAD, again, '1.9')],
    ];
    const [{ id }] = JSON.parse((await api.client.get(PAGE)).text);
    const report = new Report();
    for (const [title, path] of [
      ['one application', `/api/v1/applications/${id}`],
      ['a page of 100 applications', PAGE],
    ]) {
      judge({ title, ...(await timesOf(sides, path, rounds)), report });
    }
  } finally {
    for (const client of clients) await client.close();
    for (const server of servers) await server.stop();
    await database.close();
  }
}

/**
 * @returns {Promise<{ times: Map<string, number[]>, nodeMs: Map<string, number> }>} the median of each round, and the
 *   CPU time per request, in ms for each side
 */
async function timesOf(sides, path, rounds) {
  const names = sides.map(({ name }) => name).filter((name) => name !== SAME_LOAD);
  const times = new Map(names.map((name) => [name, []]));
  const computed = new Map(names.map((name) => [name, 0]));
  for (let round = -WARM_UP_ROUNDS; round < rounds; round++) {
    // The sides alternate in going first.
    for (let turn = 0; turn < sides.length; turn++) {
      const { name, client, nodeMeter } = sides[(((round + turn) % sides.length) + sides.length) % sides.length];
      const ms = [];
      const before = nodeMeter();
      for (let request = 0; request < PER_ROUND; request++) {
        const start = performance.now();
        await client.read(path);
        ms.push(performance.now() - start);
      }
      if (round < 0 || name === SAME_LOAD) continue;
      times.get(name).push(quantile(ms, 0.5));
      computed.set(name, computed.get(name) + nodeMeter() - before);
    }
  }
  return { times, nodeMs: new Map([...computed].map(([name, ms]) => [name, ms / (rounds * PER_ROUND)])) };
}

function judge({ title, times, nodeMs, report }) {
  const ratios = (name, base) => times.get(name).map((ms, round) => ms / times.get(base)[round]);
  const spread = (values) => [0.25, 0.5, 0.75].map((share) => quantile(values, share));
  const compared = [
    ['1.9', 'without versions'],
    ['1.9 again', '1.9'],
    ['1.2', '1.9'],
  ].map(([name, base]) => ({ name, base, quartiles: spread(ratios(name, base)) }));
  const figures = [...times].map(([name, ms]) => [
    name,
    ...[0.5, 0.25, 0.75].map((share) => quantile(ms, share).toFixed(3)),
    nodeMs.get(name).toFixed(3),
  ]);
  printTable([[`${title}, ms`, 'p50', 'p25', 'p75', 'computed by the API'], ...figures]);
  printTable([
    ['ratio of the rounds', 'p50', 'p25', 'p75'],
    ...compared.map(({ name, base, quartiles: [low, middle, high] }) => [
      `${name} / ${base}`,
      ...[middle, low, high].map((ratio) => ratio.toFixed(3)),
    ]),
  ]);
  const [versions, noise, oldest] = compared.map(({ quartiles }) => quartiles);
  const figure = ([low, middle, high]) => `${middle.toFixed(3)}, quartiles ${low.toFixed(3)} to ${high.toFixed(3)}`;
  report.judge(
    `${title}: versions cost nothing measurable in the newest`,
    versions[1] <= Math.max(noise[2], 1 / noise[0]),
    `${figure(versions)}; the same against itself ${figure(noise)}`,
  );
  if (title.startsWith('a page'))
    report.judge(
      `${title}: less than ${Math.round((LIMIT - 1) * 100)} % more in the oldest`,
      oldest[1] < LIMIT,
      figure(oldest),
    );
}

function readOptions(args) {
  let values;
  try {
    const text = /** @type {const} */ ({ type: 'string' });
    ({ values } = parseArgs({ args, options: { database: text, applications: text, rounds: text } }));
  } catch (error) {
    throw new PlainError(`${error.message}\n${usage}`);
  }
  return {
    databaseUrl: values.database,
    applications: wholeNumber('applications', values.applications ?? '10000'),
    rounds: wholeNumber('rounds', values.rounds ?? '200'),
  };
}

function wholeNumber(name, text) {
  if (!/^[1-9]\d{0,7}$/.test(text)) throw new PlainError(`--${name} must be a whole number of at least 1\n${usage}`);
  return Number(text);
}
