// @ts-check
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../workspace.mjs';

/**
 * @typedef {object} Step
 * @property {string} name the name for `--only`
 * @property {string} about the text for `--help`
 * @property {string[]} command
 * @property {string} [suite] the Jest suite whose counts are added up. A step without a suite counts as one test. It
 *   counts as skipped when a line of its output begins with `skipped, `
 * @property {string} [project] folder of the project that runs the suite. Defaults to the root of the workspace
 * @property {boolean} [needsServices]
 * @property {string} [lane] lanes run at the same time, after the steps without a lane. They use the output of `build`
 * @property {boolean} [isLong] runs in `npm run test:all`, not in `npm test`
 * @property {NodeJS.ProcessEnv} [env] added to the environment
 * @property {number} [limitMinutes] a step that takes longer is stopped. Defaults to 10. The limit is several times the
 *   duration of the step on a slow machine
 */

const node = process.execPath;
/** Makes programs in Go, such as the type checker, collect garbage less often. They need less time and more memory. */
const lessGarbageCollection = { GOGC: '400' };
const jest = [node, 'node_modules/jest/bin/jest.js'];
/**
 * Returns the command that runs a target of all projects.
 * @param {string} target
 */
const nx = (target) => [node, 'node_modules/.bin/nx', 'run-many', '-t', target];

/**
 * Lists the test files of the tools: the files with `@group long`, or all other files. The result has no pattern,
 * because not every supported version of Node expands patterns.
 * @param {boolean} isLong
 */
const toolTests = (isLong) =>
  ['tools', 'bench']
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.test.mjs'))
        .map((file) => join(folder, file)),
    )
    .filter((file) => readFileSync(join(root, file), 'utf8').includes('@group long') === isLong);

/**
 * The steps in the order in which they run within a lane. A failed step does not stop the others.
 * @type {readonly Step[]}
 */
export const steps = [
  { name: 'build', about: 'compile every project', command: nx('build'), env: lessGarbageCollection },
  {
    name: 'typecheck',
    about: 'check the types of sources and tests',
    lane: 'checks',
    command: nx('typecheck'),
    env: lessGarbageCollection,
  },
  {
    name: 'format',
    about: 'check the format with Biome',
    lane: 'checks',
    command: [node, 'node_modules/.bin/biome', 'format', '.'],
  },
  {
    name: 'commits',
    about: 'check that titles of commits follow the convention',
    lane: 'checks',
    command: ['npm', 'run', '--silent', 'lint:commits'],
  },
  {
    name: 'messages',
    about: 'check that every text has a translation in every language',
    lane: 'checks',
    command: [node, 'tools/messages.mjs', '--check'],
  },
  {
    name: 'lint',
    about: 'run oxlint, and ESLint for module boundaries',
    lane: 'checks',
    command: [node, 'tools/lint.mjs'],
    env: lessGarbageCollection,
  },
  {
    name: 'structure',
    about: 'check layers, frozen migrations, and that files and folders have no cycles',
    lane: 'checks',
    command: ['npm', 'run', '--silent', 'lint:structure'],
  },
  {
    name: 'tools',
    about: 'check the types of the tools, and run their tests',
    lane: 'checks',
    command: [node, '--test', ...toolTests(false)],
  },
  {
    name: 'unit',
    about: 'unit tests, which do no I/O',
    lane: 'checks',
    command: [...jest, '-c', 'jest.unit.config.mjs', '--maxWorkers=2'],
    suite: 'test',
  },
  {
    name: 'db',
    about: 'tests on PostgreSQL and Redis',
    lane: 'specs',
    command: [...jest, '-c', 'jest.db.config.mjs', '--maxWorkers=4'], // specs often wait for servers
    suite: 'test-db',
    needsServices: true,
    limitMinutes: 40,
  },
  {
    name: 'e2e',
    about: 'end-to-end tests: both apps as processes, over HTTP',
    lane: 'processes',
    command: [...jest, '-c', 'apps/api-e2e/jest.e2e.config.mjs', '--runInBand'],
    suite: 'e2e',
    project: 'apps/api-e2e',
    needsServices: true,
    limitMinutes: 40,
  },
  {
    name: 'tools-long',
    about: 'the tests of the tools with `@group long`',
    isLong: true,
    lane: 'processes',
    command: [node, '--test', ...toolTests(true)],
  },
  {
    name: 'unit-long',
    about: 'the unit tests with `@group split`, with all of their random cases',
    isLong: true,
    lane: 'processes',
    command: [...jest, '--runInBand'],
    suite: 'test',
    env: { TEST_ALL: '1' },
  },
  {
    name: 'db-long',
    about: 'files with `@group long`, the long part of `@group split`, and all tests of `@group sample`',
    isLong: true,
    lane: 'specs',
    command: [...jest, '-c', 'jest.db.config.mjs', '--maxWorkers=2'],
    suite: 'test-db',
    env: { TEST_ALL: '1' },
    needsServices: true,
    limitMinutes: 60,
  },
  {
    name: 'e2e-long',
    about: 'the end-to-end tests with `@group long`',
    isLong: true,
    lane: 'processes',
    command: [...jest, '-c', 'apps/api-e2e/jest.e2e.config.mjs', '--runInBand'],
    suite: 'e2e',
    project: 'apps/api-e2e',
    env: { TEST_ALL: '1' },
    needsServices: true,
    limitMinutes: 40,
  },
  {
    name: 'oldest',
    about: 'the tests of the domain on the oldest supported PostgreSQL',
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
    name: 'site',
    about: 'open the pages of the documentation site in Chromium',
    isLong: true,
    lane: 'processes',
    command: [node, 'tools/site.mjs'],
    limitMinutes: 40,
  },
  {
    name: 'faults',
    about: 'the fast fault tests, with few messages, plain and with strict ordering',
    isLong: true,
    lane: 'processes',
    command: [node, 'tools/test-faults.mjs', '--fast', '--built', '--modes', 'plain,strict'],
    suite: 'faults',
    project: 'apps/api-e2e',
    limitMinutes: 40,
  },
  {
    name: 'upgrade',
    about: 'upgrade from the previous release and back, under traffic',
    isLong: true,
    command: [node, 'tools/upgrade.mjs'],
    needsServices: true,
    lane: 'processes',
  },
  {
    name: 'backup',
    about: 'dump and restore a database, and compare both',
    isLong: true,
    command: [node, 'tools/with-services.mjs', '--postgres-15', node, 'tools/backup.mjs'],
    lane: 'processes',
  },
  {
    name: 'container',
    about: 'build, check and start both images with a container engine',
    isLong: true,
    command: [node, 'tools/container.mjs'],
    needsServices: true,
    lane: 'specs',
    limitMinutes: 30,
  },
  {
    name: 'demo-data',
    about: 'check that the demo data is consistent and the same each time',
    isLong: true,
    lane: 'specs',
    command: [node, 'tools/check-demo-data.mjs'],
    needsServices: true,
  },
  {
    name: 'packages',
    about: 'rehearse releases of the pure libraries, and use each one alone',
    isLong: true,
    lane: 'processes',
    command: [node, 'tools/check-packages.mjs', '--built'],
    limitMinutes: 20,
  },
  {
    name: 'openapi',
    about: 'lint the OpenAPI document, and compile what public generators make of it',
    isLong: true,
    lane: 'processes',
    command: [node, 'tools/check-openapi.mjs'],
    limitMinutes: 15,
  },
  {
    name: 'audit',
    about: 'compare the packages of the running service with known vulnerabilities, if the registry answers',
    isLong: true,
    lane: 'processes',
    command: [node, 'tools/audit-dependencies.mjs'],
  },
  {
    name: 'boundaries',
    about: 'check that forbidden imports fail the lint',
    isLong: true,
    lane: 'processes',
    command: [node, 'tools/check-boundaries.mjs'],
  },
];
