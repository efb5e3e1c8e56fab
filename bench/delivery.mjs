import { parseArgs } from 'node:util';
import { PlainError } from '../tools/workspace.mjs';
import { Report } from './collections/report.mjs';
import { measureIsolation } from './delivery/isolation.mjs';
import { measureLatency } from './delivery/latency.mjs';
import { Stage } from './delivery/stage.mjs';
import { measureThroughput } from './delivery/throughput.mjs';
import { measureTopics } from './delivery/topics.mjs';

export const projects = ['@ats/api', '@ats/notifier'];

const PARTS = {
  throughput: measureThroughput,
  latency: measureLatency,
  isolation: measureIsolation,
  topics: measureTopics,
};

const usage = `usage: npm run bench -- delivery [--messages N] [--only ${Object.keys(PARTS).join(',')}]
  --messages  size of the backlog in messages; defaults to 20000
  --rate      messages per second for the latency; defaults to half of the measured throughput`;

/**
 * Measures delivery from the commit of an event to the receipt of its message: throughput, latency, isolation from dead
 * destinations, and the cost of many topics. Each part has a database of its own. Exits with 1 when a target is missed.
 * @param {string[]} args
 */
export async function run(args) {
  const { messages, rate, parts } = readOptions(args);
  const report = new Report();
  let most = rate === undefined ? undefined : rate * 2;
  for (const part of parts) {
    console.log(`\n${part}`);
    const stage = await Stage.open();
    try {
      const result = await PARTS[part](stage, { messages, report, rate: most === undefined ? undefined : most / 2 });
      if (part === 'throughput') most = result;
    } finally {
      await stage.close();
    }
  }
}

function readOptions(args) {
  let values;
  try {
    const text = /** @type {const} */ ({ type: 'string' });
    ({ values } = parseArgs({ args, options: { messages: text, rate: text, only: text } }));
  } catch (error) {
    throw new PlainError(`${error.message}\n${usage}`);
  }
  const parts = values.only?.split(',') ?? Object.keys(PARTS);
  const isWrong =
    parts.some((part) => !(part in PARTS)) ||
    [values.messages, values.rate].some((text) => text !== undefined && !/^[1-9]\d{0,7}$/.test(text));
  if (isWrong) throw new PlainError(usage);
  return {
    messages: Number(values.messages ?? '20000'),
    rate: values.rate === undefined ? undefined : Number(values.rate),
    parts,
  };
}
