import { join } from 'node:path';
import { Client } from './collections/client.mjs';
import { withDatabase } from './collections/database.mjs';
import { startApi, startServer } from './collections/servers.mjs';
import { postgresMeter } from './cpu.mjs';
import { judge, median, printTable, quantile } from './measure.mjs';
import { readOptions } from './options.mjs';
import { assertSameRows } from './writes/rows.mjs';
import { findTargets, workloads } from './writes/workloads.mjs';

export const projects = ['@ats/api'];

/** Least accepted rate, as a share of the rate of the limit. */
const AIM = 0.4;
const CONNECTIONS = 4;
const WARM_UP_ROUNDS = 3;
/** Connections of each server for transactions (docs/reference/database.md, "Connections"). */
const POOL_SIZE = 10;

const usage = `
  --applications  number of applications to seed, default 1000
  --rounds        number of rounds, default 20
  --requests      requests to each side in a round, default 100`;

/**
 * Compares writes of the API with a minimal server that writes the same rows with SQL by hand. Both take turns on the
 * same items, with four requests at a time. Checks first that both leave the same rows. Exits with 1 when the rate
 * of the API is less than `AIM` of the rate of the minimal server.
 * @param {string[]} args
 */
export function run(args) {
  const { applications, rounds, requests } = readOptions(
    'writes',
    usage,
    { applications: 1_000, rounds: 20, requests: 100 },
    args,
  );
  return withDatabase({ database: undefined, applications }, async (database, open) => {
    const postgres = postgresMeter(database.backendPid);
    const side = async (name, started) => {
      const { client, nodeMeter } = await open(started);
      const writer = new Client(client.origin, { token: database.tokens.writer, connections: CONNECTIONS });
      await open({ stop: () => writer.close() });
      return { name, client: writer, nodeMeter };
    };
    const api = await side('api', startApi(database));
    const limit = await side('limit', startLimit(database));
    const targets = await findTargets(database, api.client, CONNECTIONS);
    const rows = [];
    for (const workload of workloads(targets)) {
      await assertSameRows(database, [api, limit], workload);
      const slices = [];
      for (let round = -WARM_UP_ROUNDS; round < rounds; round += 1) {
        const pair = {};
        // The order of the two servers alternates, so that neither is always measured first.
        for (const one of round % 2 === 0 ? [api, limit] : [limit, api])
          pair[one.name] = await slice(one, workload, { requests, postgres });
        if (round >= 0) slices.push(pair);
      }
      rows.push(report(workload.title, slices));
    }
    printTable([
      ['', 'api/s', 'limit/s', 'ratio', 'p25', 'p75', 'node ms', 'limit', 'pg ms', 'limit', 'ratio of ms'],
      ...rows,
    ]);
  });
}

/** Starts the server with SQL by hand. Its history and events name the recruiter of the API's credential. */
async function startLimit(database) {
  const { ADVISORY_LOCKS } = await import('@ats/postgres');
  const [{ recruiter_id: recruiterId }] = await database.query(
    'SELECT recruiter_id FROM credentials WHERE key_id = $1',
    [database.tokens.writer.split('_')[1]],
  );
  return startServer({
    name: 'limit',
    script: join(import.meta.dirname, 'writes/limit-server.mjs'),
    environment: {
      DATABASE_URL: database.url,
      POOL_SIZE: String(POOL_SIZE),
      RECRUITER_ID: String(recruiterId),
      EVENTS_LOCK: String(ADVISORY_LOCKS.events),
      HISTORY_LOCK: String(ADVISORY_LOCKS.history),
    },
  });
}

/** Sends requests to one server over all connections, each of which writes items of its own. */
async function slice({ client, nodeMeter }, { perRequest = 1, send }, { requests, postgres }) {
  const share = Math.max(1, Math.round(requests / perRequest / CONNECTIONS));
  const [nodeMs, postgresMs, start] = [nodeMeter(), postgres(), performance.now()];
  const connection = async (_, index) => {
    for (let request = 0; request < share; request += 1) await send(client, index);
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, connection));
  const count = share * CONNECTIONS;
  return {
    rate: (count / (performance.now() - start)) * 1000,
    nodeMs: (nodeMeter() - nodeMs) / count,
    postgresMs: (postgres() - postgresMs) / count,
  };
}

/** Judges the measured rates of a workload. @returns {string[]} the row of the workload in the table */
function report(title, slices) {
  const of = (name, value) => slices.map((pair) => value(pair[name]));
  const ratios = slices.map(({ api, limit }) => api.rate / limit.rate);
  const ratio = median(ratios);
  judge(`${title}: at least ${AIM} of the limit`, ratio >= AIM, ratio.toFixed(2));
  const both = (value) => ['api', 'limit'].map((name) => median(of(name, value)).toFixed(2));
  const whole = ({ nodeMs, postgresMs }) => nodeMs + postgresMs;
  return [
    title,
    ...['api', 'limit'].map((name) => median(of(name, ({ rate }) => rate)).toFixed(0)),
    ...[0.5, 0.25, 0.75].map((share) => quantile(ratios, share).toFixed(2)),
    ...both(({ nodeMs }) => nodeMs),
    ...both(({ postgresMs }) => postgresMs),
    median(slices.map(({ api, limit }) => whole(limit) / whole(api))).toFixed(2),
  ];
}
