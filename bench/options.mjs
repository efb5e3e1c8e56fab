import { parseArgs } from 'node:util';
import { PlainError } from '../tools/workspace.mjs';

/** The part of the usage text that all benchmarks on a seeded database share. */
export const DATABASE_USAGE = `
  --database      URL of a seeded database; without this option the benchmark starts and seeds a PostgreSQL. The
                  benchmark adds two credentials during the run, and uses REDIS_URL when it is set
  --applications  number of applications to seed`;

/**
 * Reads the options of a benchmark. The default of an option decides which values it takes: for a number, a whole
 * number of at least 1; for an array, some of its members, separated by commas.
 * @param {string} name of the benchmark
 * @param {string} usage one line for each option
 * @param {Record<string, number | string | undefined | false | readonly string[]>} defaults by option
 * @param {string[]} args
 * @returns {Record<string, any>}
 */
export function readOptions(name, usage, defaults, args) {
  const fail = (reason) => new PlainError(`${reason}\nusage: npm run bench -- ${name} [options]${usage}`);
  const options = Object.fromEntries(
    Object.entries(defaults).map(([key, value]) => [key, { type: value === false ? 'boolean' : 'string' }]),
  );
  let given;
  try {
    given = parseArgs({ args, options }).values;
  } catch (error) {
    throw fail(error.message);
  }
  const read = (key, text, byDefault) => {
    if (text === undefined) return byDefault;
    if (typeof byDefault === 'number') {
      if (!/^[1-9]\d{0,7}$/.test(text)) throw fail(`the option --${key} must be a whole number of at least 1`);
      return Number(text);
    }
    if (!Array.isArray(byDefault)) return text;
    const unknown = text.split(',').filter((part) => !byDefault.includes(part));
    if (unknown.length > 0) throw fail(`--${key}: unknown ${unknown.join(', ')}`);
    return text.split(',');
  };
  return Object.fromEntries(Object.entries(defaults).map(([key, value]) => [key, read(key, given[key], value)]));
}
