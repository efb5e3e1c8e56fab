// @ts-check
import { readFileSync } from 'node:fs';
import starlight from '@astrojs/starlight';
import { defineConfig, passthroughImageService } from 'astro/config';

const sidebar = JSON.parse(readFileSync(new URL('dist/content/sidebar.json', import.meta.url), 'utf8'));

/** Configuration of the static site that the API serves at `/docs`. Source: docs/adr/0033-documentation-site.md. */
export default defineConfig({
  base: '/docs',
  trailingSlash: 'always',
  outDir: './dist/site',
  cacheDir: './dist/cache',
  publicDir: './public',
  build: { format: 'directory', inlineStylesheets: 'never' },
  image: { service: passthroughImageService() },
  markdown: { syntaxHighlight: 'prism' },
  integrations: [
    starlight({
      title: 'Applicant tracking service',
      sidebar,
      expressiveCode: false,
      favicon: '/favicon.svg',
      customCss: ['./src/styles/site.css'],
      credits: false,
      lastUpdated: false,
    }),
  ],
});
