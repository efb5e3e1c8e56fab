// @ts-check
import { parseOptions, text } from '../options.mjs';
import { PlainError } from '../workspace.mjs';

const usage = `usage: npm run receiver -- [options]
Listens for notifications, verifies their signatures and prints them. Nothing is saved.

  --port N       port to listen on; defaults to the variable PORT, else to the first free port from 4000 on
  --host ADDR    address to listen on, default 127.0.0.1
  --key KEY      the subscription's signing_key; may be given twice while a key is being replaced
  --tolerance S  greatest age of a signature in seconds, default 300
  --status N     answer every message with this status, default 204
  --fail N       answer the first N messages with 500 (or --status), the others with 204, to watch retries
  --help         print this text`;

/**
 * @typedef {object} Options
 * @property {number | undefined} port
 * @property {string} host
 * @property {string[]} keys
 * @property {number} toleranceSeconds
 * @property {(count: number) => number} statusOf status of the answer to the n-th message, counted from 1
 */

/**
 * Reads the options of `npm run receiver`.
 * @param {string[]} args
 * @returns {Options | undefined} undefined after printing the help
 */
export function readOptions(args) {
  const key = /** @type {const} */ ({ type: 'string', multiple: true });
  const options = { port: text, host: text, key, tolerance: text, status: text, fail: text };
  const values = parseOptions(usage, options, args);
  if (!values) return undefined;
  const port = values.port ?? process.env.PORT;
  const failures = values.fail === undefined ? undefined : number('--fail', values.fail, 0, 1_000_000);
  const status = values.status === undefined ? undefined : number('--status', values.status, 200, 599);
  return {
    port: port ? number('--port', port, 1, 65_535) : undefined,
    host: values.host ?? '127.0.0.1',
    keys: values.key ?? [],
    toleranceSeconds: number('--tolerance', values.tolerance ?? '300', 0, 1_000_000_000),
    statusOf: (count) => (failures === undefined ? (status ?? 204) : count <= failures ? (status ?? 500) : 204),
  };
}

/**
 * Reads a whole number within limits.
 * @param {string} name @param {string} given @param {number} least @param {number} greatest
 */
function number(name, given, least, greatest) {
  const value = Number(given);
  if (!/^\d+$/.test(given) || value < least || value > greatest)
    throw new PlainError(`${name}: expected a number from ${least} to ${greatest}`);
  return value;
}
