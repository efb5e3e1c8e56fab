// @ts-check
/**
 * Deletes build output whose source is gone, in the project of the working directory. Programs load migrations, models,
 * modules and minor versions by folder, so output of a deleted or renamed file would still run. The compiler does not
 * delete such output. Also deletes the maps of declarations that a former configuration of the compiler has written.
 */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const OUTPUT = /\.(?:js|d\.ts)(?:\.map)?$/;

const files = existsSync('dist') ? readdirSync('dist', { recursive: true, encoding: 'utf8' }) : [];
for (const file of files.filter((name) => OUTPUT.test(name))) {
  if (file.endsWith('.d.ts.map') || !existsSync(join('src', file.replace(OUTPUT, '.ts')))) rmSync(join('dist', file));
}
