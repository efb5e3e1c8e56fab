import { fileURLToPath } from 'node:url';
import { type FastifyInstance } from 'fastify';
import { serveStaticSite, type StaticSiteOptions } from '../request/static-site.js';
import { contentSecurityPolicy } from './policy.js';

/** The folder into which `apps/docs` builds the site. The path works from `src` and from `dist`. */
export const SITE_FOLDER = fileURLToPath(new URL('../../../docs/dist/site', import.meta.url));

const NOT_BUILT = `The documentation site is not built.

In a clone of the repository, run: npm run build
The API works without it, and /openapi.json has the reference for programs.
`;

/** Serves the documentation site at `/docs`. Source: docs/adr/0033-documentation-site.md. */
export const serveSite = (fastify: FastifyInstance, options: Pick<StaticSiteOptions, 'folder' | 'basePath'>): void =>
  serveStaticSite(fastify, {
    ...options,
    prefix: '/docs',
    hashed: /^(?:_astro|pagefind\/(?:fragment|index))\//,
    policy: contentSecurityPolicy,
    unknown: () => ({ status: 404, name: '404.html' }),
    notBuilt: NOT_BUILT,
  });
