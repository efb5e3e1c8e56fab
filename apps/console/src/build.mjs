// @ts-check
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
// The built library, because Node does not read its sources, and the package has no entry for its styles.
import { partStyles } from '../../../libs/elements/dist/lib/part-styles.js';

/** Builds the console into `dist/site`. The libraries must be built before. */
const root = join(import.meta.dirname, '..');
// The style sheet of the console begins with that of the shared parts.
mkdirSync(join(root, 'dist'), { recursive: true });
writeFileSync(join(root, 'dist/parts.css'), partStyles.cssText);
await build({ root, configFile: join(root, 'vite.config.mjs'), logLevel: 'warn' });
