// @ts-check
import { join, relative } from 'node:path';
import { dataDir, root } from '../workspace.mjs';

/** The directory for log files of steps, servers and apps. */
export const logs = join(dataDir, 'logs');

export const say = (/** @type {string} */ line) => console.log(line);

/** Returns a path for messages: relative to the workspace when it is inside the workspace. */
export const shown = (/** @type {string} */ path) => (path.startsWith(root) ? relative(root, path) : path);
