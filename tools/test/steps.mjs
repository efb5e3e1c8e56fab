// @ts-check
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../workspace.mjs';

/**
 * @typedef {object} Step
 * @property {string} name as `--only` takes it
 * @property {string} about
 * @property {string[]} command
 * @property {'test' | 'test-db' | 'e2e' | 'faults'} [suite] the Nx target whose counts are added up; a step without one is one test, left out
 * when a line of it says `skipped, ` and why
 * @property {boolean} [needsServices]
 * @property {'busy' | 'waiting'} [lane] steps of different lanes run at the same time, once those without a lane are through:
 * some use the processors all the time, some wait for what processes do. They run on what the step `build` has made
 * @property {number} [limitMinutes] several times what it takes on a slow machine; one that takes longer hangs and is ended (10)
 */

const node = process.execPath;
/** @param {string} target */
const nx = (target) => [node, 'node_modules/.bin/nx', 'run-many', '-t', target];
/** On what the step `build` has left: Nx takes it away and puts it back, which would hit what runs in another lane. @param {string} target */
const nxOnBuilt = (target) => [...nx(target), '--excludeTaskDependencies'];

/** By name: not every Node finds them by itself. */
const toolTests = ['tools', 'bench'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.mjs'))
    .map((file) => join(folder, file)),
);

/** In the order in which they run, but for lanes. All of them do, whatever fails. @type {readonly Step[]} */
export const steps = [
  { name: 'lint', about: 'ESLint with the module boundaries', command: nx('lint'), limitMinutes: 15 },
  { name: 'build', about: 'compile every project', command: nx('build') },
  { name: 'typecheck', about: 'tests included', command: nx('typecheck') },
  { name: 'boundaries', about: 'forbidden imports really fail', command: [node, 'tools/check-boundaries.mjs'] },
  { name: 'packages', about: 'libraries install and run alone', command: [node, 'tools/check-packages.mjs'] },
  {
    name: 'messages',
    about: 'every text is there in every language',
    command: [node, 'tools/messages.mjs', '--check'],
  },
  { name: 'tools', about: 'types and tests of the tools', command: [node, '--test', ...toolTests] },
  { name: 'unit', about: 'tests without I/O', command: nx('test'), suite: 'test' },
  {
    name: 'db',
    about: 'tests on PostgreSQL and Redis',
    command: nxOnBuilt('test-db'),
    suite: 'test-db',
    needsServices: true,
    lane: 'busy',
    limitMinutes: 40,
  },
  {
    name: 'oldest',
    about: 'migrations and readings on the oldest PostgreSQL that is supported',
    lane: 'busy',
    command: [
      node,
      'tools/with-services.mjs',
      '--postgres-15',
      node,
      'node_modules/jest/bin/jest.js',
      '-c',
      'libs/domain/jest.db.config.mjs',
      '--runInBand',
      '--reporters=default',
      `--reporters=${join(root, 'tools/jest-ending.mjs')}`,
    ],
  },
  {
    name: 'demo-data',
    about: 'the seed is whole, and the same each time',
    command: [node, 'tools/check-demo-data.mjs'],
    needsServices: true,
    lane: 'busy',
  },
  {
    name: 'e2e',
    about: 'both apps over HTTP',
    command: nxOnBuilt('e2e'),
    suite: 'e2e',
    needsServices: true,
    lane: 'waiting',
    limitMinutes: 25,
  },
  {
    name: 'faults',
    about: 'the fast half of the fault tests, with their closing table',
    command: [node, 'tools/test-faults.mjs', '--fast', '--built'],
    suite: 'faults',
    lane: 'waiting',
    limitMinutes: 25,
  },
  {
    name: 'upgrade',
    about: 'from the release before to this one and back, while clients go on',
    command: [node, 'tools/upgrade.mjs'],
    needsServices: true,
    lane: 'waiting',
  },
  {
    name: 'backup',
    about: 'a database is dumped and restored, and the same',
    command: [node, 'tools/with-services.mjs', '--postgres-15', node, 'tools/backup.mjs'],
    lane: 'waiting',
  },
  {
    name: 'container',
    about: 'the container files, and what they make',
    command: [node, 'tools/container-build.mjs', '--check'],
    needsServices: true,
    lane: 'busy',
    limitMinutes: 15,
  },
];
