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

/**
 * Sends browsers from `/` to the documentation site. Other clients get 404, as at every unknown path. A browser is a
 * client whose `Accept` names HTML.
 */
export function sendBrowsersToSite(fastify: FastifyInstance, basePath: string): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (isRead && request.url.split('?')[0] === '/' && request.headers.accept?.includes('text/html'))
      void reply.header('vary', 'Accept').header('cache-control', 'public, no-cache').redirect(`${basePath}/docs`, 302);
    else done();
  });
}

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
