// @ts-check
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root } from '../workspace.mjs';

/** A spec file with this mark in a comment runs in a module registry of its own. */
const ALONE = '@group alone';
/** A spec file with this mark in a comment runs in `npm run test:all` only. */
const LONG = '@group long';
/** A spec file with this mark in a comment runs some of its tests in `npm test`, the others in `npm run test:all`. */
const SPLIT = '@group split';
/**
 * In a spec file with this mark in a comment, `npm test` runs the first quarter of the tests of each block, and
 * `npm run test:all` runs all tests of the file.
 */
const SAMPLE = '@group sample';

/**
 * Number of groups of a project, 1 by default. Groups may run at the same time. The files of a group run one by one,
 * because they share queues in the Redis database of their worker.
 * @type {Readonly<Record<string, number>>}
 */
const GROUPS = { 'apps/api': 3, 'apps/notifier': 2 };

/** Number of groups of unit specs, one for each worker of the step `unit`. */
const UNIT_GROUPS = 2;

/** The start of an app and its database, which every spec file needs, takes as long as the tests in a file of this size. */
const START_WEIGHT = 4_000;

/**
 * Distributes the spec files that need PostgreSQL and Redis.
 * @param {boolean} isLong true for `npm run test:all`, false for `npm test`
 * @returns {{ groups: { name: string, files: string[] }[], alone: string[], sampled: string[] }} paths relative to the
 *   workspace. `sampled` are the files in which only a sample of the tests runs
 */
export function groupSpecs(isLong) {
  const projects = allProjects().filter((project) => existsSync(join(root, project, 'jest.db.config.mjs')));
  const chosen = specsOf(projects, /\.(db|http)-spec\.ts$/).filter(({ text }) =>
    isLong ? [LONG, SPLIT, SAMPLE].some((mark) => text.includes(mark)) : !text.includes(LONG),
  );
  const isAlone = (/** @type {{ text: string }} */ { text }) => text.includes(ALONE);
  const groups = projects.flatMap((project) => {
    const specs = chosen.filter((spec) => spec.file.startsWith(`${project}/`) && !isAlone(spec));
    const weightOf = (/** @type {{ text: string }} */ { text }) =>
      START_WEIGHT + (!isLong && text.includes(SAMPLE) ? text.length / 4 : text.length);
    return balance(specs, weightOf, GROUPS[project] ?? 1).map((group, index) => ({
      name: `${project.split('/')[1]}-${index + 1}`,
      files: group.map(({ file }) => file),
    }));
  });
  return {
    groups,
    alone: chosen.filter(isAlone).map(({ file }) => file),
    sampled: isLong ? [] : chosen.filter(({ text }) => text.includes(SAMPLE)).map(({ file }) => file),
  };
}

/** Returns the unit specs with `@group split`, which `npm run test:all` runs with all of their random cases. */
export const splitUnitSpecs = () =>
  specsOf(allProjects(), /\.spec\.ts$/)
    .filter(({ text }) => text.includes(SPLIT))
    .map(({ file }) => file);

/** Lists the folders of all projects. */
const allProjects = () =>
  ['apps', 'libs'].flatMap((folder) => readdirSync(join(root, folder)).map((name) => join(folder, name)));

/**
 * Reads the spec files of projects whose names match a pattern.
 * @param {readonly string[]} projects
 * @param {RegExp} pattern
 */
const specsOf = (projects, pattern) =>
  projects
    .flatMap((project) => ['src', 'test'].flatMap((folder) => filesBelow(join(project, folder))))
    .filter((file) => pattern.test(file))
    .sort()
    .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }));

/**
 * Writes one entry file per group. A group runs many spec files in one module registry, because loading NestJS and
 * TypeORM takes longer than most spec files.
 * @param {{ isLong: boolean }} options
 * @returns {string[]} for `testMatch` of Jest: the entry files, and the spec files that run alone
 */
export function writeGroups({ isLong }) {
  const { groups, alone, sampled } = groupSpecs(isLong);
  return [
    ...writeEntries(isLong ? 'groups-long' : 'groups', groups, sampled),
    ...alone.map((file) => `<rootDir>/${file}`),
  ];
}

/**
 * Distributes the unit specs of all projects. Each group loads every module that its files share only once.
 * @returns {{ groups: { name: string, files: string[] }[], alone: string[] }} paths relative to the workspace
 */
export function groupUnitSpecs() {
  const specs = specsOf(allProjects(), /\.spec\.ts$/);
  const isAlone = (/** @type {{ text: string }} */ { text }) => text.includes(ALONE);
  const shared = specs.filter((spec) => !isAlone(spec));
  return {
    groups: balance(shared, ({ text }) => text.length, UNIT_GROUPS).map((group, index) => ({
      name: `unit-${index + 1}`,
      files: group.map(({ file }) => file),
    })),
    alone: specs.filter(isAlone).map(({ file }) => file),
  };
}

/**
 * Writes one entry file per group of unit specs.
 * @returns {string[]} for `testMatch` of Jest: the entry files, and the spec files that run alone
 */
export function writeUnitGroups() {
  const { groups, alone } = groupUnitSpecs();
  return [...writeEntries('groups-unit', groups, []), ...alone.map((file) => `<rootDir>/${file}`)];
}

/**
 * Writes the entry files of groups into a folder of `out-test`.
 * @param {string} name  of the folder
 * @param {readonly { name: string, files: string[] }[]} groups
 * @param {readonly string[]} sampled  files in which only a sample of the tests runs
 */
function writeEntries(name, groups, sampled) {
  const folder = join(root, 'out-test', name);
  mkdirSync(folder, { recursive: true });
  const runner = relative(folder, join(root, 'tools/test/run-group.cjs'));
  return groups.map(({ name, files }) => {
    const given = [root, files, files.filter((file) => sampled.includes(file))];
    const texts = given.map((argument) => JSON.stringify(argument, null, 2));
    writeFileSync(join(folder, `${name}.js`), `require('${runner}').runGroup(${texts.join(', ')});\n`);
    return `<rootDir>/${relative(root, folder)}/${name}.js`;
  });
}

/**
 * Lists all files below a folder of the workspace.
 * @param {string} folder
 */
function filesBelow(folder) {
  try {
    return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file));
  } catch {
    return []; // A project may have only one of the two folders.
  }
}

/**
 * Distributes items over groups of similar weight: the heaviest item first, each into the lightest group.
 * @template T
 * @param {readonly T[]} items
 * @param {(item: T) => number} weightOf
 * @param {number} count
 * @returns {T[][]}
 */
function balance(items, weightOf, count) {
  const groups = Array.from({ length: Math.min(count, items.length) }, () => ({
    weight: 0,
    items: /** @type {T[]} */ ([]),
  }));
  for (const item of [...items].sort((a, b) => weightOf(b) - weightOf(a))) {
    const lightest = groups.reduce((least, group) => (group.weight < least.weight ? group : least));
    lightest.weight += weightOf(item);
    lightest.items.push(item);
  }
  return groups.map((group) => group.items);
}
