// @ts-check
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../workspace.mjs';

/**
 * The fields of a package.json that the template reads.
 * @typedef {object} Manifest
 * @property {string} name
 * @property {string} version
 * @property {boolean} [private]
 * @property {string} [description]
 * @property {readonly string[]} [keywords]
 * @property {readonly string[]} [files]
 * @property {Record<string, string | Record<string, string>>} [exports]
 * @property {Record<string, string>} [dependencies]
 * @property {Record<string, string>} [peerDependencies]
 * @property {Record<string, string>} [devDependencies]
 * @property {{ tags: string[] }} nx
 */

/** @typedef {{ folder: string, manifest: Manifest }} Project a folder such as `libs/message`, and its package.json */

/** Returns all projects of a workspace. @returns {Project[]} */
export function readProjects(workspace = root) {
  return ['apps', 'libs'].flatMap((kind) =>
    readdirSync(join(workspace, kind)).map((name) => ({
      folder: `${kind}/${name}`,
      manifest: JSON.parse(readFileSync(join(workspace, kind, name, 'package.json'), 'utf8')),
    })),
  );
}

/**
 * True for a library that other teams install. Only pure libraries, which know nothing of this service, are published.
 * @param {Project} project
 */
export const isPublished = ({ manifest }) => manifest.nx.tags.includes('type:pure');

/**
 * Packages whose objects callers make and pass to a library, or receive from it. Two copies of such a package do not fit
 * together, so the caller chooses the copy: they are peer dependencies.
 */
const shared = [
  ...['autocomplete', 'language', 'lint', 'state', 'view'].map((name) => `@codemirror/${name}`),
  ...['@opentelemetry/api', 'ioredis', 'zod'],
];

/** Returns the fields of package.json that every published library must have. @param {string} folder of the library */
const sameEverywhere = (folder) => ({
  license: 'UNLICENSED',
  repository: { type: 'git', directory: folder },
  type: 'module',
  engines: { node: '^20.19.0 || >=22.12.0' },
  sideEffects: false,
  main: './dist/index.js',
  types: './dist/index.d.ts',
  // npm does not expand this variable. The value is therefore no URL, and `npm publish` and `nx release publish` fail.
  // `npm run release` passes the registry from its environment as an argument.
  publishConfig: { '@ats:registry': '${ATS_REGISTRY}' },
});

/** The order of the fields in each package.json, so that two of these files are easy to compare. */
const order = [
  ...['name', 'version', 'private', 'description', 'license', 'repository', 'keywords', 'type', 'engines', 'bin'],
  ...['sideEffects', 'main', 'types', 'files', 'exports', 'publishConfig', 'nx', 'dependencies', 'peerDependencies'],
  'devDependencies',
];

/**
 * Lists the differences between a package.json and the template.
 * @param {Project} project
 * @param {readonly Project[]} projects all projects
 * @param {(name: string) => string | undefined} lockedVersion the version of a package in the lock file
 * @returns {string[]}
 */
export function templateFaults(project, projects, lockedVersion) {
  const faults = [...fieldFaults(project), ...siblingFaults(project, projects)];
  if (isPublished(project)) faults.push(...peerFaults(project, projects), ...rangeFaults(project, lockedVersion));
  return faults.map((fault) => `${project.folder}: ${fault}`);
}

/**
 * Finds errors in the fields of a package.json.
 * @param {Project} project
 */
function fieldFaults(project) {
  const { folder, manifest } = project;
  const faults = Object.keys(manifest)
    .filter((field) => !order.includes(field))
    .map((field) => `the template has no field ${field}`);
  const places = Object.keys(manifest).map((field) => order.indexOf(field));
  if (places.some((place, index) => place < (places[index - 1] ?? 0))) faults.push(`expected the order ${order}`);
  if (!isPublished(project)) return manifest.private === true ? faults : [...faults, 'private must be true'];

  const { description = '', keywords = [], exports } = manifest;
  for (const [field, expected] of Object.entries(sameEverywhere(folder)))
    if (JSON.stringify(Reflect.get(manifest, field)) !== JSON.stringify(expected))
      faults.push(`${field} must be ${JSON.stringify(expected)}`);
  if (manifest.private !== undefined) faults.push('private must be absent');
  if (!/^[A-Z].{20,118}[^.]$/.test(description)) faults.push('description must be one sentence without a full stop');
  if (keywords.length < 3) faults.push('keywords must be at least three');
  const entry = { '@ats/source': './src/index.ts', types: './dist/index.d.ts', default: './dist/index.js' };
  if (JSON.stringify(exports?.['.']) !== JSON.stringify(entry))
    faults.push(`exports must have ${JSON.stringify(entry)}`);
  return faults;
}

/**
 * Checks dependencies on our other libraries. A published library has version ranges: with exact versions, two
 * libraries of different releases would install two copies of a third one. A private project accepts every version, so
 * that a release does not change its package.json.
 * @param {Project} project @param {readonly Project[]} projects
 */
function siblingFaults(project, projects) {
  const { manifest } = project;
  return Object.entries({ ...manifest.dependencies, ...manifest.devDependencies })
    .filter(([name]) => name.startsWith('@ats/'))
    .flatMap(([name, range]) => {
      const version = projects.find((other) => other.manifest.name === name)?.manifest.version;
      const expected = isPublished(project) ? `^${version}` : '*';
      return range === expected ? [] : [`${name} must be ${expected}, found ${range}`];
    });
}

/**
 * Finds packages that must be peer dependencies, and missing packages that our other libraries have as peer
 * dependencies.
 * @param {Project} project @param {readonly Project[]} projects
 */
function peerFaults({ manifest }, projects) {
  const { dependencies = {}, peerDependencies = {} } = manifest;
  const siblings = projects.filter((other) => Object.hasOwn(dependencies, other.manifest.name));
  return [
    ...shared
      .filter((name) => Object.hasOwn(dependencies, name))
      .map((name) => `${name} must be a peer dependency, because callers pass its objects`),
    ...siblings.flatMap(({ manifest: sibling }) => [
      ...Object.entries(sibling.peerDependencies ?? {})
        .filter(([name, range]) => peerDependencies[name] !== range)
        .map(([name, range]) => `${name} must be the peer dependency ${range}, because ${sibling.name} needs it`),
      ...(sibling.private ? [`${sibling.name} is private, so nobody could install this library`] : []),
    ]),
  ];
}

/**
 * Dependencies are ranges, so that other teams get corrections of third parties without a release of ours. This
 * workspace uses the versions of its lock file. The lowest version of a range is the version that the tests use.
 * @param {Project} project @param {(name: string) => string | undefined} lockedVersion
 */
function rangeFaults({ manifest }, lockedVersion) {
  const { dependencies = {}, peerDependencies = {}, devDependencies = {} } = manifest;
  return [
    ...Object.entries(dependencies)
      .filter(([name, range]) => !name.startsWith('@ats/') && range !== `^${lockedVersion(name)}`)
      .map(([name, range]) => `${name} must be ^${lockedVersion(name)} as in the lock file, found ${range}`),
    ...Object.entries(peerDependencies)
      .filter(([, range]) => !/^\^\d+\.\d+\.\d+$/.test(range))
      .map(([name, range]) => `the peer dependency ${name} must be a range with ^, found ${range}`),
    ...Object.entries(devDependencies)
      .filter(([name, version]) => !name.startsWith('@ats/') && version !== lockedVersion(name))
      .map(([name, version]) => `the development dependency ${name} must be an exact version, found ${version}`),
  ];
}
