// @ts-check
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { makeDataDir } from '../workspace.mjs';
import { linkContents } from './context.mjs';

const kept = 3; // one of all packages, one of each app's

/** What Nx has compiled: by the contents of all that went in, so that it is the same wherever the directory is. */
export const compiled = () =>
  process.env.CI
    ? {}
    : {
        NX_CACHE_DIRECTORY: join(makeDataDir(), 'container-nx/cache'),
        NX_WORKSPACE_DATA_DIRECTORY: join(makeDataDir(), 'container-nx/data'),
      };

/**
 * Keeps what a slow command made out of a directory, as a container engine would: it runs again when the command, the
 * directory's contents or Node have changed.
 * @param {{ dir: string, command: string }} layer
 * @param {() => Promise<void>} run
 */
export async function cachedLayer({ dir, command }, run) {
  if (process.env.CI) return run(); // there the next run has another machine
  const layers = join(makeDataDir(), 'container-layers');
  mkdirSync(layers, { recursive: true });
  const layer = join(layers, keyOf(dir, command));
  if (existsSync(layer)) {
    linkContents({ from: layer, to: dir });
    utimesSync(layer, new Date(), new Date());
    return;
  }
  await run();
  const unfinished = `${layer}.${process.pid}`;
  mkdirSync(unfinished);
  linkContents({ from: dir, to: unfinished });
  if (existsSync(layer)) rmSync(unfinished, { recursive: true });
  else renameSync(unfinished, layer);
  utimesSync(layer, new Date(), new Date());
  forgetOld(layers);
}

/** @param {string} dir @param {string} command */
function keyOf(dir, command) {
  const hash = createHash('sha256').update(`${command}\n${process.version}\n`);
  for (const path of readdirSync(dir, { recursive: true, encoding: 'utf8' }).toSorted()) {
    if (statSync(join(dir, path)).isFile()) hash.update(`${path}\n`).update(readFileSync(join(dir, path)));
  }
  return hash.digest('hex').slice(0, 16);
}

/** @param {string} layers */
function forgetOld(layers) {
  const age = (/** @type {string} */ name) => statSync(join(layers, name)).mtimeMs;
  for (const name of readdirSync(layers)
    .toSorted((a, b) => age(b) - age(a))
    .slice(kept))
    rmSync(join(layers, name), { recursive: true, force: true });
}
