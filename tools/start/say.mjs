// @ts-check
import { join, relative } from 'node:path';
import { dataDir, root } from '../workspace.mjs';

/** The directory for output that is not printed. */
export const logs = join(dataDir, 'logs');

export const say = (/** @type {string} */ line) => console.log(line);

/** Returns a path relative to the workspace when it is inside. */
export const shown = (/** @type {string} */ path) => (path.startsWith(root) ? relative(root, path) : path);
