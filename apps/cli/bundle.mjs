// @ts-check
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

const { version } = JSON.parse(readFileSync(join(import.meta.dirname, 'package.json'), 'utf8'));

const outdir = join(import.meta.dirname, 'dist/bundle');
rmSync(outdir, { recursive: true, force: true });

// Bundles all dependencies, so that the command line installs in an instant. A library that only few commands need is a
// file of its own, which is read when one of these commands runs, so that all others start fast.
await build({
  entryPoints: [{ in: join(import.meta.dirname, 'dist/main.js'), out: 'ats' }],
  outdir,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  splitting: true,
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'eof',
  platform: 'node',
  target: 'node20',
  format: 'esm',
  define: { ATS_CLI_VERSION: JSON.stringify(version) },
  banner: {
    js: "#!/usr/bin/env node\nimport { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);",
  },
  logLevel: 'warning',
});
