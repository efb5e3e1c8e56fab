// @ts-check
import { flag, parseOptions, text } from '../options.mjs';
import { PlainError } from '../workspace.mjs';

const usage = `usage: npm run test:faults [-- options]
Breaks processes, servers and destinations while both apps work, and checks that no message was lost. Every test has
a PostgreSQL and a Redis of its own.

  --fast        run only the tests that are marked as fast, with fewer messages
  --built       use the last build of the apps, without building first
  --only 7,12   run only the tests with these numbers
  --modes strict,batch
                use only these delivery modes: plain, batch, strict, throttle; default all
  --soak 3600   duration of the soak test in seconds, default 120
  --absent 600  time without Redis in seconds, default 30
  --help        print this text`;

const MODES = ['plain', 'batch', 'strict', 'throttle'];

/**
 * @typedef {object} Options
 * @property {boolean} isFast
 * @property {boolean} isBuilt
 * @property {readonly number[] | null} only
 * @property {readonly string[]} modes delivery modes of endpoints
 * @property {number} soakSeconds
 * @property {number} absentSeconds
 */

/**
 * Reads the options of `npm run test:faults`.
 * @param {string[]} args
 * @returns {Options | undefined} undefined after printing the help
 */
export function readOptions(args) {
  const options = { fast: flag, built: flag, only: text, modes: text, soak: text, absent: text };
  const values = parseOptions(usage, options, args);
  if (!values) return undefined;
  return {
    isFast: values.fast === true,
    isBuilt: values.built === true,
    only: values.only === undefined ? null : wholeNumbers('--only', values.only),
    modes: values.modes === undefined ? MODES : modesIn(values.modes),
    soakSeconds: wholeNumber('--soak', values.soak ?? '120'),
    absentSeconds: wholeNumber('--absent', values.absent ?? '30'),
  };
}

/**
 * Reads a list of delivery modes.
 * @param {string} list
 */
function modesIn(list) {
  const modes = list.split(',').map((part) => part.trim());
  const unknown = modes.find((mode) => !MODES.includes(mode));
  if (unknown !== undefined)
    throw new PlainError(`--modes: expected one or more of ${MODES.join(', ')}, found "${unknown}"\n\n${usage}`);
  return modes;
}

/**
 * Reads a list of whole numbers.
 * @param {string} option @param {string} list
 */
const wholeNumbers = (option, list) => list.split(',').map((part) => wholeNumber(option, part.trim()));

/**
 * Reads a whole number.
 * @param {string} option @param {string} given
 */
function wholeNumber(option, given) {
  if (!/^[1-9]\d{0,5}$/.test(given))
    throw new PlainError(`${option}: expected a whole number from 1, found "${given}"\n\n${usage}`);
  return Number(given);
}
