// @ts-check
import { join, relative } from 'node:path';
import { dataDir, root } from '../workspace.mjs';

/** Where the output of everything goes that is not worth showing. */
export const logs = join(dataDir, 'logs');

export const say = (/** @type {string} */ line) => console.log(line);

/** A path as people would write it. */
export const shown = (/** @type {string} */ path) => (path.startsWith(root) ? relative(root, path) : path);
