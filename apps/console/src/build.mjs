// @ts-check
import { join } from 'node:path';
import { build } from 'vite';

/** Builds the console into `dist/site`. The libraries must be built before. */
const root = join(import.meta.dirname, '..');
await build({ root, configFile: join(root, 'vite.config.mjs'), logLevel: 'warn' });
