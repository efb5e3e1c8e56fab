/**
 * Proves that the module boundaries work: `node tools/check-boundaries.mjs`.
 *
 * 1. Every project has exactly one `type:` and one `scope:` tag.
 * 2. Every package that a project imports is in the `dependencies` or `peerDependencies` of its own package.json.
 * 3. For each rule, a forbidden import is linted with the repository's ESLint configuration, and must be an error of
 *    that rule. Its allowed counterpart must pass. The text is linted under the name of a file that does not exist, so
 *    nothing is written into a project.
 *
 * The lint rules read the graph of projects from Nx's cache, and accept everything without a graph. This program uses a
 * cache folder of its own. There it changes the graph where a check needs a project that the workspace lacks, such as
 * one without tags or with another scope.
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BOUNDARIES, RULES } from './boundaries/rules.mjs';

const root = join(import.meta.dirname, '..');
const cache = mkdtempSync(join(tmpdir(), 'boundaries-'));
process.on('exit', () => rmSync(cache, { recursive: true, force: true }));
for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
])
  process.on(signal, () => process.exit(code));
// The packages below read these variables when they are loaded.
Object.assign(process.env, { NX_WORKSPACE_DATA_DIRECTORY: cache, NX_DAEMON: 'false', NX_ISOLATE_PLUGINS: 'false' });
process.chdir(root);

const { createProjectGraphAsync } = await import('@nx/devkit');
const { ESLint } = await import('eslint');
const { default: typescript } = await import('typescript');

/** ESLint runs only these rules, without type information, so that it needs only milliseconds for each text. */
const rulesAtStake = new Set(RULES.map(({ rule }) => rule ?? BOUNDARIES));
const eslint = new ESLint({
  cwd: root,
  ruleFilter: ({ ruleId }) => rulesAtStake.has(ruleId),
  overrideConfig: [{ files: ['**/*.ts'], languageOptions: { parserOptions: { projectService: false } } }],
});

const graph = await createProjectGraphAsync({ exitOnError: false });
const graphFile = join(cache, 'project-graph.json');
const writtenGraph = JSON.parse(readFileSync(graphFile, 'utf8'));
// These libraries may send requests, although they have the tag `type:pure`.
const SENDING = ['@ats/client', '@ats/elements'];
for (const { name, data } of Object.values(graph.nodes).filter(
  ({ name, data: { tags = [] } }) => tags.includes('type:pure') && !SENDING.includes(name),
)) {
  const file = `${data.root}/src/x.ts`;
  RULES.push({
    proves: `${name} does no I/O`,
    file,
    fails: "import 'node:fs';",
    passes: "import './y.js';",
    rule: 'no-restricted-imports',
  });
}
const faults = [...findWrongTags(), ...findUndeclaredPackages(), ...checkUndeclared()];
for (const rule of RULES) faults.push(...(await check(rule)));

for (const fault of faults) console.error(`FAILED  ${fault}`);
console.log(
  faults.length === 0
    ? `Boundaries: lint enforces all ${RULES.length + 1} rules`
    : `Boundaries: ${faults.length} errors`,
);
process.exitCode = faults.length === 0 ? 0 : 1;

function findWrongTags() {
  return Object.values(graph.nodes).flatMap(({ name, data: { tags = [] } }) =>
    ['type:', 'scope:'].flatMap((kind) => {
      const count = tags.filter((tag) => tag.startsWith(kind)).length;
      return count === 1 ? [] : [`${name}: expected one tag ${kind}…, found ${count}`];
    }),
  );
}

function readPackage(folder) {
  return JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
}

/**
 * Finds imports of packages that the project does not declare. Skips specs. Projects that consist of tests may also use
 * their own development packages, which images do not contain, and the development packages of the workspace.
 */
function findUndeclaredPackages() {
  const withSources = Object.values(graph.nodes).filter(({ data }) => existsSync(join(root, data.root, 'src')));
  return withSources.flatMap(({ name, data }) => {
    const { dependencies, peerDependencies, devDependencies, bin } = readPackage(data.root);
    // A project with `bin` or a configuration of Vite is bundled with its packages, which are `devDependencies`.
    const isBundled = bin !== undefined || existsSync(join(root, data.root, 'vite.config.mjs'));
    const known = data.tags?.includes('type:e2e')
      ? { ...dependencies, ...devDependencies, ...readPackage('.').devDependencies }
      : { ...dependencies, ...peerDependencies, ...(isBundled && devDependencies) };
    const source = join(root, data.root, 'src');
    const files = readdirSync(source, { recursive: true }).filter((file) => /^(?!.*spec\.ts$).*\.ts$/.test(file));
    return files.flatMap((file) => {
      const undeclared = undeclaredIn(readFileSync(join(source, file), 'utf8'), known);
      return undeclared.map((found) => `${name}: src/${file} imports ${found}, which is not among its dependencies`);
    });
  });
}

/** Returns the packages that a source text imports and that `dependencies` lacks. */
function undeclaredIn(text, dependencies) {
  const specifiers = typescript.preProcessFile(text).importedFiles.map(({ fileName }) => fileName);
  return specifiers
    .filter((specifier) => !specifier.startsWith('.') && !isBuiltin(specifier))
    .map((specifier) =>
      specifier
        .split('/')
        .slice(0, specifier.startsWith('@') ? 2 : 1)
        .join('/'),
    )
    .filter((name) => !Object.hasOwn(dependencies, name));
}

function checkUndeclared() {
  const sample =
    "import { a } from 'b/c';\nimport '@d/e/f';\nexport * from './g.js';\nimport 'node:fs';\nvoid import('h');";
  const fails = undeclaredIn(sample, { '@d/e': '1.0.0' }).join() === 'b,h';
  const passes = undeclaredIn(sample, { b: '1.0.0', '@d/e': '1.0.0', h: '1.0.0' }).length === 0;
  const proved = fails && passes;
  const proves = 'a project may import only packages of its dependencies';
  console.log(`${proved ? 'ok     ' : 'FAILED '} ${proves}`);
  return proved ? [] : [proves];
}

async function check({ proves, file, fails, passes, rule = BOUNDARIES, message, tags = {}, edges = [] }) {
  writeGraph(tags, edges);
  const forbidden = await lint(fails, file);
  const allowed = await lint(passes, file);
  const bites = forbidden.some(
    ({ ruleId, messageId, severity }) =>
      ruleId === rule && severity === 2 && (message === undefined || message.includes(messageId)),
  );
  const wrong = [
    ...(bites ? [] : [`${proves}: expected an error of ${rule} for ${fails} in ${file}, found ${describe(forbidden)}`]),
    ...(allowed.length === 0
      ? []
      : [`${proves}: expected no error for ${passes} in ${file}, found ${describe(allowed)}`]),
  ];
  console.log(`${wrong.length === 0 ? 'ok     ' : 'FAILED '} ${proves}`);
  return wrong;
}

/**
 * Writes the graph with only the given edges. With the real edges, each forbidden import would be reported as a cycle
 * first.
 */
function writeGraph(tags, edges) {
  const changed = structuredClone(writtenGraph);
  for (const name of Object.keys(changed.dependencies)) {
    changed.dependencies[name] = edges
      .filter(([source]) => source === name)
      .map(([source, target]) => ({ source, target, type: 'static' }));
  }
  for (const [name, list] of Object.entries(tags)) changed.nodes[name].data.tags = list;
  writeFileSync(graphFile, JSON.stringify(changed));
  delete globalThis.projectGraph; // This clears the graph that the lint rule has cached.
}

async function lint(code, file) {
  const [result] = await eslint.lintText(`${code}\n`, { filePath: join(root, file) });
  return result.messages;
}

function describe(messages) {
  if (messages.length === 0) return 'none';
  return messages
    .map(({ ruleId, messageId, message }) => `${ruleId} ${messageId}: ${message.split('\n')[0]}`)
    .join('; ');
}
