// @ts-check
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { manifestOf } from './consumer.mjs';

/** @typedef {import('./consumer.mjs').Consumer} Consumer */

/**
 * Returns the size of a bundle, minified and compressed. Fails when the bundle of a library for browsers needs a module
 * of Node.
 * @param {Consumer} consumer @param {string} tools the folder with the installed tools of the rehearsal
 * @param {string} name an entry point for browsers such as `/links`; or one export, whose bundle has all that it needs;
 * or `*` for all exports, without the peers
 * @returns {Promise<number>} in KB
 */
export async function bundleSize(consumer, tools, name) {
  const { build } = createRequire(join(tools, 'package.json'))('esbuild');
  const isEntry = name.startsWith('/');
  const names = isEntry || name === '*' ? '*' : `{ ${name} }`;
  const { outputFiles } = await build({
    stdin: { contents: `export ${names} from '${consumer.name}${isEntry ? name : ''}';`, resolveDir: consumer.dir },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    platform: isEntry || consumer.isForBrowsers ? 'browser' : 'node',
    target: 'es2023',
    logLevel: 'silent',
    external: name === '*' ? Object.keys(manifestOf(consumer).peerDependencies ?? {}) : [],
  });
  return gzipSync(outputFiles[0].contents).length / 1_000;
}
