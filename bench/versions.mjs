import { join } from 'node:path';
import { Client } from './collections/client.mjs';
import { withDatabase } from './collections/database.mjs';
import { startApi } from './collections/servers.mjs';
import { judge, median, printTable, quantile, timed } from './measure.mjs';
import { DATABASE_USAGE, readOptions } from './options.mjs';

export const projects = ['@ats/api'];

const PER_ROUND = 10;
/** Warm-up rounds, in which the code of each process is compiled. */
const WARM_UP_ROUNDS = 50;
/**
 * Name of series whose requests are sent but not measured. One process serves two measured series. The other processes
 * get requests of this series, too, so that all processes get the same number of requests and their code is equally
 * warm.
 */
const SAME_LOAD = '(same load)';
/** Accepted ratio of the time of a page in the oldest version to its time in the newest. */
const LIMIT = 1.1;
const PAGE = '/api/v1/applications?per_page=100';

const usage = `${DATABASE_USAGE}, default 10000
  --rounds        number of rounds, each with ${PER_ROUND} requests to each side, default 200`;

/**
 * Measures the cost of minor versions. Compares the newest version with three others: an API without versioning, the
 * newest version in a second process (which shows the noise of the measurement), and the oldest version. Sends one
 * request at a time on keep-alive connections, to all sides in turn. Exits with 1 when a version costs too much.
 * @param {string[]} args
 */
export function run(args) {
  const defaults = { database: undefined, applications: 10_000, rounds: 200 };
  const { rounds, ...options } = readOptions('versions', usage, defaults, args);
  return withDatabase(options, async (database, open) => {
    const script = join(import.meta.dirname, 'versions/unversioned-api.mjs');
    const api = await open(startApi(database));
    const again = await open(startApi(database, { name: 'api again' }));
    const without = await open(startApi(database, { name: 'api without versions', script }));
    const side = async (name, { client: { origin }, nodeMeter }, version) => {
      const headers = { 'api-version': version };
      const client = new Client(origin, { token: database.tokens.reader, connections: 1, headers });
      await open({ stop: () => client.close() });
      return { name, nodeMeter, client };
    };
    const sides = await Promise.all([
      side('without versions', without, '1.9'),
      side('1.9', api, '1.9'),
      side('1.9 again', again, '1.9'),
      side('1.2', api, '1.2'),
      side(SAME_LOAD, without, '1.9'),
      side(SAME_LOAD, again, '1.9'),
    ]);
    const [{ id }] = JSON.parse((await api.client.get(PAGE)).text);
    const paths = { 'one application': `/api/v1/applications/${id}`, 'a page of 100 applications': PAGE };
    for (const [title, path] of Object.entries(paths)) show({ title, ...(await timesOf(sides, path, rounds)) });
  });
}

/**
 * Reads the path in all rounds, from each side in turn.
 * @returns {Promise<{ times: Map<string, number[]>, nodeMs: Map<string, number> }>} the median of each round, and the
 *   CPU time per request, in ms for each side
 */
async function timesOf(sides, path, rounds) {
  const names = sides.map(({ name }) => name).filter((name) => name !== SAME_LOAD);
  const times = new Map(names.map((name) => [name, []]));
  const computed = new Map(names.map((name) => [name, 0]));
  for (let round = -WARM_UP_ROUNDS; round < rounds; round++) {
    // Each round begins with another side, so that no side is always measured first.
    for (let turn = 0; turn < sides.length; turn++) {
      const { name, client, nodeMeter } = sides[(((round + turn) % sides.length) + sides.length) % sides.length];
      const ms = [];
      const before = nodeMeter();
      for (let request = 0; request < PER_ROUND; request++) {
        ms.push(await timed(() => client.read(path)));
      }
      if (round < 0 || name === SAME_LOAD) continue;
      times.get(name).push(median(ms));
      computed.set(name, computed.get(name) + nodeMeter() - before);
    }
  }
  return { times, nodeMs: new Map([...computed].map(([name, ms]) => [name, ms / (rounds * PER_ROUND)])) };
}

function show({ title, times, nodeMs }) {
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
  judge(
    `${title}: the newest version has no measurable cost`,
    versions[1] <= Math.max(noise[2], 1 / noise[0]),
    `${figure(versions)}; two processes of the newest version ${figure(noise)}`,
  );
  if (title.startsWith('a page'))
    judge(
      `${title}: less than ${Math.round((LIMIT - 1) * 100)} % more time in the oldest version`,
      oldest[1] < LIMIT,
      figure(oldest),
    );
}
