// @ts-check
import { flag, parseOptions, text } from '../options.mjs';
import { PlainError } from '../workspace.mjs';

export const apps = /** @type {const} */ (['api', 'notifier', 'migrate', 'seed']);
const tasks = /** @type {const} */ (['print', 'check', 'effective', 'json', 'readme']);

const usage = `usage: npm run config -- option [--app ${apps.join('|')}]
The variables of the environment that the processes of the service read.

  --print      all of them: what they do, what reads them, what holds without them
  --check      read the present environment and say what is wrong with it, by name; the exit code is 1 then
  --effective  what is in force in the present environment, with secrets masked
  --json       what --print says, for programs
  --readme     write the table in README.md
  --app <app>  for one process instead of all
  --built      take what is built as it is, without building first
  --help`;

/**
 * @typedef {object} Options
 * @property {typeof tasks[number]} task
 * @property {typeof apps[number] | undefined} app
 * @property {boolean} isBuilt
 */

/**
 * @param {string[]} args
 * @returns {Options | undefined} undefined after printing the help
 */
export function readOptions(args) {
  const options = { print: flag, check: flag, effective: flag, json: flag, readme: flag, built: flag, app: text };
  const values = parseOptions(usage, options, args);
  if (!values) return undefined;
  const [task, ...others] = tasks.filter((name) => values[name]);
  if (task === undefined || others.length > 0)
    throw new PlainError(`say one of ${tasks.map((name) => `--${name}`).join(', ')}\n\n${usage}`);
  const app = apps.find((name) => name === values.app);
  if (values.app !== undefined && app === undefined) throw new PlainError(`--app is one of ${apps.join(', ')}`);
  if (app !== undefined && task === 'readme')
    throw new PlainError('README.md has the variables of all processes: leave --app out');
  return { task, app, isBuilt: values.built === true };
}
