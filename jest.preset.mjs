import { join } from 'node:path';

/**
 * Reporters: one writes to the console, one counts tests for the sum of `npm test`, and one ends a run that does not
 * end by itself.
 */
export const reporters = (suite, limits = {}) => [
  'default',
  [join(import.meta.dirname, 'tools/jest-counts.mjs'), { suite }],
  [join(import.meta.dirname, 'tools/jest-ending.mjs'), { suite, ...limits }],
];

const swc = { swcrc: false, module: { type: 'commonjs' } };

/**
 * The Jest configuration of every project. Specs run as CommonJS, and ESM packages are transformed, too: so Node 20 to
 * 24 and the ESM-only packages of NestJS work in the same way. Sibling libraries are read from their sources through
 * the `@ats/source` condition.
 */
export default {
  id: 'ats', // one transform cache for all projects
  testEnvironment: 'node',
  reporters: reporters('test'),
  testMatch: ['<rootDir>/src/**/*.spec.ts'],
  testTimeout: 60_000, // Tests take longer on busy machines.
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        ...swc,
        sourceMaps: 'inline',
        jsc: {
          target: 'es2023',
          keepClassNames: true,
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
        },
      },
    ],
    '^.+\\.m?js$': [
      '@swc/jest',
      { ...swc, isModule: 'unknown', sourceMaps: false, jsc: { target: 'es2023', parser: { syntax: 'ecmascript' } } },
    ],
  },
  // Large CommonJS packages, which need no transformation.
  transformIgnorePatterns: [
    '\\.cjs$',
    '/node_modules/(typeorm|rxjs|lodash|ajv|pg|fastify|ioredis|bull|yaml|semver|node-forge|prom-client|postcss)/',
    '/node_modules/(@opentelemetry/api|@sqltools/formatter|avvio|find-my-way|pino)/',
  ],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  testEnvironmentOptions: { customExportConditions: ['@ats/source', 'node', 'node-addons'] },
};
