/**
 * Checks that other services can install our libraries: `node tools/check-packages.mjs`.
 *
 * Builds and packs all pure libraries and installs them into an empty folder, with dependencies from npm's cache where
 * possible. In that folder Node imports and requires each library by name, TypeScript checks its types, and the example
 * of its README runs.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const consumer = mkdtempSync(join(tmpdir(), 'packages-'));
process.on('exit', () => rmSync(consumer, { recursive: true, force: true }));
for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
])
  process.on(signal, () => process.exit(code));
// Removes the variables that npm sets for scripts, because they would make the npm commands below work on this
// workspace.
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)));

const libraries = findLibraries();
if (!process.argv.includes('--built')) build();
const contents = install();
const faults = libraries.flatMap((library) => {
  const found = check(library);
  console.log(`${found.length === 0 ? 'ok     ' : 'FAILED '} ${library.name}`);
  return found.map((fault) => `${library.name}: ${fault}`);
});
faults.push(...attempt('types of the libraries', checkTypes));
for (const fault of faults) console.error(`FAILED  ${fault}`);
console.log(
  faults.length === 0 ? `Packages: ${libraries.length} install and run alone` : `Packages: ${faults.length} errors`,
);
process.exitCode = faults.length === 0 ? 0 : 1;

function findLibraries() {
  const read = (folder) => JSON.parse(readFileSync(join(root, 'libs', folder, 'package.json'), 'utf8'));
  const all = readdirSync(join(root, 'libs')).map((folder) => ({
    folder: join(root, 'libs', folder),
    ...read(folder),
  }));
  return all.filter(({ nx }) => nx.tags.includes('type:pure'));
}

function build() {
  const names = libraries.map(({ name }) => name).join();
  const nx = join(root, 'node_modules/nx/dist/bin/nx.js');
  run(process.execPath, [nx, 'run-many', '-t', 'build', '-p', names], { cwd: root, env: process.env });
}

/** Packs all libraries and installs them together. @returns the files of each package */
function install() {
  const folders = libraries.map(({ folder }) => folder);
  const packed = JSON.parse(
    run('npm', ['pack', '--json', '--loglevel=error', '--pack-destination', consumer, ...folders]),
  );
  writeFileSync(join(consumer, 'package.json'), '{ "name": "consumer", "private": true }');
  const tarballs = packed.map(({ filename }) => join(consumer, filename));
  run('npm', [
    'install',
    '--prefer-offline',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    ...tarballs,
  ]);
  return new Map(packed.map(({ name, files }) => [name, files.map(({ path }) => path)]));
}

function check({ name, folder, files: named }) {
  return [
    ...findStrayFiles(contents.get(name), named),
    ...attempt('exported names', () => checkNames(name)),
    ...attempt('example of the README', () => runExample(name, join(folder, 'README.md'))),
  ];
}

/** Finds unexpected and missing files of a package. @param named the entries of `files` in its package.json */
function findStrayFiles(files, named) {
  const isExpected = (file) =>
    named.includes(file) ||
    /^(package\.json|README\.md|dist\/lib\/catalogues\/\w+\.json|dist\/.*(?<!spec)\.(js|d\.ts)(\.map)?)$/.test(file);
  return [
    ...files.filter((file) => !isExpected(file)).map((file) => `${file} should not be in the package`),
    ...['README.md', 'dist/index.js', 'dist/index.d.ts']
      .filter((file) => !files.includes(file))
      .map((file) => `${file} is missing`),
  ];
}

function checkNames(name) {
  const print = 'console.log(JSON.stringify(Object.keys(library).sort()))';
  const imported = run(process.execPath, ['--input-type=module', '-e', `import * as library from '${name}'; ${print}`]);
  const required = run(process.execPath, [
    '--input-type=commonjs',
    '-e',
    `const library = require('${name}'); ${print}`,
  ]);
  if (JSON.parse(imported).length === 0) throw new Error('expected exports, found none');
  if (imported !== required) throw new Error(`import gives ${imported}, require gives ${required}`);
}

/**
 * Checks the types of all libraries in one run, from ESM and from CommonJS. A run for each library would read the types
 * of Node each time. The messages of the compiler name the library.
 */
function checkTypes() {
  const [module, script] = [join(consumer, 'types.mts'), join(consumer, 'types.cts')];
  const identifier = (name) => name.replace(/\W/g, '_');
  writeFileSync(module, libraries.map(({ name }) => `export type * as ${identifier(name)} from '${name}';\n`).join(''));
  writeFileSync(
    script,
    libraries
      .map(
        ({ name }) =>
          `import ${identifier(name)} = require('${name}');\nexport const of_${identifier(name)} = Object.keys(${identifier(name)});\n`,
      )
      .join(''),
  );
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2023', '--types', 'node'];
  const typesOfNode = ['--typeRoots', join(root, 'node_modules/@types')];
  run(process.execPath, [join(root, 'node_modules/typescript-7/bin/tsc'), ...options, ...typesOfNode, module, script]);
}

/** Runs the first code block of a README that imports the library by name. */
function runExample(name, readme) {
  const blocks = [...readFileSync(readme, 'utf8').matchAll(/^```(js|ts)\n([\s\S]*?)^```$/gm)];
  const example = blocks.find(([, , code]) => code.includes(`from '${name}'`));
  if (example === undefined) throw new Error(`expected a block of js or ts that imports ${name}, found none`);
  const file = join(consumer, `${name.replace(/\W/g, '-')}-example.m${example[1]}`);
  writeFileSync(file, example[2]);
  run(process.execPath, [file]);
}

function attempt(what, action) {
  try {
    action();
    return [];
  } catch (error) {
    return [`${what}: ${error.message}`];
  }
}

function run(command, parameters, options = {}) {
  try {
    return execFileSync(command, parameters, { cwd: consumer, env, encoding: 'utf8', stdio: 'pipe', ...options });
  } catch (error) {
    throw new Error(`${error.stdout ?? ''}${error.stderr ?? ''}`.trim() || error.message, { cause: error });
  }
}
