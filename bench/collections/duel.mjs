import { median, quantile, sum } from '../measure.mjs';

export const CONNECTIONS = 8;
const PAIRS = 10;
/** Duration of the warm-up, in which a new process opens connections, caches query plans and compiles its code. */
const WARM_UP_MS = 3_000;
/** Maps the heading of a column to the name of the figure in the column. */
const COLUMNS = { 'p50 ms': 'p50', 'p99 ms': 'p99', 'node ms': 'nodeMs', 'pg ms': 'postgresMs' };

/**
 * @typedef {object} Side one of the two servers that are compared
 * @property {string} name
 * @property {import('./client.mjs').Client} client
 * @property {() => number} nodeMeter reads the CPU time of the server's process in ms
 * @property {(request: any) => string} pathOf the path of a request at this server
 * @property {(headers: object, sentAt: number) => void} [onAnswer]
 * @property {() => void} [onTurn] called before each period in which this side is measured
 */

/** @typedef {{ rate: number, latencies: number[], nodeMs: number, postgresMs: number, count: number }} Slice */

/**
 * Compares two servers, which take turns on the same requests in short slices. Other load of the machine therefore
 * affects both alike.
 * @param {readonly [Side, Side]} sides
 * @param {readonly unknown[]} requests
 * @param {{ seconds: number, postgresMeter: () => number }} options `seconds` is the time for each side
 */
export async function duel(sides, requests, { seconds, postgresMeter }) {
  const sliceMs = (seconds * 1000) / PAIRS;
  for (const side of sides) await slice(side, requests, { first: 0, sliceMs: WARM_UP_MS, postgresMeter });
  const run = (side, first) => slice(side, requests, { first, sliceMs, postgresMeter });
  /** @type {[Slice, Slice][]} */
  const pairs = [];
  for (let pair = 0; pair < PAIRS; pair++) {
    const first = Math.floor((pair * requests.length) / PAIRS);
    const [left, right] = sides;
    // The order of the two servers alternates, so that neither is always measured first.
    if (pair % 2 === 0) pairs.push([await run(left, first), await run(right, first)]);
    else pairs.push([await run(right, first), await run(left, first)].reverse());
  }
  return {
    ratio: median(pairs.map(([left, right]) => left.rate / right.rate)),
    figures: sides.map(({ name }, index) =>
      figuresOf(
        name,
        pairs.map((pair) => pair[index]),
      ),
    ),
  };
}

/** Returns the headings of the columns that `cellsOf` fills. `other` is the heading of the second side. */
export const headingsWith = (other) => Object.keys(COLUMNS).flatMap((name) => [name, other]);

/** Returns the cells of one row of a table: each figure of the first side, followed by that of the second side. */
export const cellsOf = (figures) =>
  Object.values(COLUMNS).flatMap((name) => figures.map((side) => side[name].toFixed(2)));

/**
 * Sends requests to one server for the length of a slice, and measures it.
 * @returns {Promise<Slice>}
 */
async function slice({ client, nodeMeter, pathOf, onAnswer, onTurn }, requests, { first, sliceMs, postgresMeter }) {
  onTurn?.();
  const latencies = [];
  let next = first;
  const [nodeMs, postgresMs, start] = [nodeMeter(), postgresMeter(), performance.now()];
  const connection = async () => {
    for (let sentAt = performance.now(); sentAt - start < sliceMs; ) {
      const headers = await client.read(pathOf(requests[next++ % requests.length]));
      onAnswer?.(headers, sentAt);
      const now = performance.now();
      latencies.push(now - sentAt);
      sentAt = now;
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, connection));
  const elapsedMs = performance.now() - start;
  return {
    rate: (latencies.length / elapsedMs) * 1000,
    latencies,
    count: latencies.length,
    nodeMs: nodeMeter() - nodeMs,
    postgresMs: postgresMeter() - postgresMs,
  };
}

function figuresOf(name, slices) {
  const latencies = slices.flatMap((slice) => slice.latencies);
  const count = sum(slices.map((slice) => slice.count));
  return {
    name,
    rate: median(slices.map(({ rate }) => rate)),
    p50: median(latencies),
    p99: quantile(latencies, 0.99),
    nodeMs: sum(slices.map((slice) => slice.nodeMs)) / count,
    postgresMs: sum(slices.map((slice) => slice.postgresMs)) / count,
  };
}
