// @ts-check
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { examplesOf, outputFault } from './readme.mjs';

const execute = promisify(execFile);

/**
 * An otherwise empty project that installs one library.
 * @typedef {object} Consumer
 * @property {string} name the name of the library
 * @property {string} dir
 * @property {NodeJS.ProcessEnv} env
 * @property {ReadonlyMap<string, string>} nodes the Node programs that must run the library, by version
 * @property {boolean} isForBrowsers
 */

/**
 * Runs a command in the project of the consumer. Throws an error with its output when it fails.
 * @param {string} command @param {string[]} args @param {Pick<Consumer, 'dir' | 'env'>} consumer
 * @returns {Promise<string>} its output
 */
async function run(command, args, { dir, env }) {
  try {
    return (await execute(command, args, { cwd: dir, env, maxBuffer: 1 << 26, timeout: 120_000 })).stdout;
  } catch (error) {
    const { stdout = '', stderr = '', message = '' } = /** @type {any} */ (error);
    throw new Error(`${stdout}${stderr}`.trim() || message, { cause: error });
  }
}

/**
 * Creates the empty project.
 * @param {Consumer} consumer
 */
export function createConsumer({ dir }) {
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, 'package.json'), '{ "name": "consumer", "version": "1.0.0", "private": true }\n');
}

/** Installs a version of the library by its name. @param {Consumer} consumer @param {string} version */
export async function install(consumer, version) {
  const options = ['--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  await run('npm', ['install', ...options, `${consumer.name}@${version}`], consumer);
  const installed = manifestOf(consumer).version;
  if (installed !== version)
    throw new Error(`expected npm to install version ${version} of ${consumer.name}, found ${installed}`);
}

/** Reads the package.json of the installed library. @param {Consumer} consumer */
export const manifestOf = ({ dir, name }) =>
  JSON.parse(readFileSync(join(dir, 'node_modules', name, 'package.json'), 'utf8'));

/** Returns the names of the entry points with code, such as `@ats/message`. @param {Consumer} consumer */
const entriesOf = (consumer) =>
  Object.entries(manifestOf(consumer).exports)
    .filter(([, target]) => typeof target === 'object')
    .map(([path]) => join(consumer.name, path));

/**
 * Checks that the package has a licence, and a changelog that mentions its version.
 * @param {Consumer} consumer
 */
export function checkFiles(consumer) {
  const folder = join(consumer.dir, 'node_modules', consumer.name);
  for (const file of ['LICENSE', 'CHANGELOG.md'])
    if (!existsSync(join(folder, file))) throw new Error(`the package ${consumer.name} has no ${file}`);
  const { version } = manifestOf(consumer);
  if (!readFileSync(join(folder, 'CHANGELOG.md'), 'utf8').includes(`## ${version}`))
    throw new Error(`CHANGELOG.md of ${consumer.name} has no section for version ${version}`);
}

/**
 * Checks with each Node that `require` and `import` of each entry point give the same names. One process does both:
 * `require` comes first, so that it loads the modules itself.
 * @param {Consumer} consumer
 */
export async function checkNames(consumer) {
  const entries = entriesOf(consumer);
  const code = `const names = (library) => Object.keys(library).sort();
const required = ${JSON.stringify(entries)}.map((entry) => [entry, names(require(entry))]);
Promise.all(required.map(async ([entry, found]) => [entry, found, names(await import(entry))]))
  .then((found) => console.log(JSON.stringify(found)));`;
  for (const [version, node] of consumer.nodes) {
    /** @type {[string, string[], string[]][]} */
    const found = JSON.parse(await run(node, ['--input-type=commonjs', '-e', code], consumer));
    for (const [entry, required, imported] of found) {
      if (imported.length === 0) throw new Error(`expected exports of ${entry}, found none`);
      if (String(imported) !== String(required))
        throw new Error(
          `Node ${version}: import and require of ${entry} give different names: ${imported} and ${required}`,
        );
    }
  }
}

/**
 * Checks with each Node that each example of the README prints what its comments promise.
 * `apps/api-e2e/src/client.e2e-spec.ts` runs the examples that need a service; their types are checked here. Node 20
 * runs no TypeScript.
 * @param {Consumer} consumer
 */
export async function checkExamples(consumer) {
  const examples = readExamples(consumer);
  if (examples.length === 0)
    throw new Error(`the README of ${consumer.name} needs a code block in js or ts that imports it`);
  // Writes all files before the first example runs, because the type check reads them even if an example fails.
  const files = examples.map(({ language }, index) => join(consumer.dir, exampleFile(index, language)));
  for (const [index, { code }] of examples.entries()) writeFileSync(files[index] ?? '', code);
  for (const [index, { language, output, needsService }] of examples.entries()) {
    if (needsService) continue;
    for (const [version, node] of consumer.nodes) {
      if (language === 'ts' && version.startsWith('20.')) continue;
      const fault = outputFault(await run(node, [files[index] ?? ''], consumer), output);
      if (fault) throw new Error(`example ${index + 1}: Node ${version}: ${fault}`);
    }
  }
}

/**
 * Returns the name of the file of an example.
 * @param {number} index @param {string} language
 */
const exampleFile = (index, language) => `example-${index + 1}.m${language}`;
/**
 * Reads the examples in the README of the installed library.
 * @param {Consumer} consumer
 */
const readExamples = ({ dir, name }) =>
  examplesOf(readFileSync(join(dir, 'node_modules', name, 'README.md'), 'utf8'), name);

/** Writes two files for the type check: one imports the library, one requires it. @param {Consumer} consumer */
export function writeTypedUse(consumer) {
  const { dir } = consumer;
  const uses = entriesOf(consumer).map((entry, index) => ({ entry, name: `library${index}` }));
  const names = uses.map(({ name }) => `export const of_${name}: string[] = Object.keys(${name});\n`).join('');
  writeFileSync(
    join(dir, 'use.mts'),
    `${uses.map(({ entry, name }) => `import * as ${name} from '${entry}';\nexport type * as all_${name} from '${entry}';\n`).join('')}${names}`,
  );
  writeFileSync(
    join(dir, 'use.cts'),
    `${uses.map(({ entry, name }) => `import ${name} = require('${entry}');\n`).join('')}${names}`,
  );
}

/** Returns the names of our libraries that a project has installed, without `@ats/`. @param {Consumer} consumer */
export const installedLibraries = ({ dir }) => {
  const scope = join(dir, 'node_modules/@ats');
  return existsSync(scope) ? readdirSync(scope) : [];
};

/**
 * Writes the project file for TypeScript: the uses and the examples of all given projects.
 * @param {string} file @param {readonly Consumer[]} consumers @param {string} typeRoot
 */
export function writeTypeProject(file, consumers, typeRoot) {
  const compilerOptions = {
    ...{ noEmit: true, strict: true, skipLibCheck: false, skipDefaultLibCheck: true, allowJs: true, checkJs: true },
    ...{ noImplicitAny: false, module: 'nodenext', target: 'es2023', types: ['node'], typeRoots: [typeRoot] },
  };
  const files = consumers.flatMap(({ dir }) => {
    const written = existsSync(dir) ? readdirSync(dir) : [];
    return written.filter((name) => /^(?:use|example-\d+)\.[mc][tj]s$/.test(name)).map((name) => join(dir, name));
  });
  writeFileSync(file, JSON.stringify({ compilerOptions, files }));
}

/**
 * Checks the package itself with publint and with Are The Types Wrong. The library is for ESM, which `require` loads too,
 * so resolutions that never find ESM do not count.
 * @param {Consumer} consumer
 * @param {string} tools the folder with the installed tools of the rehearsal
 * @param {Uint8Array} tarball
 * @returns {Promise<string[]>}
 */
export async function lintPackage(consumer, tools, tarball) {
  const load = (/** @type {string} */ file) => import(pathToFileURL(file).href);
  const { publint } = await load(join(tools, 'node_modules/publint/src/index-node.js'));
  const attw = await load(join(tools, 'node_modules/@arethetypeswrong/core/dist/index.js'));
  const { messages } = await publint({
    pkgDir: join(consumer.dir, 'node_modules', consumer.name),
    pack: false,
    strict: true,
  });
  const { problems = [] } = await attw.checkPackage(attw.createPackageFromTarballData(tarball));
  const ignored = ['node10', 'node16-cjs'];
  return [
    ...messages.map((/** @type {any} */ { code, path }) => `publint: ${code} ${path?.join('.') ?? ''}`),
    ...problems
      .filter((/** @type {any} */ { resolutionKind }) => !ignored.includes(resolutionKind))
      .map((/** @type {any} */ problem) => `attw: ${JSON.stringify(problem)}`),
  ];
}
