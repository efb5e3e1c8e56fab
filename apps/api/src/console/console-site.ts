import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type FastifyInstance } from 'fastify';
import { serveStaticSite, type StaticSiteOptions } from '../request/static-site.js';

/** The folder into which `apps/console` builds the console. The path works from `src` and from `dist`. */
export const CONSOLE_FOLDER = fileURLToPath(new URL('../../../console/dist/site', import.meta.url));

/**
 * The Content-Security-Policy of the console. A page loads only files of this service, uses no inline scripts or
 * styles, and sends requests only to this service. With Trusted Types, only the templates of Lit, which escape values,
 * may create HTML.
 */
const POLICY = [
  `default-src 'none'`,
  `script-src 'self'`,
  `style-src 'self'`,
  `img-src 'self' data:`,
  `connect-src 'self'`,
  `base-uri 'none'`,
  `form-action 'self'`,
  `frame-ancestors 'none'`,
  `require-trusted-types-for 'script'`,
  `trusted-types lit-html`,
].join('; ');

const NOT_BUILT = `The console is not built.

In a clone of the repository, run: npm run build
The API works without it.
`;

/**
 * Serves the console at `/console`. Every view has an address, and all addresses answer with the same page.
 * Source: docs/adr/0044-web-console.md.
 */
export const serveConsole = (fastify: FastifyInstance, options: Pick<StaticSiteOptions, 'folder' | 'basePath'>): void =>
  serveStaticSite(fastify, {
    ...options,
    prefix: '/console',
    hashed: /^assets\//,
    policy: () => POLICY,
    unknown: (path) => (extname(path) === '' ? { status: 200, name: 'index.html' } : undefined),
    notBuilt: NOT_BUILT,
  });
