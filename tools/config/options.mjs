// @ts-check
import { flag, parseOptions, text } from '../options.mjs';
import { PlainError } from '../workspace.mjs';

export const apps = /** @type {const} */ (['api', 'notifier', 'console', 'migrate', 'reseal', 'seed']);
const tasks = /** @type {const} */ (['print', 'check', 'effective', 'json', 'readme']);

const usage = `usage: npm run config -- option [--app ${apps.join('|')}]
Describes and checks the environment variables of the service.

  --print      print all variables with their meanings, defaults and the processes that read them
  --check      check the present environment; print each wrong variable by name and exit with 1 when there is one
  --effective  print the configuration in force in the present environment, with secrets masked
  --json       print the same description as --print, for programs
  --readme     write the table of variables in README.md
  --app <app>  limit the output to one process
  --built      use the present build of the apps, without building first
  --help       print this text`;

/**
 * @typedef {object} Options
 * @property {typeof tasks[number]} task
 * @property {typeof apps[number] | undefined} app
 * @property {boolean} isBuilt
 */

/**
 * Reads the options of `npm run config`.
 * @param {string[]} args
 * @returns {Options | undefined} undefined after printing the help
 */
export function readOptions(args) {
  const options = { print: flag, check: flag, effective: flag, json: flag, readme: flag, built: flag, app: text };
  const values = parseOptions(usage, options, args);
  if (!values) return undefined;
  const [task, ...others] = tasks.filter((name) => values[name]);
  if (task === undefined || others.length > 0)
    throw new PlainError(`expected one of ${tasks.map((name) => `--${name}`).join(', ')}\n\n${usage}`);
  const app = apps.find((name) => name === values.app);
  if (values.app !== undefined && app === undefined) throw new PlainError(`--app must be one of ${apps.join(', ')}`);
  if (app !== undefined && task === 'readme')
    throw new PlainError('README.md has the variables of all processes: leave --app out');
  return { task, app, isBuilt: values.built === true };
}
