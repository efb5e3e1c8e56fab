// @ts-check
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { finishPages } from './finish.mjs';
import { writeContent } from './generate/site.mjs';

/** Builds the documentation site into `dist/site`. The file `dist/reference.json` must exist. */
const project = join(import.meta.dirname, '..');
const root = join(project, '../..');

/** The oldest Node on which Astro runs. */
const LEAST_NODE = [22, 12];
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < LEAST_NODE[0] || (major === LEAST_NODE[0] && minor < LEAST_NODE[1])) {
  console.warn(
    `The documentation site needs Node ${LEAST_NODE.join('.')}, so it is not built. The API works without it.`,
  );
  process.exit(0);
}

const pages = writeContent({ root, project, output: join(project, 'dist/content') });
console.log(`${pages} pages`);
rmSync(join(project, 'dist/site'), { recursive: true, force: true });
const require = createRequire(import.meta.url);
const astro = join(dirname(require.resolve('astro/package.json')), 'bin/astro.mjs');
const { status } = spawnSync(process.execPath, [astro, 'build', '--silent'], {
  cwd: project,
  stdio: 'inherit',
  env: { ...process.env, ASTRO_TELEMETRY_DISABLED: '1', FORCE_COLOR: '0' },
});
if (status === 0) finishPages(join(project, 'dist/site'));
process.exitCode = status ?? 1;
