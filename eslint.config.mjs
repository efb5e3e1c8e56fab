import { builtinModules } from 'node:module';
import nx from '@nx/eslint-plugin';
import tseslint from 'typescript-eslint';

/**
 * Allowed imports between projects, by tags. There is no `*` constraint, so a project without tags fails.
 * `tools/check-boundaries.mjs` tests these rules.
 */
const depConstraints = [
  { sourceTag: 'type:app', onlyDependOnLibsWithTags: ['type:nest', 'type:data', 'type:pure'] },
  { sourceTag: 'type:nest', onlyDependOnLibsWithTags: ['type:data', 'type:pure'] },
  { sourceTag: 'type:e2e', onlyDependOnLibsWithTags: ['type:nest', 'type:data', 'type:pure'] },
  { sourceTag: 'scope:shared', onlyDependOnLibsWithTags: ['scope:shared'] },
  { sourceTag: 'scope:api', onlyDependOnLibsWithTags: ['scope:api', 'scope:shared'] },
  { sourceTag: 'scope:notifier', onlyDependOnLibsWithTags: ['scope:notifier', 'scope:shared'] },
  { sourceTag: 'scope:cli', onlyDependOnLibsWithTags: ['scope:cli', 'scope:shared'] },
  { sourceTag: 'scope:console', onlyDependOnLibsWithTags: ['scope:console', 'scope:shared'] },
  { sourceTag: 'scope:e2e', onlyDependOnLibsWithTags: ['scope:e2e', 'scope:shared'] },
];

/** Packages that libraries may import. Specs may also import `testPackages`. */
const purePackages = [];
const dataPackages = ['lru-cache', 'typeorm', 'reflect-metadata', 'pg', 'pg-*', 're2js', 'zod'];
const testPackages = [
  '@jest/globals',
  'dns-packet',
  'fast-check',
  'fast-xml-parser',
  'http-link-header',
  'intl-messageformat',
  'libpg-query',
  'node-forge',
  'parse5',
  'standardwebhooks',
];

const boundaries = (extraPackages) => [
  'error',
  {
    enforceBuildableLibDependency: true,
    allow: [],
    banTransitiveDependencies: true,
    depConstraints: [
      ...depConstraints,
      {
        sourceTag: 'type:data',
        // `serves:data` marks a `type:data` library that other libraries may import.
        onlyDependOnLibsWithTags: ['type:pure', 'serves:data'],
        allowedExternalImports: [...dataPackages, ...extraPackages],
      },
      {
        sourceTag: 'type:pure',
        onlyDependOnLibsWithTags: ['type:pure'],
        allowedExternalImports: [...purePackages, ...extraPackages],
      },
    ],
  },
];

const tests = ['**/*.spec.ts', '**/*.db-spec.ts', '**/*.http-spec.ts', '**/test/**/*.ts', 'apps/api-e2e/**/*.ts'];

/**
 * Maps each pure library to the modules of Node that it may import. Most may import none, because they do no I/O.
 * `client` and `elements` are not in the list: they send requests, wait, and read the clock.
 */
const pureLibraries = {
  'api-versioning': [],
  'codemirror-datapath': [],
  configuration: [],
  datapath: [],
  'destination-guard': ['node:net', 'node:dns/promises', 'node:os'],
  localisation: [],
  logging: ['node:os', 'node:process'],
  'mail-merge': [],
  message: [],
  pagination: ['node:crypto'],
  'redis-connection': ['node:net'],
  'rich-text': [],
  'search-query': [],
  telemetry: ['node:http'],
  'webhook-signing': ['node:crypto'],
};

/** The npm packages that pure libraries may import, because their subject must not be implemented again. */
const packagesOf = {
  'codemirror-datapath': ['@codemirror/*'],
  configuration: ['fastest-levenshtein', 'zod'],
  datapath: ['fastest-levenshtein'],
  elements: ['@codemirror/*', '@lezer/highlight', 'lit', 'lit/*'],
  localisation: ['intl-messageformat'],
  logging: ['pino'],
  pagination: ['http-link-header'],
  'redis-connection': ['ioredis'],
  'rich-text': ['sanitize-html', 'html-to-text'],
  telemetry: ['@opentelemetry/*', 'prom-client'],
};

/** Rules of pure libraries: no I/O, environment, clock or random numbers. */
const purity = Object.entries(pureLibraries).map(([name, allowed]) => ({
  files: [`libs/${name}/src/**/*.ts`],
  ignores: tests,
  rules: {
    'no-restricted-imports': [
      'error',
      {
        paths: builtinModules, // modules without the prefix `node:`
        patterns: [{ regex: `^(?!(?:${allowed.join('|')})$)node:`, message: 'A pure library must do no I/O.' }],
      },
    ],
    'no-restricted-globals': ['error', { name: 'process', message: 'A pure library takes options as arguments.' }],
    'no-restricted-syntax': [
      'error',
      {
        selector:
          ":matches(NewExpression[callee.name='Date'][arguments.length=0], MemberExpression[object.name='Date'][property.name='now'])",
        message: 'A pure library takes the time as an argument.',
      },
      {
        selector: "MemberExpression[object.name='Math'][property.name='random']",
        message: 'A pure library uses no random numbers.',
      },
    ],
  },
}));

export default tseslint.config(
  {
    ignores: [
      '**/dist',
      '**/out-tsc',
      '**/out-test',
      '**/coverage',
      '**/.astro',
      '**/node_modules',
      '**/src/generated',
      '**/*.mjs',
    ],
  },
  {
    files: ['**/*.ts'],
    // General rules and rules that need types are in .oxlintrc.json: oxlint takes a tenth of the time.
    plugins: { '@nx': nx, '@typescript-eslint': tseslint.plugin },
    languageOptions: {
      parser: tseslint.parser,
      parserOptions: { emitDecoratorMetadata: true, experimentalDecorators: true },
    },
    rules: {
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-non-null-assertion': 'error',
      'no-restricted-exports': ['error', { restrictDefaultExports: { direct: true } }],
      '@nx/enforce-module-boundaries': boundaries([]),
    },
  },
  ...Object.entries(packagesOf).map(([name, packages]) => ({
    files: [`libs/${name}/src/**/*.ts`],
    rules: { '@nx/enforce-module-boundaries': boundaries(packages) },
  })),
  { files: tests, rules: { '@nx/enforce-module-boundaries': boundaries(testPackages) } },
  ...Object.entries(packagesOf).map(([name, packages]) => ({
    files: [`libs/${name}/src/**/*.spec.ts`],
    rules: { '@nx/enforce-module-boundaries': boundaries([...packages, ...testPackages]) },
  })),
  // A file has at most 300 lines, tests included, so that it can be read completely. An index only lists names.
  {
    files: ['apps/*/{src,test}/**/*.ts', 'libs/*/{src,test}/**/*.ts'],
    ignores: ['libs/*/src/index.ts'],
    rules: { 'max-lines': ['error', 300] },
  },
  ...purity,
  {
    // In each app, only one file may read environment variables. Libraries take options instead. Stand-alone commands
    // may read the variables, too.
    files: ['apps/*/src/**/*.ts', 'libs/*/src/**/*.ts'],
    ignores: [
      ...tests,
      'apps/*/src/config/env.ts',
      'apps/console/src/server/main.ts',
      'libs/nest-app/src/lib/start-app.ts',
      'libs/*/src/cli/**/*.ts',
    ],
    rules: {
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'Take an option: config/env.ts reads the environment.' },
      ],
    },
  },
  {
    // Error texts in schemas of request bodies must be translated messages. Schemas of environment variables have
    // English texts, because only operators read them.
    files: ['apps/api/src/**/*.ts', 'libs/domain/src/**/*.ts'],
    ignores: [...tests, '**/config/**', '**/cli/**', '**/*-environment.ts', '**/environment/**'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: "Property[key.name='error'] > :matches(Literal, TemplateLiteral).value",
          message: 'Write a text for people as a message: packed(message`…`).',
        },
      ],
    },
  },
);
