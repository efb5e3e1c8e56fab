// @ts-check
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

const { version } = JSON.parse(readFileSync(join(import.meta.dirname, 'package.json'), 'utf8'));

const outdir = join(import.meta.dirname, 'dist/bundle');
rmSync(outdir, { recursive: true, force: true });

// Bundles all dependencies, because one package installs faster than many. A library that only a few commands need is a
// separate file, which only these commands load. All other commands therefore start faster.
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
