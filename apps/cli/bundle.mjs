// @ts-check
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

const { version } = JSON.parse(readFileSync(join(import.meta.dirname, 'package.json'), 'utf8'));

// One file without dependencies: the command line installs in an instant, and starts fast.
await build({
  entryPoints: [join(import.meta.dirname, 'dist/main.js')],
  outfile: join(import.meta.dirname, 'dist/ats.mjs'),
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  define: { ATS_CLI_VERSION: JSON.stringify(version) },
  banner: {
    js: "#!/usr/bin/env node\nimport { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);",
  },
  logLevel: 'warning',
});
