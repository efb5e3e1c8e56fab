/** The lint rule that an entry of `RULES` proves by default. */
export const BOUNDARIES = '@nx/enforce-module-boundaries';
const TAGS = ['onlyTagsConstraintViolation'];
const PACKAGES = ['bannedExternalImportsViolation'];
/**
 * The possible messages for the import of an app. The rule reports the second message when the app's package.json has
 * no `exports`, because the app's name cannot be resolved then.
 */
const APPS = ['noImportsOfApps', 'noTransitiveDependencies'];

/**
 * Each entry states the proved rule, a file, the code that must fail with `message` (ids of the lint rule's messages),
 * and the code that must pass in the same file. `tags` and `edges` change the graph of projects for both.
 */
export const RULES = [
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
    proves: 'the rich-text library imports its own npm packages and no other package',
    file: 'libs/rich-text/src/x.ts',
    fails: "import 'zod';",
    passes: "import 'sanitize-html'; import 'html-to-text';",
    message: PACKAGES,
  },
  {
    proves: 'no other pure library imports the npm packages of the rich-text library',
    file: 'libs/search-query/src/x.ts',
    fails: "import 'sanitize-html';",
    passes: "import './limits.js';",
    message: PACKAGES,
  },
  {
    proves: 'a pure library imports test packages only in specs',
    file: 'libs/pagination/src/x.ts',
    fails: "import 'fast-check';",
    passes: "import './limits.js';",
    message: PACKAGES,
  },
  {
    proves: 'a spec of a pure library imports test packages and no other package',
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
    proves: 'a database spec of the domain imports no framework',
    file: 'libs/domain/src/x.db-spec.ts',
    fails: "import 'fastify';",
    passes: "import 'typeorm'; import '@jest/globals';",
    message: PACKAGES,
  },
  {
    proves: 'a `type:data` library does not import another one',
    file: 'libs/domain/src/x.ts',
    fails: "import '@ats/pagination';",
    passes: "import '@ats/search-query';",
    tags: { '@ats/pagination': ['type:data', 'scope:shared'] },
    message: TAGS,
  },
  {
    proves: 'the library `postgres` does not import the domain',
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
    proves: 'an app imports no library of a type that its constraint does not list',
    file: 'apps/notifier/src/x.ts',
    fails: "import '@ats/pagination';",
    passes: "import '@ats/datapath';",
    tags: { '@ats/pagination': ['type:e2e', 'scope:shared'] },
    message: TAGS,
  },
  {
    proves: 'the end-to-end tests import no library of a type that their constraint does not list',
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
    proves: 'a project does not import a package that only another package depends on',
    file: 'apps/api/src/x.ts',
    fails: "import 'avvio';",
    passes: "import 'fastify';",
    message: ['noTransitiveDependencies'],
  },
  {
    proves: 'the rules also apply to dynamic imports',
    file: 'libs/datapath/src/x.ts',
    fails: "void import('typeorm');",
    passes: "void import('./parser.js');",
    message: PACKAGES,
  },
  {
    proves: 'a pure library imports only the modules of Node that `eslint.config.mjs` lists for it',
    file: 'libs/webhook-signing/src/x.ts',
    fails: "import 'node:http';",
    passes: "import 'node:crypto';",
    rule: 'no-restricted-imports',
  },
  {
    proves: 'a pure library does not import modules of Node without the prefix `node:`',
    file: 'libs/datapath/src/x.ts',
    fails: "import 'fs/promises';",
    passes: "import './parser.js';",
    rule: 'no-restricted-imports',
  },
  {
    proves: 'a pure library does not read the clock',
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
    proves: `error texts of schemas are translatable messages in ${file}`,
    file,
    fails: "export const rule = { error: 'expected a text' };",
    passes: 'export const rule = { error: packed(message`expected a text`) };',
    rule: 'no-restricted-syntax',
  })),
  {
    proves: 'only the configuration of an app reads the environment',
    file: 'apps/api/src/applications/x.ts',
    fails: 'export const port = process.env.PORT;',
    passes: 'export const id = process.pid;',
    rule: 'no-restricted-properties',
  },
];
