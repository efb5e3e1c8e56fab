// @ts-check
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeAsJson, describeForTerminal, effectiveTexts } from '@ats/configuration';
import { root } from '../workspace.mjs';
import { checkEnvironment } from './check.mjs';
import { loadProcesses } from './processes.mjs';
import { withTable } from './readme.mjs';

/** @typedef {import('./processes.mjs').Process} Process */

/** @type {Record<import('@ats/configuration').Effective['from'], (text: string) => string>} */
const inForce = {
  environment: (text) => text,
  default: (text) => `${text}  (default)`,
  absent: (text) => `-  (not set: ${text})`,
};

const readmeFile = join(root, 'README.md');

/**
 * Runs `npm run config` after the build.
 * @param {import('./options.mjs').Options} options
 */
export async function main({ task, app }) {
  const all = await loadProcesses();
  const chosen = all.filter(({ name }) => app === undefined || name === app);
  switch (task) {
    case 'print':
      return console.log(describeForTerminal(chosen));
    case 'json':
      return console.log(JSON.stringify(describeAsJson(chosen), null, 2));
    case 'check':
      return check(chosen);
    case 'effective':
      return console.log(chosen.map(effective).join('\n\n'));
    case 'readme':
      return writeReadme(all);
  }
}

/**
 * Prints the warnings and errors of the present environment. The exit code is 1 when there are errors.
 * @param {readonly Process[]} processes
 */
function check(processes) {
  const { violations, warnings } = checkEnvironment(processes, process.env);
  for (const warning of warnings) console.error(`warning: ${warning}`);
  if (violations.length > 0)
    console.error(`wrong environment:\n${violations.map((violation) => `  ${violation}`).join('\n')}`);
  else console.log(`The environment is valid for ${processes.map(({ name }) => name).join(', ')}.`);
  process.exitCode = violations.length > 0 ? 1 : 0;
}

/**
 * Describes the effective configuration of one process: one line for each variable.
 * @param {Process} process_
 */
function effective(process_) {
  const lines = effectiveTexts(process_, process.env).map(
    ({ name, text, from }) => `  ${name.padEnd(28)} ${inForce[from](text ?? 'required')}`,
  );
  return [`${process_.name}: ${process_.about}`, ...lines].join('\n');
}

/**
 * Writes the table of variables into README.md.
 * @param {readonly Process[]} processes
 */
function writeReadme(processes) {
  const before = readFileSync(readmeFile, 'utf8');
  const after = withTable(before, processes);
  if (after !== before) writeFileSync(readmeFile, after);
  console.log(after === before ? 'README.md is up to date.' : 'README.md was updated.');
}
