// @ts-check
/**
 * Checks the OpenAPI document with public tools, after `npm run build`. Redocly and Spectral must report no problem.
 * The code that public generators make from the document must compile, and the generated client must sign in.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { runTool } from './node.mjs';
import { canInstallPackages, installPackages } from './services/debian-package.mjs';
import { PlainError, root } from './workspace.mjs';

const FOLDER = 'tools/openapi/openapi-checks';
/**
 * Path of the example of an event type. The example has the properties `type` and `example`, so Spectral takes it for a
 * schema. The tests of the API validate the example.
 */
const EVENT_TYPE_EXAMPLE = 'components/schemas/event_type/examples/';
/** Exit codes of Redocly and Spectral when they have found problems. */
const FOUND = [1, 2];

await runTool(async () => {
  const [{ loadDocuments }, { installTools }] = await Promise.all([
    import('./openapi/documents.mjs'),
    import('./packages/tools.mjs'),
  ]);
  const { versions, standard, documentOf } = await loadDocuments('http://localhost:3000');
  const tools = installTools(FOLDER);
  const dir = mkdtempSync(join(tmpdir(), 'openapi-'));
  try {
    for (const version of new Set([standard, versions.at(-1) ?? standard])) {
      const file = join(dir, `openapi-${version}.json`);
      writeFileSync(file, JSON.stringify(documentOf(version)));
      const problems = [...redoclyProblems(tools, file), ...spectralProblems(tools, file)];
      if (problems.length > 0)
        throw new PlainError(`the OpenAPI document of version ${version} has problems:\n${problems.join('\n')}`);
      console.log(`OpenAPI document of version ${version}: Redocly and Spectral report no problem`);
    }
    const document = join(dir, `openapi-${standard}.json`);
    compileTypeScript(tools, dir, document);
    await compileFetchClient(dir, document);
    await compileJava(tools, dir, document);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
});

/**
 * Runs a program that is installed in the folder `tools`.
 * @param {string} tools @param {string} program @param {readonly string[]} args
 */
function run(tools, program, ...args) {
  const { status, stdout, stderr, error } = spawnSync(join(tools, 'node_modules/.bin', program), args, {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 ** 2,
  });
  if (error) throw error;
  if (status !== 0 && !FOUND.includes(Number(status)))
    throw new PlainError(`${program} ended with exit code ${status}. Its errors:\n${stderr}`);
  return { status, stdout, stderr };
}

/**
 * Lists the problems that Redocly finds in the document.
 * @param {string} tools @param {string} file @returns {readonly string[]}
 */
function redoclyProblems(tools, file) {
  const config = join(root, FOLDER, 'redocly.yaml');
  const { stdout } = run(
    tools,
    'redocly',
    'lint',
    file,
    '--config',
    config,
    '--format',
    'json',
    '--max-problems',
    '1000',
  );
  /** @type {{ problems: { ruleId: string, message: string, location: { pointer: string }[] }[] }} */
  const { problems } = JSON.parse(stdout.slice(stdout.indexOf('{')));
  return problems.map(({ ruleId, message, location }) => `Redocly ${ruleId} at ${location[0]?.pointer}: ${message}`);
}

/**
 * Lists the problems that Spectral finds in the document.
 * @param {string} tools @param {string} file @returns {readonly string[]}
 */
function spectralProblems(tools, file) {
  const ruleset = join(root, FOLDER, 'spectral.yaml');
  const { stdout } = run(tools, 'spectral', 'lint', file, '--ruleset', ruleset, '--format', 'json', '--quiet');
  /** @type {{ code: string, message: string, path: string[] }[]} */
  const problems = JSON.parse(stdout.slice(stdout.indexOf('['), stdout.lastIndexOf(']') + 1) || '[]');
  return problems
    .filter(({ code, path }) => code !== 'oas3-valid-schema-example' || !path.join('/').startsWith(EVENT_TYPE_EXAMPLE))
    .map(({ code, message, path }) => `Spectral ${code} at ${path.join('/')}: ${message}`);
}

/** Compiles the types that openapi-typescript makes. @param {string} tools @param {string} dir @param {string} file */
function compileTypeScript(tools, dir, file) {
  const types = join(dir, 'types.ts');
  generate(tools, 'openapi-typescript', file, '--output', types);
  checkTypes(dir, types);
  console.log('the types that openapi-typescript generates compile');
}

/**
 * Compiles the client that `@hey-api/openapi-ts` makes with its default options, and makes a call with the client. The
 * document has several security schemes, and the call must send its token as a bearer token. The generator of
 * `libs/client` has other options and its own sign-in, so `tools/client.test.mjs` does not check this.
 * @param {string} dir @param {string} file
 */
async function compileFetchClient(dir, file) {
  const [{ createClient }, { build }] = await Promise.all([import('@hey-api/openapi-ts'), import('esbuild')]);
  const folder = join(dir, 'hey-api');
  await createClient({ input: file, output: { path: folder }, logs: { level: 'silent', file: false } });
  const index = join(folder, 'index.ts');
  checkTypes(dir, '--module', 'esnext', '--moduleResolution', 'bundler', '--target', 'es2023', index);
  const bundle = join(dir, 'hey-api.mjs');
  const contents = `export { createClient } from './client'; export { credentialsGetMe } from './sdk.gen';`;
  await build({ stdin: { contents, resolveDir: folder }, bundle: true, format: 'esm', outfile: bundle });
  const client = await import(pathToFileURL(bundle).href);
  /** @type {(string | null)[]} */
  const sent = [];
  /** @param {Request} request */
  const fetch = (request) => {
    sent.push(request.headers.get('authorization'));
    return Promise.resolve(Response.json({}));
  };
  await client.credentialsGetMe({ client: client.createClient({ baseUrl: 'http://test', auth: 'token', fetch }) });
  if (sent.join() !== 'Bearer token')
    throw new PlainError(`the client that @hey-api/openapi-ts generates signs in with: ${sent.join()}`);
  console.log('the client that @hey-api/openapi-ts generates compiles and signs in');
}

/** Checks the types of files with `tsc`. @param {string} dir @param {readonly string[]} args options and files */
function checkTypes(dir, ...args) {
  const tsc = join(root, 'node_modules/.bin/tsc');
  execFileSync(tsc, ['--ignoreConfig', '--noEmit', '--strict', ...args], { cwd: dir, stdio: 'inherit' });
}

/**
 * Compiles the Java client that Redocly makes. It has all operations and needs only the standard library.
 * @param {string} tools @param {string} dir @param {string} file
 */
async function compileJava(tools, dir, file) {
  if (!(await hasJavaCompiler(dir))) {
    const reason = 'the Java client of Redocly was not compiled, because this machine has no javac';
    if (process.env['CI'] !== undefined) throw new PlainError(`${reason}. Install a JDK.`);
    console.log(`skipped, ${reason}`);
    return;
  }
  generate(tools, 'redocly', 'generate-client', file, '--generator', 'java', '--output', join(dir, 'client.ts'));
  execFileSync('javac', ['-d', join(dir, 'classes'), join(dir, 'Client.java')], { stdio: 'inherit' });
  console.log('the Java client that Redocly generates compiles');
}

/**
 * Returns true when this machine has javac. Installs it first where `canInstallPackages` allows it.
 * @param {string} dir directory for the log of the installation
 */
async function hasJavaCompiler(dir) {
  const isThere = () => spawnSync('javac', ['--version']).status === 0;
  if (isThere() || !canInstallPackages()) return isThere();
  const logFile = join(dir, 'apt.log');
  const otherwise = 'Install the package default-jdk-headless.';
  await installPackages({ names: ['default-jdk-headless'], logFile, say: console.log, isThere, otherwise });
  return true;
}

/** Runs a generator. @param {string} tools @param {string} program @param {readonly string[]} args */
function generate(tools, program, ...args) {
  const { status, stdout, stderr } = run(tools, program, ...args);
  if (status !== 0) throw new PlainError(`${program} ended with exit code ${status}. Its output:\n${stdout}${stderr}`);
}
