// @ts-check
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../workspace.mjs';

/** @typedef {import('@ats/configuration').ConfigurationDescription} Configuration */

/** Variables that the images set. The chart must not change them, because Services refer to the ports. */
const setByImages = ['PORT', 'NOTIFIER_PORT', 'CONSOLE_PORT', 'RELEASE'];

/**
 * Reads the declarations of all environment variables.
 * @returns {Configuration} the declarations of the built apps
 */
export const readConfiguration = () =>
  JSON.parse(
    execFileSync(process.execPath, [join(root, 'tools/config.mjs'), '--json', '--built'], { encoding: 'utf8' }),
  );

/**
 * Generates files/variables.json, the description of the variables for the templates.
 * @param {Configuration} configuration
 */
export function chartVariables({ processes, variables }) {
  const wanted = variables.filter(({ name }) => !setByImages.includes(name));
  const isWanted = (/** @type {string} */ name) => wanted.some((variable) => variable.name === name);
  return {
    readBy: Object.fromEntries(
      processes
        .filter(({ name }) => !['seed', 'reseal'].includes(name))
        .map((process) => [process.name, process.variables.filter(isWanted)]),
    ),
    secrets: wanted.filter(({ isSecret }) => isSecret).map(({ name }) => name),
    required: wanted.filter(({ isRequired }) => isRequired).map(({ name }) => name),
  };
}

/**
 * Generates the JSON Schema of `config` or `secrets`.
 * @param {Configuration} configuration
 * @param {{ isSecret: boolean }} options
 */
export function variablesSchema({ variables }, { isSecret }) {
  const wanted = variables.filter((variable) => variable.isSecret === isSecret && !setByImages.includes(variable.name));
  return {
    type: 'object',
    properties: Object.fromEntries(wanted.map(({ name, schema }) => [name, schema])),
    additionalProperties: false,
    required: wanted.filter(({ isRequired }) => isRequired).map(({ name }) => name),
  };
}
