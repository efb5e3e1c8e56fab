// @ts-check
import { docsSchema } from '@astrojs/starlight/schema';
import { defineCollection } from 'astro:content';
import { glob } from 'astro/loaders';

export const collections = {
  docs: defineCollection({
    loader: glob({
      base: './dist/content/pages',
      pattern: '**/*.md',
      generateId: ({ entry }) => entry.replace(/(?:\/|^)index\.md$/, '') || 'index',
    }),
    schema: docsSchema(),
  }),
};
