// @ts-check
import { flag, parseOptions, text } from '../options.mjs';
import { PlainError } from '../workspace.mjs';

const usage = `usage: npm run test:faults [-- options]
Breaks processes, servers and destinations under both apps, and adds up that no message was lost. Every test has a
PostgreSQL and a Redis of its own.

  --fast        the most telling tests, with fewer messages
  --built       on the apps as they were last built
  --only 7,12   only these numbers
  --soak 3600   seconds that the soak takes (120)
  --absent 600  seconds that Redis is away (30)
  --help`;

/**
 * @typedef {object} Options
 * @property {boolean} isFast
 * @property {boolean} isBuilt
 * @property {readonly number[] | null} only
 * @property {number} soakSeconds
 * @property {number} absentSeconds
 */

/**
 * @param {string[]} args
 * @returns {Options | undefined} undefined after printing the help
 */
export function readOptions(args) {
  const options = { fast: flag, built: flag, only: text, soak: text, absent: text };
  const values = parseOptions(usage, options, args);
  if (!values) return undefined;
  return {
    isFast: values.fast === true,
    isBuilt: values.built === true,
    only: values.only === undefined ? null : wholeNumbers('--only', values.only),
    soakSeconds: wholeNumber('--soak', values.soak ?? '120'),
    absentSeconds: wholeNumber('--absent', values.absent ?? '30'),
  };
}

/** @param {string} option @param {string} list */
const wholeNumbers = (option, list) => list.split(',').map((part) => wholeNumber(option, part.trim()));

/** @param {string} option @param {string} given */
function wholeNumber(option, given) {
  if (!/^[1-9]\d{0,5}$/.test(given))
    throw new PlainError(`${option} takes whole numbers from 1, not "${given}"\n\n${usage}`);
  return Number(given);
}
