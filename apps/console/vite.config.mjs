// @ts-check
import { defaultClientConditions, defineConfig } from 'vite';

const SHARED =
  /apps\/console\/src\/parts\/(?!elements|chart)|libs\/elements\/src\/lib\/(load|dialog|problem|empty-state|part-texts|languages)\./;

/** Configures the build of the static site that the API serves at `/console`. Source: docs/adr/0044-web-console.md. */
export default defineConfig({
  base: '/console/',
  // The build needs this condition, because the entry `@ats/elements/parts` exists only as a source.
  resolve: { conditions: ['@ats/source', ...defaultClientConditions] },
  build: {
    outDir: 'dist/site',
    target: 'es2023',
    // Keeps scripts and images in files of their own. The Content-Security-Policy allows neither inline scripts nor
    // images in style sheets.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    // Raises the limit for CodeMirror, which is the largest chunk. It is loaded with the first editor.
    chunkSizeWarningLimit: 400,
    rolldownOptions: {
      output: {
        // Puts the small modules that most views share into one file. The shell needs some of them, so the page loads
        // this file together with the shell, and the first view needs fewer requests.
        codeSplitting: { groups: [{ name: 'parts', test: SHARED }] },
      },
    },
  },
});
