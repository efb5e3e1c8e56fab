import { builtinModules } from 'node:module';
import js from '@eslint/js';
import nx from '@nx/eslint-plugin';
import tseslint from 'typescript-eslint';

/**
 * Who may import whom. There is no `*` constraint on purpose: a project without tags matches nothing and fails.
 * `tools/check-boundaries.mjs` proves that the rules bite.
 */
const depConstraints = [
  { sourceTag: 'type:app', onlyDependOnLibsWithTags: ['type:nest', 'type:data', 'type:pure'] },
  { sourceTag: 'type:nest', onlyDependOnLibsWithTags: ['type:data', 'type:pure'] },
  { sourceTag: 'type:e2e', onlyDependOnLibsWithTags: ['type:data', 'type:pure'] },
  { sourceTag: 'scope:shared', onlyDependOnLibsWithTags: ['scope:shared'] },
  { sourceTag: 'scope:api', onlyDependOnLibsWithTags: ['scope:api', 'scope:shared'] },
  { sourceTag: 'scope:notifier', onlyDependOnLibsWithTags: ['scope:notifier', 'scope:shared'] },
  { sourceTag: 'scope:e2e', onlyDependOnLibsWithTags: ['scope:e2e', 'scope:shared'] },
];

/** What the libraries may use beside each other; specs may use `testPackages` too. */
const purePackages = [];
const dataPackages = ['lru-cache', 'typeorm', 'reflect-metadata', 'pg', 'pg-*', 're2js', 'zod'];
const testPackages = [
  '@jest/globals',
  'dns-packet',
  'fast-check',
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
        // `serves:data` marks a library of data that others may build on.
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

/** The pure libraries, and the modules of Node that the subject of one needs. All others have none: no I/O. */
const pureLibraries = {
  'api-versioning': [],
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

/** The npm packages of the pure libraries whose subject nobody should write anew. */
const packagesOf = {
  configuration: ['fastest-levenshtein', 'zod'],
  localisation: ['intl-messageformat'],
  logging: ['pino'],
  'redis-connection': ['ioredis'],
  'rich-text': ['sanitize-html', 'html-to-text'],
  telemetry: ['@opentelemetry/*', 'prom-client'],
};

/** Pure: no I/O, no environment, no clock and no dice of its own. */
const purity = Object.entries(pureLibraries).map(([name, allowed]) => ({
  files: [`libs/${name}/src/**/*.ts`],
  ignores: tests,
  rules: {
    'no-restricted-imports': [
      'error',
      {
        paths: builtinModules, // without `node:`
        patterns: [{ regex: `^(?!(?:${allowed.join('|')})$)node:`, message: 'A pure library does no I/O.' }],
      },
    ],
    'no-restricted-globals': ['error', { name: 'process', message: 'A pure library takes options.' }],
    'no-restricted-syntax': [
      'error',
      {
        selector:
          ":matches(NewExpression[callee.name='Date'][arguments.length=0], MemberExpression[object.name='Date'][property.name='now'])",
        message: 'A pure library is given the time.',
      },
      {
        selector: "MemberExpression[object.name='Math'][property.name='random']",
        message: 'A pure library has no dice.',
      },
    ],
  },
}));

export default tseslint.config(
  { ignores: ['**/dist', '**/out-tsc', '**/out-test', '**/coverage', '**/node_modules', '**/*.mjs'] },
  js.configs.recommended,
  {
    files: ['**/*.ts'],
    // The rules that need types are in .oxlintrc.json: oxlint checks them in a tenth of the time.
    extends: [tseslint.configs.recommended],
    plugins: { '@nx': nx },
    languageOptions: { parserOptions: { emitDecoratorMetadata: true, experimentalDecorators: true } },
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
  // One concept per file, short enough to be read as a whole.
  { files: ['apps/*/src/**/*.ts', 'libs/*/src/**/*.ts'], ignores: tests, rules: { 'max-lines': ['error', 300] } },
  ...purity,
  {
    // One file of each app reads the environment, and the commands that run alone; libraries take options.
    files: ['apps/*/src/**/*.ts', 'libs/*/src/**/*.ts'],
    ignores: [...tests, 'apps/*/src/config/env.ts', 'libs/nest-app/src/lib/start-app.ts', 'libs/*/src/cli/**/*.ts'],
    rules: {
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'Take an option: config/env.ts reads the environment.' },
      ],
    },
  },
  {
    // What a schema says of a body is read by people in their language; of the environment it speaks to operators.
    files: ['apps/api/src/**/*.ts', 'libs/domain/src/**/*.ts'],
    ignores: [...tests, '**/config/**', '**/cli/**', '**/*-environment.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: "Property[key.name='error'] > :matches(Literal, TemplateLiteral).value",
          message: 'A text for people is a message: packed(message`…`).',
        },
      ],
    },
  },
);
