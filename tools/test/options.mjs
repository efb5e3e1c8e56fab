// @ts-check
import { flag, parseOptions, text } from '../options.mjs';
import { PlainError } from '../workspace.mjs';
import { steps } from './steps.mjs';

const usage = `usage: npm test [-- options], or npm run test:all [-- options]
Starts PostgreSQL and Redis servers of its own, so it may run beside \`npm start\`. \`npm test\` runs the checks that
every change must pass. \`npm run test:all\` runs only the long ones.

  --only a,b   run only these steps: ${steps.map(({ name }) => name).join(', ')}
  --long       run the long steps, as \`npm run test:all\` does
  --verbose    show the output of all steps, not only of failed steps
  --help       print this text

${steps.map(({ name, about, isLong }) => `  ${name.padEnd(12)} ${about}${isLong ? ' (long)' : ''}`).join('\n')}

To run a single file: npm run with-services -- npx nx test-db @ats/api <part of its name>`;

/**
 * Reads the options of `npm test`.
 * @param {string[]} args
 * @returns {{ chosen: readonly import('./steps.mjs').Step[], isVerbose: boolean } | undefined}
 *   undefined after printing the help
 */
export function readOptions(args) {
  const values = parseOptions(usage, { only: text, long: flag, verbose: flag }, args);
  if (!values) return undefined;
  const names = values.only
    ?.split(',')
    .map((name) => name.trim())
    .filter(Boolean);
  const unknown = names?.filter((name) => !steps.some((step) => step.name === name)) ?? [];
  if (unknown.length > 0 || names?.length === 0)
    throw new PlainError(`there is no step of this name: ${unknown.join(', ')}\n\n${usage}`);
  return {
    chosen: steps.filter(({ name, isLong = false }) =>
      names
        ? names.includes(name) || (name === 'build' && needBuild(names))
        : isLong === (values.long === true) || (name === 'build' && values.long),
    ),
    isVerbose: values.verbose === true,
  };
}

/**
 * True when one of the steps uses the output of `build`.
 * @param {readonly string[]} names
 */
const needBuild = (names) => steps.some(({ name, lane }) => lane && names.includes(name));
