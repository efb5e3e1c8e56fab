// @ts-check
import { defineConfig } from 'vite';

/** Configuration of the static site that the API serves at `/console`. Source: docs/adr/0044-web-console.md. */
export default defineConfig({
  base: '/console/',
  build: {
    outDir: 'dist/site',
    target: 'es2023',
    // The Content-Security-Policy allows neither inline scripts nor images in style sheets.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    // CodeMirror is the largest chunk. It is loaded with the first editor.
    chunkSizeWarningLimit: 400,
  },
});
