// @ts-check
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
// Imports the built file, because Node cannot run the sources of the library, and its package does not export the
// styles.
import { partStyles } from '../../../libs/elements/dist/lib/part-styles.js';

/** Builds the console into `dist/site`. The libraries must be built before. */
const root = join(import.meta.dirname, '..');
// Writes the styles of the shared parts, which the style sheet of the console imports first.
mkdirSync(join(root, 'dist'), { recursive: true });
writeFileSync(join(root, 'dist/parts.css'), partStyles.cssText);
await build({ root, configFile: join(root, 'vite.config.mjs'), logLevel: 'warn' });
