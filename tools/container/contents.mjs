// @ts-check
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../workspace.mjs';

/**
 * What should not be in an image: packages for development, our sources and tests.
 * @param {import('./build.mjs').Image} image
 * @returns {{ faults: string[], megabytes: number, packages: number }}
 */
export function inspect({ dir }) {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
  const faults = [];
  let bytes = 0;
  let packages = 0;
  for (const path of readdirSync(dir, { recursive: true, encoding: 'utf8' })) {
    const file = lstatSync(join(dir, path));
    bytes += file.isFile() ? file.size : 0;
    const entry = path.includes('node_modules/') ? lock[path] : undefined;
    if (entry) packages++;
    if (entry?.dev || entry?.devOptional) faults.push(`${path} is a package for development`);
    if (entry?.optional) faults.push(`${path} is an optional package`);
    if (/^(apps|libs)\//.test(path) && file.isFile() && !isWanted(path))
      faults.push(`${path} is neither compiled, nor a catalogue, nor a manifest`);
    if (/\.(db-|http-)?spec\.js/.test(path) && !path.includes('node_modules/')) faults.push(`${path} is a test`);
  }
  return { faults, megabytes: Math.round(bytes / 1e6), packages };
}

/** @param {string} path */
const isWanted = (path) => /^(apps|libs)\/[^/]+\/(package\.json|dist\/.*\.js(on|\.map)?|node_modules\/.*)$/.test(path);
