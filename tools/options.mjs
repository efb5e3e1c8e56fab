// @ts-check
import { parseArgs } from 'node:util';
import { PlainError } from './workspace.mjs';

export const flag = /** @type {const} */ ({ type: 'boolean' });
export const text = /** @type {const} */ ({ type: 'string' });

/**
 * Reads the options of a tool. `--help` prints the usage.
 * @template {NonNullable<import('node:util').ParseArgsConfig['options']>} T
 * @param {string} usage
 * @param {T} options
 * @param {string[]} args
 * @returns {ReturnType<typeof parseArgs<{ options: T }>>['values'] | undefined} undefined after printing the usage
 * @throws {PlainError} with the usage, for an unknown or incomplete option
 */
export function parseOptions(usage, options, args) {
  const help = /** @type {const} */ ({ type: 'boolean', short: 'h' });
  const values = parse();
  if (!values.help) return values;
  console.log(usage);
  return undefined;

  /**
   * Parses the options. Turns an error into a PlainError with the usage.
   * @returns {any}
   */
  function parse() {
    try {
      return parseArgs({ args, options: { ...options, help } }).values;
    } catch (error) {
      throw new PlainError(`${/** @type {Error} */ (error).message}\n\n${usage}`);
    }
  }
}
