// @ts-check
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../workspace.mjs';

/** @typedef {import('@ats/configuration').ConfigurationDescription} Configuration */

/** Set by the images: what listens to a port elsewhere must know it too. */
const setByImages = ['PORT', 'NOTIFIER_PORT', 'RELEASE'];

/** @returns {Configuration} what the apps declare, as they are built */
export const readConfiguration = () =>
  JSON.parse(
    execFileSync(process.execPath, [join(root, 'tools/config.mjs'), '--json', '--built'], { encoding: 'utf8' }),
  );

/**
 * What templates need to know of the variables.
 * @param {Configuration} configuration
 */
export function chartVariables({ processes, variables }) {
  const wanted = variables.filter(({ name }) => !setByImages.includes(name));
  const isWanted = (/** @type {string} */ name) => wanted.some((variable) => variable.name === name);
  return {
    readBy: Object.fromEntries(
      processes
        .filter(({ name }) => name !== 'seed')
        .map((process) => [process.name, process.variables.filter(isWanted)]),
    ),
    secrets: wanted.filter(({ isSecret }) => isSecret).map(({ name }) => name),
    required: wanted.filter(({ isRequired }) => isRequired).map(({ name }) => name),
  };
}

/**
 * The JSON Schema of the texts under `config` or `secrets`.
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
