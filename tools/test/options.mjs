// @ts-check
import { parseArgs } from 'node:util';
import { PlainError } from '../workspace.mjs';
import { steps } from './steps.mjs';

const usage = `usage: npm test [-- options]
Starts a PostgreSQL and a Redis of its own and runs every check. It may run beside \`npm start\`.

  --only a,b   only these steps: ${steps.map(({ name }) => name).join(', ')}
  --verbose    show the output of all steps, not only of those that fail
  --help

${steps.map(({ name, about }) => `  ${name.padEnd(12)} ${about}`).join('\n')}

A single file: npm run with-services -- npx nx test-db @ats/api <part of its name>`;

/**
 * @param {string[]} args
 * @returns {{ chosen: readonly import('./steps.mjs').Step[], isVerbose: boolean } | undefined} undefined when only help was wanted
 */
export function readOptions(args) {
  const { values } = parse(args);
  if (values.help) {
    console.log(usage);
    return undefined;
  }
  const names = values.only
    ?.split(',')
    .map((name) => name.trim())
    .filter(Boolean);
  const unknown = names?.filter((name) => !steps.some((step) => step.name === name)) ?? [];
  if (unknown.length > 0 || names?.length === 0)
    throw new PlainError(`no such step: ${unknown.join(', ')}\n\n${usage}`);
  return {
    chosen: names ? steps.filter(({ name }) => names.includes(name) || (name === 'build' && needBuild(names))) : steps,
    isVerbose: values.verbose === true,
  };
}

/** @param {readonly string[]} names */
const needBuild = (names) => steps.some(({ name, lane }) => lane && names.includes(name));

/** @param {string[]} args */
function parse(args) {
  try {
    return parseArgs({
      args,
      options: { only: { type: 'string' }, verbose: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
    });
  } catch (error) {
    throw new PlainError(`${/** @type {Error} */ (error).message}\n\n${usage}`);
  }
}
