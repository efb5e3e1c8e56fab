// @ts-check
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../workspace.mjs';

/**
 * @typedef {object} Step
 * @property {string} name as `--only` takes it
 * @property {string} about
 * @property {string[]} command
 * @property {string} [suite] the suite of Jest whose counts are added up. A step without one is one test. It is skipped
 * when a line of its output says `skipped, ` and why
 * @property {string} [project] the project that runs the suite. Defaults to the workspace
 * @property {boolean} [needsServices]
 * @property {string} [lane] Lanes run at the same time, once the steps without a lane are through. They use what the step
 * `build` has made
 * @property {boolean} [isLong] runs in `npm run test:all`, not in `npm test`
 * @property {NodeJS.ProcessEnv} [env] added to the environment
 * @property {number} [limitMinutes] Ends a step that hangs. Several times what it takes on a slow machine. Defaults to 10
 */

const node = process.execPath;
const jest = [node, 'node_modules/jest/bin/jest.js'];
/** @param {string} target */
const nx = (target) => [node, 'node_modules/.bin/nx', 'run-many', '-t', target];

/** By name: not every Node finds them by itself. */
const toolTests = ['tools', 'bench'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.mjs'))
    .map((file) => join(folder, file)),
);

/** The fault tests of `npm test`. The others of the fast half run in `npm run test:all`. */
const SHORT_FAULTS = [1, 7, 12];
const otherFaults = readdirSync(join(root, 'apps/api-e2e/src/faults'))
  .flatMap((file) => /^(\d\d)-.*\.fault-spec\.ts$/.exec(file)?.[1] ?? [])
  .map(Number)
  .filter((number) => !SHORT_FAULTS.includes(number));
/** @param {readonly number[]} except */
const faults = (except) => [node, 'tools/test-faults.mjs', '--fast', '--built', '--except', except.join()];

/** In the order in which they run within a lane. All of them run, whatever fails. @type {readonly Step[]} */
export const steps = [
  { name: 'build', about: 'compile every project', command: nx('build') },
  { name: 'typecheck', about: 'tests included', command: nx('typecheck') },
  { name: 'format', about: 'Biome', lane: 'checks', command: [node, 'node_modules/.bin/biome', 'format', '.'] },
  {
    name: 'commits',
    about: 'titles of commits',
    lane: 'checks',
    command: ['npm', 'run', '--silent', 'lint:commits'],
  },
  {
    name: 'messages',
    about: 'every text is there in every language',
    lane: 'checks',
    command: [node, 'tools/messages.mjs', '--check'],
  },
  {
    name: 'lint',
    about: 'ESLint with the module boundaries, and oxlint for the rules that need types',
    lane: 'checks',
    command: [node, 'tools/lint.mjs'],
  },
  {
    name: 'structure',
    about: 'no cycles of files or folders, layers, frozen migrations',
    lane: 'checks',
    command: ['npm', 'run', '--silent', 'lint:structure'],
  },
  {
    name: 'boundaries',
    about: 'forbidden imports really fail',
    lane: 'checks',
    command: [node, 'tools/check-boundaries.mjs'],
  },
  {
    name: 'packages',
    about: 'libraries install and run alone',
    lane: 'checks',
    command: [node, 'tools/check-packages.mjs', '--built'],
  },
  {
    name: 'tools',
    about: 'types and tests of the tools',
    lane: 'checks',
    command: [node, '--test', ...toolTests],
  },
  {
    name: 'unit',
    about: 'tests without I/O',
    lane: 'specs',
    command: [...jest, '--maxWorkers=2'],
    suite: 'test',
  },
  {
    name: 'db',
    about: 'tests on PostgreSQL and Redis',
    lane: 'specs',
    command: [...jest, '-c', 'jest.db.config.mjs', '--maxWorkers=2'],
    suite: 'test-db',
    needsServices: true,
    limitMinutes: 40,
  },
  {
    name: 'demo-data',
    about: 'the seed is whole, and the same each time',
    lane: 'specs',
    command: [node, 'tools/check-demo-data.mjs'],
    needsServices: true,
  },
  {
    name: 'e2e',
    about: 'both apps over HTTP',
    lane: 'processes',
    command: [...jest, '-c', 'apps/api-e2e/jest.e2e.config.mjs', '--runInBand'],
    suite: 'e2e',
    project: 'apps/api-e2e',
    needsServices: true,
    limitMinutes: 25,
  },
  {
    name: 'faults',
    about: `the fault tests ${SHORT_FAULTS.join(', ')} of the fast half, with their closing table`,
    lane: 'processes',
    command: faults(otherFaults),
    suite: 'faults',
    project: 'apps/api-e2e',
    limitMinutes: 25,
  },
  {
    name: 'db-long',
    about: 'the spec files with `@group long`, and the long part of those with `@group split`',
    isLong: true,
    lane: 'specs',
    command: [...jest, '-c', 'jest.db.config.mjs', '--maxWorkers=2'],
    suite: 'test-db',
    env: { TEST_ALL: '1' },
    needsServices: true,
    limitMinutes: 40,
  },
  {
    name: 'oldest',
    about: 'the tests of the domain on the oldest PostgreSQL that is supported',
    isLong: true,
    lane: 'specs',
    command: [
      node,
      'tools/with-services.mjs',
      '--postgres-15',
      ...jest,
      '-c',
      'libs/domain/jest.db.config.mjs',
      '--runInBand',
      '--reporters=default',
      `--reporters=${join(root, 'tools/jest-ending.mjs')}`,
    ],
    limitMinutes: 20,
  },
  {
    name: 'faults-long',
    about: 'the other fault tests of the fast half',
    isLong: true,
    lane: 'processes',
    command: faults(SHORT_FAULTS),
    suite: 'faults',
    project: 'apps/api-e2e',
    limitMinutes: 40,
  },
  {
    name: 'upgrade',
    about: 'from the release before to this one and back, while clients go on',
    isLong: true,
    command: [node, 'tools/upgrade.mjs'],
    needsServices: true,
    lane: 'processes',
  },
  {
    name: 'backup',
    about: 'a database is dumped and restored, and the same',
    isLong: true,
    command: [node, 'tools/with-services.mjs', '--postgres-15', node, 'tools/backup.mjs'],
    lane: 'processes',
  },
  {
    name: 'container',
    about: 'both images are built by a container engine, and start',
    isLong: true,
    command: [node, 'tools/container.mjs'],
    needsServices: true,
    lane: 'specs',
    limitMinutes: 30,
  },
];
