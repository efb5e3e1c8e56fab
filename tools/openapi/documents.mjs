// @ts-check
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { root } from '../workspace.mjs';

/**
 * @typedef {object} Operation
 * @property {string} operationId
 * @property {string} summary
 */

/** @typedef {{ paths: Record<string, Record<string, Operation>> }} Document */

/**
 * Loads a module of the compiled API.
 * @param {string} file below `apps/api/dist`
 */
const compiled = (file) => import(join(root, 'apps/api/dist', file));

/**
 * Loads the compiled API and finds its routes. Nest creates no provider for this, so no server is needed.
 * @param {string} baseUrl
 */
export async function loadDocuments(baseUrl) {
  const require = createRequire(join(root, 'apps/api/package.json'));
  const { DiscoveryService, MetadataScanner, ModulesContainer, NestFactory } = require('@nestjs/core');
  const { FastifyAdapter } = require('@nestjs/platform-fastify');
  const [{ AppModule }, { openApiDocument }, { Routes }, { VERSIONS }] = await Promise.all(
    ['app.module.js', 'openapi/document.js', 'openapi/routes.js', 'versions/versions.js'].map(compiled),
  );
  const app = await NestFactory.create(AppModule.with({ PUBLIC_BASE_URL: baseUrl }, {}), new FastifyAdapter(), {
    preview: true,
    logger: ['error'],
    abortOnError: false,
  });
  const routes = new Routes(new DiscoveryService(app.get(ModulesContainer)), new MetadataScanner()).all();
  return {
    /** All minor versions, the oldest first. @type {readonly string[]} */
    versions: VERSIONS.versions,
    /** The version of requests without `Api-Version`. @type {string} */
    standard: VERSIONS.default,
    /**
     * @param {string} version
     * @param {{ hasFullTexts?: boolean }} [options] see `openApiDocument`
     * @returns {Document}
     */
    documentOf: (version, options) => openApiDocument(routes, { baseUrl, version, ...options }),
  };
}
