/**
 * Proves that the module boundaries work: `node tools/check-boundaries.mjs`.
 *
 * 1. Every project has exactly one `type:` and one `scope:` tag.
 * 2. Every package that a project imports is in the `dependencies` of its own package.json.
 * 3. For each rule a forbidden import is linted with the repository's ESLint configuration, and must be an error of that
 *    rule; its allowed counterpart must pass. The text is linted under the name of a file that does not exist, so nothing
 *    is written into a project.
 *
 * The rules read the graph of projects from Nx's cache, and pass everything without one. Here that cache is a folder of
 * its own, in which the graph is changed where a rule needs projects that the workspace has not (no tags, another
 * scope).
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

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

const BOUNDARIES = '@nx/enforce-module-boundaries';
const TAGS = ['onlyTagsConstraintViolation'];
const PACKAGES = ['bannedExternalImportsViolation'];
/** An app has no `exports`, so its name cannot be resolved. With `exports` the other message would appear. */
const APPS = ['noImportsOfApps', 'noTransitiveDependencies'];

/**
 * Each entry states the proved rule, a file, the code that must fail with `message` (ids of the rule's messages), and
 * the code that must pass in the same file. `tags` and `edges` change the graph for both.
 */
const RULES = [
  {
    proves: 'a pure library does not import the domain',
    file: 'libs/datapath/src/x.ts',
    fails: "import '@ats/domain';",
    passes: "import '@ats/pagination';",
    message: TAGS,
  },
  {
    proves: 'a pure library imports no npm package',
    file: 'libs/datapath/src/x.ts',
    fails: "import 'typeorm';",
    passes: "import './parser.js';",
    message: PACKAGES,
  },
  {
    proves: 'the library of rich text imports its npm packages and no other',
    file: 'libs/rich-text/src/x.ts',
    fails: "import 'zod';",
    passes: "import 'sanitize-html'; import 'html-to-text';",
    message: PACKAGES,
  },
  {
    proves: 'no other pure library imports them',
    file: 'libs/search-query/src/x.ts',
    fails: "import 'sanitize-html';",
    passes: "import './limits.js';",
    message: PACKAGES,
  },
  {
    proves: 'a pure library imports no package of the tests outside of tests',
    file: 'libs/pagination/src/x.ts',
    fails: "import 'fast-check';",
    passes: "import './limits.js';",
    message: PACKAGES,
  },
  {
    proves: 'a spec of a pure library imports the packages of the tests and no other',
    file: 'libs/search-query/src/x.spec.ts',
    fails: "import 'zod';",
    passes: "import 'fast-check'; import '@jest/globals';",
    message: PACKAGES,
  },
  {
    proves: 'the domain imports no framework',
    file: 'libs/domain/src/x.ts',
    fails: "import '@nestjs/common';",
    passes: "import 'typeorm'; import 'pg'; import '@ats/datapath';",
    message: PACKAGES,
  },
  {
    proves: 'a database spec of the domain imports no framework either',
    file: 'libs/domain/src/x.db-spec.ts',
    fails: "import 'fastify';",
    passes: "import 'typeorm'; import '@jest/globals';",
    message: PACKAGES,
  },
  {
    proves: 'a library of data does not import another one',
    file: 'libs/domain/src/x.ts',
    fails: "import '@ats/pagination';",
    passes: "import '@ats/search-query';",
    tags: { '@ats/pagination': ['type:data', 'scope:shared'] },
    message: TAGS,
  },
  {
    proves: 'the domain imports the library of PostgreSQL, which does not import the domain',
    file: 'libs/postgres/src/x.ts',
    fails: "import '@ats/domain';",
    passes: "import 'pg'; import 'typeorm';",
    message: TAGS,
  },
  {
    proves: 'no app imports another by name',
    file: 'apps/api/src/x.ts',
    fails: "import '@ats/notifier';",
    passes: "import '@ats/domain'; import '@nestjs/common';",
    message: APPS,
  },
  {
    proves: 'no app imports another by its path',
    file: 'apps/api/src/x.ts',
    fails: "import '../../notifier/src/main.js';",
    passes: "import './main.js';",
    message: ['noRelativeOrAbsoluteImportsAcrossLibraries'],
  },
  {
    proves: 'no library is imported by its path',
    file: 'apps/notifier/src/x.ts',
    fails: "import '../../../libs/webhook-signing/src/lib/hmac.js';",
    passes: "import '@ats/webhook-signing';",
    message: ['noRelativeOrAbsoluteImportsAcrossLibraries'],
  },
  {
    proves: 'no library imports an app',
    file: 'libs/domain/src/x.ts',
    fails: "import '@ats/api';",
    passes: "import '@ats/datapath';",
    message: APPS,
  },
  {
    proves: 'the end-to-end tests import no app',
    file: 'apps/api-e2e/src/x.ts',
    fails: "import '@ats/api';",
    passes: "import '@ats/webhook-signing';",
    message: APPS,
  },
  {
    proves: 'an app imports no library of a type it was not given',
    file: 'apps/notifier/src/x.ts',
    fails: "import '@ats/pagination';",
    passes: "import '@ats/datapath';",
    tags: { '@ats/pagination': ['type:e2e', 'scope:shared'] },
    message: TAGS,
  },
  {
    proves: 'the end-to-end tests import no library of a type they were not given',
    file: 'apps/api-e2e/src/x.ts',
    fails: "import '@ats/pagination';",
    passes: "import '@ats/domain';",
    tags: { '@ats/pagination': ['type:app', 'scope:shared'] },
    message: TAGS,
  },
  ...[
    ['the API', 'apps/api/src/x.ts', 'scope:notifier', 'scope:api'],
    ['the notifier', 'apps/notifier/src/x.ts', 'scope:api', 'scope:notifier'],
    ['a shared library', 'libs/search-query/src/x.ts', 'scope:api', 'scope:shared'],
    ['an end-to-end test', 'apps/api-e2e/src/x.ts', 'scope:api', 'scope:e2e'],
  ].map(([who, file, foreign, own]) => ({
    proves: `${who} imports no library of ${foreign}`,
    file,
    fails: "import '@ats/pagination';",
    passes: "import '@ats/webhook-signing';",
    tags: { '@ats/pagination': ['type:pure', foreign], '@ats/webhook-signing': ['type:pure', own] },
    message: TAGS,
  })),
  {
    proves: 'a project without tags imports no project',
    file: 'libs/pagination/src/x.ts',
    fails: "import '@ats/datapath';",
    passes: "import './limits.js';",
    tags: { '@ats/pagination': [] },
    message: ['projectWithoutTagsCannotHaveDependencies'],
  },
  {
    proves: 'projects have no import cycles',
    file: 'libs/pagination/src/x.ts',
    fails: "import '@ats/datapath';",
    passes: "import '@ats/search-query';",
    edges: [['@ats/datapath', '@ats/pagination']],
    message: ['noCircularDependencies'],
  },
  {
    proves: 'a package that only another package needs is not imported',
    file: 'apps/api/src/x.ts',
    fails: "import 'avvio';",
    passes: "import 'fastify';",
    message: ['noTransitiveDependencies'],
  },
  {
    proves: 'a dynamic import is an import too',
    file: 'libs/datapath/src/x.ts',
    fails: "void import('typeorm');",
    passes: "void import('./parser.js');",
    message: PACKAGES,
  },
  {
    proves: 'a pure library uses the modules of Node that its subject needs and no other',
    file: 'libs/webhook-signing/src/x.ts',
    fails: "import 'node:http';",
    passes: "import 'node:crypto';",
    rule: 'no-restricted-imports',
  },
  {
    proves: 'a pure library does not import modules of Node without their prefix either',
    file: 'libs/datapath/src/x.ts',
    fails: "import 'fs/promises';",
    passes: "import './parser.js';",
    rule: 'no-restricted-imports',
  },
  {
    proves: 'a pure library has no clock of its own',
    file: 'libs/datapath/src/x.ts',
    fails: 'export const now = Date.now();',
    passes: 'export const toDate = (now) => new Date(now);',
    rule: 'no-restricted-syntax',
  },
  {
    proves: 'a pure library does not use `process`',
    file: 'libs/search-query/src/x.ts',
    fails: 'export const directory = process.cwd();',
    passes: 'export const toDirectory = (process) => process.directory;',
    rule: 'no-restricted-globals',
  },
  ...['apps/api/src/applications/x.ts', 'libs/domain/src/rules/application/x.ts'].map((file) => ({
    proves: `a schema speaks the language of its reader in ${file}`,
    file,
    fails: "export const rule = { error: 'expected a text' };",
    passes: 'export const rule = { error: packed(message`expected a text`) };',
    rule: 'no-restricted-syntax',
  })),
  {
    proves: 'one file of an app reads the environment',
    file: 'apps/api/src/applications/x.ts',
    fails: 'export const port = process.env.PORT;',
    passes: 'export const id = process.pid;',
    rule: 'no-restricted-properties',
  },
];

/** Lints only with these rules and without types, which takes milliseconds for each text. */
const rulesAtStake = new Set(RULES.map(({ rule }) => rule ?? BOUNDARIES));
const eslint = new ESLint({
  cwd: root,
  ruleFilter: ({ ruleId }) => rulesAtStake.has(ruleId),
  overrideConfig: [{ files: ['**/*.ts'], languageOptions: { parserOptions: { projectService: false } } }],
});

const graph = await createProjectGraphAsync({ exitOnError: false });
const graphFile = join(cache, 'project-graph.json');
const writtenGraph = JSON.parse(readFileSync(graphFile, 'utf8'));
for (const { name, data } of Object.values(graph.nodes).filter(({ data: { tags = [] } }) =>
  tags.includes('type:pure'),
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
console.log(faults.length === 0 ? `Boundaries: ${RULES.length + 1} rules work` : `Boundaries: ${faults.length} faults`);
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

/** Skips specs. Projects that consist of tests may use the packages of the workspace. */
function findUndeclaredPackages() {
  const withSources = Object.values(graph.nodes).filter(({ data }) => existsSync(join(root, data.root, 'src')));
  return withSources.flatMap(({ name, data }) => {
    const { dependencies = {} } = readPackage(data.root);
    const known = data.tags?.includes('type:e2e')
      ? { ...dependencies, ...readPackage('.').devDependencies }
      : dependencies;
    const source = join(root, data.root, 'src');
    const files = readdirSync(source, { recursive: true }).filter((file) => /^(?!.*spec\.ts$).*\.ts$/.test(file));
    return files.flatMap((file) => {
      const undeclared = undeclaredIn(readFileSync(join(source, file), 'utf8'), known);
      return undeclared.map((found) => `${name}: src/${file} imports ${found}, which is not among its dependencies`);
    });
  });
}

/** The packages that a text imports without having them in `dependencies`. */
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
  const proves = 'a package that is imported is in the dependencies of the project';
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
 * Writes the graph without its edges. Otherwise each import against the direction would be reported as a cycle first.
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
  delete globalThis.projectGraph; // the rule's cached graph
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
